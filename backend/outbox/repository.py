"""Queries on the outbox."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from backend.db.models import OutboxRow


def pending(session: Session, limit: int) -> list[OutboxRow]:
    return list(session.scalars(select(OutboxRow).order_by(OutboxRow.outbox_id).limit(limit)))


def count(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(OutboxRow)) or 0


def remove(session: Session, outbox_ids: Sequence[int]) -> None:
    session.execute(delete(OutboxRow).where(OutboxRow.outbox_id.in_(outbox_ids)))
