"""The one ordered table of what happened. Ids follow commits: a reader who asks for `id > last` misses nothing."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from backend.db.models import Attempt, Job, Project
from backend.db.session import Signal, signal_after_commit
from backend.events import repository
from backend.events.repository import EventRow
from backend.events.schemas import JOB_EVENT, StateChanged, StoredEvent
from contracts.events import EVENT, AnyEvent, EvaluationCompleted, StepCompleted

KEEP_STEPS_FOR = timedelta(days=7)
PRUNE_BATCH = 5000


def append_state_change(session: Session, job: Job, change: StateChanged) -> None:
    row = {
        "project_id": job.project_id,
        "job_id": job.job_id,
        "attempt_id": job.attempt_id,
        "seq": None,
        "kind": change.kind,
        "step": None,
        "time": change.time,
        "payload": change.model_dump_json(),
    }
    repository.add(session, [row])
    signal_after_commit(session, Signal.EVENTS)


def append_from_attempt(session: Session, attempt: Attempt, events: Sequence[AnyEvent]) -> None:
    """Store new events; the caller has made sure that each comes right after the last one stored."""
    rows = [
        {
            "project_id": attempt.project_id,
            "job_id": attempt.job_id,
            "attempt_id": attempt.attempt_id,
            "seq": event.seq,
            "kind": event.kind,
            "step": event.step if isinstance(event, StepCompleted | EvaluationCompleted) else None,
            "time": event.time,
            "payload": event.model_dump_json(),
        }
        for event in events
    ]
    repository.add(session, rows)
    signal_after_commit(session, Signal.EVENTS)


def page(session: Session, job_id: str, *, after: int, limit: int) -> list[StoredEvent]:
    return [_stored(row) for row in repository.after_of_job(session, job_id, after, limit)]


def last_id_of_job(session: Session, job_id: str) -> int:
    return repository.last_id_of_job(session, job_id)


def milestones(session: Session, attempt_id: str) -> list[AnyEvent]:
    """Everything an attempt said except its steps."""
    return [EVENT.validate_json(payload) for payload in repository.milestones(session, attempt_id)]


def last_step(session: Session, attempt_id: str) -> StepCompleted | None:
    payload = repository.last_step(session, attempt_id)
    return StepCompleted.model_validate_json(payload) if payload is not None else None


def steps(session: Session, attempt_id: str, *, from_step: int, to_step: int) -> list[AnyEvent]:
    """Step and evaluation events of these steps, both ends included."""
    payloads = repository.step_payloads(session, attempt_id, from_step, to_step)
    return [EVENT.validate_json(payload) for payload in payloads]


def highest_step(session: Session, attempt_id: str) -> int | None:
    return repository.highest_step(session, attempt_id)


def prune(session: Session, *, now: datetime) -> bool:
    """Remove a batch of old step events of one finished job; its newest step and the metric buckets stay.

    True: there may be more to remove.
    """
    job = repository.finished_with_steps(session, now - KEEP_STEPS_FOR)
    if job is None:
        return False
    *old, _newest = repository.oldest_step_ids(session, job.job_id, PRUNE_BATCH) or [0]
    if old:
        repository.remove(session, old)
        job.pruned_event_id = old[-1]
        project = session.get_one(Project, job.project_id)
        project.pruned_event_id = max(project.pruned_event_id, old[-1])
    else:
        job.has_all_steps = False
    return True


def _stored(row: EventRow) -> StoredEvent:
    return StoredEvent(
        event_id=row.event_id,
        job_id=row.job_id,
        attempt_id=row.attempt_id,
        time=row.time,
        event=JOB_EVENT.validate_json(row.payload),
    )
