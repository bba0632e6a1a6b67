"""Attempts: granted by the scheduler, claimed and reported on by the agent of a box."""

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from backend.attempts import repository
from backend.attempts.errors import EventGapError, StaleFenceError
from backend.attempts.schemas import AttemptRead
from backend.attempts.states import AttemptState
from backend.authorization import Principal
from backend.boxes import service as boxes
from backend.db.identifiers import new_id
from backend.db.models import Attempt, Job, Lease
from backend.errors import NotFoundError
from backend.events import service as events
from backend.jobs import service as jobs
from backend.jobs.fold import fold_event, forget_attempt
from backend.jobs.placement import Demand
from backend.metrics import service as metrics
from backend.models import service as models
from backend.outbox import service as outbox
from contracts.attempts import AttemptStarted, Claim, DatasetBlob, EventBatch, EventsStored, ProcessIdentity
from contracts.events import AnyEvent, Phase, PhaseChanged
from contracts.job import JobSpec, JobState
from contracts.wire import LEASE_SECONDS

LEASE = timedelta(seconds=LEASE_SECONDS)
SCHEDULER = "scheduler"


def grant(session: Session, job: Job, box_id: str, box_name: str, wanted: Demand, *, now: datetime) -> Attempt:
    """Give the job a new attempt on this box; it and its wake-up are kept together or not at all."""
    job.attempt_number += 1
    attempt = Attempt(
        attempt_id=new_id("att"),
        project_id=job.project_id,
        job_id=job.job_id,
        box_id=box_id,
        number=job.attempt_number,
        # A job has one live attempt at most, so counting its attempts counts its fences.
        fence=job.attempt_number,
        state=AttemptState.GRANTED,
        granted_at=now,
        message="",
        last_seq=0,
    )
    session.add(attempt)
    session.flush()
    session.add(
        Lease(
            attempt_id=attempt.attempt_id,
            box_id=box_id,
            host_bytes=wanted.host_bytes,
            nvme_bytes=wanted.nvme_bytes,
            expires_at=now + LEASE,
        )
    )
    job.attempt_id = attempt.attempt_id
    forget_attempt(job)
    message = f"Attempt {attempt.number} on {box_name}."
    jobs.move(session, job, JobState.STARTING, actor=SCHEDULER, message=message, now=now)
    outbox.wake(session, box_id, attempt.attempt_id, now=now)
    return attempt


def claim(session: Session, box_id: str, *, now: datetime) -> Claim | None:
    """The attempt that waits for this box; the same again while it has not started. The first time starts its lease."""
    attempt = repository.unstarted_on_box(session, box_id)
    if attempt is None:
        return None
    if attempt.state is AttemptState.GRANTED:
        attempt.state, attempt.claimed_at = AttemptState.STARTING, now
        # Once: a box that asks and asks but never begins must not hold the job for ever.
        _renew(session, attempt, now)
    job, model, dataset = repository.with_job_and_data(session, attempt.attempt_id)
    return Claim(
        attempt_id=attempt.attempt_id,
        job_id=job.job_id,
        project_id=job.project_id,
        number=attempt.number,
        fence=attempt.fence,
        spec=JobSpec.model_validate_json(job.spec),
        model=models.source_of(model),
        dataset=DatasetBlob(
            dataset_id=dataset.dataset_id, name=dataset.name, sha256=dataset.sha256, num_bytes=dataset.num_bytes
        ),
        lease_seconds=LEASE_SECONDS,
    )


def require_current(session: Session, attempt_id: str, fence: int) -> Attempt:
    """The attempt, if whoever asks may still write for it. Raises NotFoundError, StaleFenceError."""
    attempt = repository.find(session, attempt_id)
    if attempt is None:
        raise NotFoundError(what="attempt", identifier=attempt_id)
    if attempt.fence != fence:
        raise StaleFenceError(fence=fence, detail=f"the attempt's fence is {attempt.fence}.")
    if attempt.ended_at is not None:
        raise StaleFenceError(fence=fence, detail=f"the attempt is {attempt.state}.")
    return attempt


def started(session: Session, attempt_id: str, body: AttemptStarted, *, now: datetime) -> None:
    attempt = require_current(session, attempt_id, body.fence)
    attempt.shim = body.shim.model_dump_json()
    attempt.training = body.training.model_dump_json() if body.training else None
    attempt.state = AttemptState.RUNNING
    attempt.started_at = attempt.started_at or now
    _renew(session, attempt, now)
    job = session.get_one(Job, attempt.job_id)
    # Anything else: the report is a repeated one, or the job is being cancelled and stays so.
    if job.state is JobState.STARTING:
        jobs.move(session, job, JobState.RUNNING, actor="agent", message=job.message, now=now)


