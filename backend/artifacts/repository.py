"""Queries on artifact files."""

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from backend.db.models import ArtifactRow, Attempt


def files(session: Session, attempt_id: str) -> list[ArtifactRow]:
    return list(
        session.scalars(select(ArtifactRow).where(ArtifactRow.attempt_id == attempt_id).order_by(ArtifactRow.name))
    )


def file(session: Session, attempt_id: str, name: str) -> ArtifactRow | None:
    return session.get(ArtifactRow, (attempt_id, name))


def is_complete(session: Session, attempt_id: str) -> bool:
    return session.scalar(select(Attempt.manifest_at).where(Attempt.attempt_id == attempt_id)) is not None


def remove_all(session: Session, attempt_id: str) -> None:
    session.execute(delete(ArtifactRow).where(ArtifactRow.attempt_id == attempt_id))
