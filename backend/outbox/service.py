"""Wake-ups for boxes, written in the transaction that makes them worth sending."""

from datetime import datetime

from sqlalchemy.orm import Session

from backend.db.models import OutboxRow
from backend.db.session import Signal, signal_after_commit
from backend.outbox import repository
from contracts.wire import box_queue


def wake(session: Session, box_id: str, attempt_id: str, *, now: datetime) -> None:
    session.add(OutboxRow(queue=box_queue(box_id), attempt_id=attempt_id, created_at=now))
    signal_after_commit(session, Signal.OUTBOX)


def num_pending(session: Session) -> int:
    return repository.count(session)
