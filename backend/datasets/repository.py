"""Queries on datasets."""

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from backend.db.models import Dataset


def page(session: Session, project_id: str, before: str | None, limit: int) -> list[Dataset]:
    query = select(Dataset).where(Dataset.project_id == project_id)
    if before is not None:
        query = query.where(Dataset.dataset_id < before)
    return list(session.scalars(query.order_by(Dataset.dataset_id.desc()).limit(limit)))


def find(session: Session, project_id: str, id_or_name: str) -> Dataset | None:
    """By id, else the newest version of that name."""
    return session.scalar(
        select(Dataset)
        .where(Dataset.project_id == project_id, or_(Dataset.dataset_id == id_or_name, Dataset.name == id_or_name))
        .order_by((Dataset.dataset_id == id_or_name).desc(), Dataset.dataset_id.desc())
        .limit(1)
    )


def by_content(session: Session, project_id: str, sha256: str) -> Dataset | None:
    return session.scalar(select(Dataset).where(Dataset.project_id == project_id, Dataset.sha256 == sha256))


def any_with_content(session: Session, sha256: str) -> bool:
    return session.scalar(select(Dataset.dataset_id).where(Dataset.sha256 == sha256).limit(1)) is not None


def names(session: Session, project_id: str, limit: int) -> list[str]:
    query = select(Dataset.name).where(Dataset.project_id == project_id).order_by(Dataset.dataset_id.desc())
    return list(dict.fromkeys(session.scalars(query.limit(limit))))
