"""Queries on models."""

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from backend.db.models import Model


def page(session: Session, project_id: str, before: str | None, limit: int) -> list[Model]:
    query = select(Model).where(Model.project_id == project_id)
    if before is not None:
        query = query.where(Model.model_id < before)
    return list(session.scalars(query.order_by(Model.model_id.desc()).limit(limit)))


def find(session: Session, project_id: str, id_or_name: str) -> Model | None:
    return session.scalar(
        select(Model).where(Model.project_id == project_id, or_(Model.model_id == id_or_name, Model.name == id_or_name))
    )


def names(session: Session, project_id: str, limit: int) -> list[str]:
    query = select(Model.name).where(Model.project_id == project_id).order_by(Model.model_id.desc()).limit(limit)
    return list(session.scalars(query))