def heartbeat(session: Session, attempt_id: str, fence: int, *, now: datetime) -> bool:
    """Renew the lease. True: somebody wants the job to stop."""
    attempt = require_current(session, attempt_id, fence)
    _renew(session, attempt, now)
    boxes.heard_of(session, attempt.box_id, now=now)
    return session.get_one(Job, attempt.job_id).cancel_requested_at is not None


def store_events(session: Session, attempt_id: str, batch: EventBatch, *, now: datetime) -> EventsStored:
    """Store what is new, fold it into job and series; what was stored before is passed over. Raises EventGapError."""
    attempt = require_current(session, attempt_id, batch.fence)
    new = [event for event in batch.events if event.seq > attempt.last_seq]
    for expected, event in enumerate(new, start=attempt.last_seq + 1):
        if event.seq != expected:
            raise EventGapError(last_seq=attempt.last_seq, given_seq=event.seq)
    if new:
        events.append_from_attempt(session, attempt, new)
        metrics.fold_in(session, attempt_id, new)
        attempt.last_seq = new[-1].seq
        _fold(session, session.get_one(Job, attempt.job_id), new, now=now)
    return EventsStored(last_seq=attempt.last_seq)


def _fold(session: Session, job: Job, new: list[AnyEvent], *, now: datetime) -> None:
    for event in new:
        fold_event(job, event)
        is_export = isinstance(event, PhaseChanged) and event.phase is Phase.EXPORT
        if is_export and job.state is JobState.RUNNING:
            jobs.move(session, job, JobState.SAVING, actor="agent", message=job.message, now=now)


def manifest_stored(session: Session, attempt_id: str, *, now: datetime) -> None:
    attempt = repository.find(session, attempt_id)
    if attempt is not None and attempt.manifest_at is None:
        attempt.manifest_at = now


def stop(session: Session, job: Job, *, now: datetime) -> bool:
    """Have the job's attempt stopped. False: no box had begun with one, and now none will."""
    attempt = repository.live_of_job(session, job.job_id)
    if attempt is None:
        return False
    if attempt.state is AttemptState.GRANTED:
        end(session, attempt, AttemptState.CANCELLED, now=now)
        return False
    # The heartbeat tells it within seconds; this makes it a little sooner.
    outbox.wake(session, attempt.box_id, attempt.attempt_id, now=now)
    return True


def end(session: Session, attempt: Attempt, state: AttemptState, *, now: datetime) -> None:
    """The attempt is over and its box free."""
    attempt.state, attempt.ended_at = state, now
    session.get_one(Lease, attempt.attempt_id).released_at = now


def read(session: Session, attempt_id: str) -> AttemptRead:
    attempt, box, lease = repository.with_box_and_lease(session, attempt_id)
    training = ProcessIdentity.model_validate_json(attempt.training) if attempt.training else None
    return AttemptRead(
        attempt_id=attempt.attempt_id,
        number=attempt.number,
        state=attempt.state,
        box_id=attempt.box_id,
        box_name=box.name,
        granted_at=attempt.granted_at,
        started_at=attempt.started_at,
        ended_at=attempt.ended_at,
        lease_expires_at=lease.expires_at,
        host_bytes=lease.host_bytes,
        nvme_bytes=lease.nvme_bytes,
        training_pid=training.pid if training else None,
        exit_code=attempt.exit_code,
        signal=attempt.signal,
        reason=attempt.reason,
        message=attempt.message,
    )


def choose(session: Session, principal: Principal, job_id: str, attempt_id: str | None) -> str | None:
    """The asked-for attempt of the job, else its newest; None: it has none yet. Raises NotFoundError."""
    job = jobs.require(session, principal, job_id)
    if attempt_id is None:
        return job.attempt_id
    attempt = repository.find(session, attempt_id)
    if attempt is None or attempt.job_id != job_id:
        raise NotFoundError(what="attempt", identifier=attempt_id)
    return attempt_id


def is_live(session: Session, attempt_id: str) -> bool:
    attempt = repository.find(session, attempt_id)
    return attempt is not None and attempt.ended_at is None


def holders(session: Session) -> dict[str, str]:
    """Box id -> the job that has it, for people."""
    return {box_id: f"{name!r} ({job_id})" for box_id, job_id, name in repository.holders(session)}


def _renew(session: Session, attempt: Attempt, now: datetime) -> None:
    session.get_one(Lease, attempt.attempt_id).expires_at = now + LEASE
