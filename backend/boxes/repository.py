"""Queries on boxes."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.db.models import Box


def by_name(session: Session, name: str) -> Box | None:
    return session.scalar(select(Box).where(Box.name == name))


def every(session: Session) -> list[Box]:
    return list(session.scalars(select(Box).order_by(Box.name)))
