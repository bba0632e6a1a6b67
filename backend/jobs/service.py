"""Jobs: submit, look at, move from state to state."""

import hashlib
from datetime import datetime

from sqlalchemy.orm import Session

from backend.authorization import Principal
from backend.boxes import service as boxes
from backend.db.identifiers import new_id
from backend.db.models import IdempotencyKey, Job, JobMove
from backend.db.session import Signal, signal_after_commit
from backend.errors import AppError, NotFoundError
from backend.events import service as events
from backend.events.schemas import EventPage, StateChanged
from backend.jobs import placement, references, repository, views
from backend.jobs.schemas import JobRead, JobSummary, MovePage, MoveRead
from backend.jobs.states import IN_QUEUE, check_move
from backend.schemas import Page
from contracts.job import JobSpec, JobState
from contracts.reasons import Reason


class KeyReusedError(AppError):
    def __init__(self, key: str) -> None:
        super().__init__(
            status=422,
            code="idempotency_key_reused",
            title="The key belongs to another job",
            detail=f"The Idempotency-Key {key!r} was used before with another body.",
            hint="Use a new key for a new job; repeat a key only with the same body.",
        )


def submit(
    session: Session, principal: Principal, spec: JobSpec, idempotency_key: str | None, *, now: datetime
) -> tuple[JobRead, bool]:
    """The job, and whether it is the answer to an earlier submit with this key.

    Raises KeyReusedError, UnknownReferenceError, PlacementImpossibleError.
    """
    body = spec.model_dump_json()
    body_sha256 = hashlib.sha256(body.encode()).hexdigest()
    if idempotency_key is not None:
        known = repository.idempotency(session, principal.project_id, principal.actor_id, idempotency_key)
        if known is not None:
            if known.body_sha256 != body_sha256:
                raise KeyReusedError(idempotency_key)
            return JobRead.model_validate_json(known.answer), True
    job = _create(session, principal, spec, body, now=now)
    read_job = read(session, principal, job.job_id)
    if idempotency_key is not None:
        session.add(
            IdempotencyKey(
                project_id=principal.project_id,
                actor_id=principal.actor_id,
                key=idempotency_key,
                body_sha256=body_sha256,
                answer=read_job.model_dump_json(),
                created_at=now,
            )
        )
    return read_job, False


def _create(session: Session, principal: Principal, spec: JobSpec, body: str, *, now: datetime) -> Job:
    model, dataset = references.resolve(session, principal.project_id, spec)
    problem = placement.find_problem(placement.demand(spec, model.num_parameters), boxes.views(session, now=now))
    if problem is not None:
        raise placement.PlacementImpossibleError(problem)
    job = Job(
        job_id=new_id("job"),
        project_id=principal.project_id,
        name=spec.name,
        state=JobState.QUEUED,
        message="",
        spec=body,
        model_id=model.model_id,
        dataset_id=dataset.dataset_id,
        created_by=principal.name,
        created_at=now,
    )
    session.add(job)
    session.flush()
    _record(session, job, None, actor=principal.name, now=now)
    signal_after_commit(session, Signal.QUEUE)
    return job


def move(
    session: Session,
    job: Job,
    to_state: JobState,
    *,
    actor: str,
    now: datetime,
    reason: Reason | None = None,
    message: str = "",
) -> None:
    """The only way a job changes its state: checked, recorded and told. Raises IllegalMoveError."""
    from_state = job.state
    check_move(from_state, to_state)
    job.state, job.reason, job.message = to_state, reason, message
    if to_state is JobState.RUNNING and job.started_at is None:
        job.started_at = now
    if to_state.is_final:
        job.finished_at = now
    _record(session, job, from_state, actor=actor, now=now)
    if to_state.is_final or to_state in IN_QUEUE:
        signal_after_commit(session, Signal.QUEUE)


def _record(session: Session, job: Job, from_state: JobState | None, *, actor: str, now: datetime) -> None:
    session.add(
        JobMove(
            job_id=job.job_id,
            time=now,
            actor=actor,
            from_state=from_state,
            to_state=job.state,
            reason=job.reason,
            message=job.message,
        )
    )
    # The row before the event: an event never tells of a state that a reader cannot find yet.
    session.flush()
    change = StateChanged(
        time=now, from_state=from_state, to_state=job.state, reason=job.reason, message=job.message, actor=actor
    )
    events.append_state_change(session, job, change)


def require(session: Session, principal: Principal, job_id: str) -> Job:
    """Raises NotFoundError, also for another project's job."""
    job = repository.find(session, principal.project_id, job_id)
    if job is None:
        raise NotFoundError(what="job", identifier=job_id)
    return job


def newest_attempt_id(session: Session, principal: Principal, job_id: str) -> str | None:
    return require(session, principal, job_id).attempt_id


def read(session: Session, principal: Principal, job_id: str) -> JobRead:
    row = repository.with_names(session, principal.project_id, job_id)
    if row is None:
        raise NotFoundError(what="job", identifier=job_id)
    job, model_name, dataset_name, sha256 = row
    return views.full(job, model_name, dataset_name, sha256, _positions(session).get(job_id))


def list_jobs(
    session: Session,
    principal: Principal,
    *,
    state: JobState | None,
    name_contains: str | None,
    limit: int,
    cursor: str | None,
) -> Page[JobSummary]:
    rows = repository.page(
        session, principal.project_id, state=state, name_contains=name_contains, before=cursor, limit=limit + 1
    )
    positions = _positions(session)
    items = [views.summary(job, model_name, positions.get(job.job_id)) for job, model_name in rows[:limit]]
    return Page(items=items, next_cursor=items[-1].job_id if len(rows) > limit else None)


def moves(session: Session, principal: Principal, job_id: str) -> MovePage:
    require(session, principal, job_id)
    return MovePage(
        items=[
            MoveRead(
                time=row.time,
                actor=row.actor,
                from_state=row.from_state,
                to_state=row.to_state,
                reason=row.reason,
                message=row.message,
            )
            for row in repository.moves(session, job_id)
        ]
    )


def list_events(session: Session, principal: Principal, job_id: str, *, after: int, limit: int) -> EventPage:
    require(session, principal, job_id)
    items = events.page(session, job_id, after=after, limit=limit)
    return EventPage(items=items, last_event_id=items[-1].event_id if items else after)


def queue(session: Session) -> list[Job]:
    """Jobs that want an attempt, the next one first."""
    return repository.in_state(session, IN_QUEUE)


def _positions(session: Session) -> dict[str, int]:
    return views.queue_positions(repository.ids_in_state(session, IN_QUEUE))
