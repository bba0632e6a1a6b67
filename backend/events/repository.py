"""Queries on events."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from backend.db.models import Event, Job


class EventRow(NamedTuple):
    event_id: int
    job_id: str
    attempt_id: str | None
    kind: str
    time: datetime
    payload: str


_COLUMNS = (Event.event_id, Event.job_id, Event.attempt_id, Event.kind, Event.time, Event.payload)


def add(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    session.execute(insert(Event), rows)


def after_of_job(session: Session, job_id: str, after: int, limit: int) -> list[EventRow]:
    query = select(*_COLUMNS).where(Event.job_id == job_id, Event.event_id > after)
    return [EventRow(*row) for row in session.execute(query.order_by(Event.event_id).limit(limit))]


def after_of_project(session: Session, project_id: str, after: int, limit: int) -> list[EventRow]:
    query = select(*_COLUMNS).where(Event.project_id == project_id, Event.event_id > after)
    return [EventRow(*row) for row in session.execute(query.order_by(Event.event_id).limit(limit))]


def last_id(session: Session) -> int:
    return session.scalar(select(func.max(Event.event_id))) or 0


def last_id_of_job(session: Session, job_id: str) -> int:
    return session.scalar(select(func.max(Event.event_id)).where(Event.job_id == job_id)) or 0


def milestones(session: Session, attempt_id: str) -> list[str]:
    """Payloads of all the attempt said but its steps, in order."""
    query = select(Event.payload).where(
        Event.attempt_id == attempt_id, Event.kind != "step.completed", Event.seq.is_not(None)
    )
    return list(session.scalars(query.order_by(Event.event_id)))


def last_step(session: Session, attempt_id: str) -> str | None:
    query = select(Event.payload).where(
        Event.attempt_id == attempt_id, Event.step.is_not(None), Event.kind == "step.completed"
    )
    return session.scalar(query.order_by(Event.step.desc()).limit(1))


def step_payloads(session: Session, attempt_id: str, from_step: int, to_step: int) -> list[str]:
    """Payloads of step and evaluation events of these steps, both ends included, in order of steps."""
    query = select(Event.payload).where(Event.attempt_id == attempt_id, Event.step.between(from_step, to_step))
    return list(session.scalars(query.order_by(Event.step, Event.event_id)))


def highest_step(session: Session, attempt_id: str) -> int | None:
    return session.scalar(select(func.max(Event.step)).where(Event.attempt_id == attempt_id, Event.step.is_not(None)))


def finished_with_steps(session: Session, finished_before: datetime) -> Job | None:
    query = select(Job).where(Job.finished_at < finished_before, Job.has_all_steps.is_(True))
    return session.scalar(query.limit(1))


def oldest_step_ids(session: Session, job_id: str, limit: int) -> list[int]:
    query = select(Event.event_id).where(Event.job_id == job_id, Event.kind == "step.completed")
    return list(session.scalars(query.order_by(Event.event_id).limit(limit)))


def remove(session: Session, event_ids: Sequence[int]) -> None:
    session.execute(delete(Event).where(Event.event_id.in_(event_ids)))
