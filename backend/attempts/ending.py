"""How attempts end, and what that means for their jobs: the decision pure, then carried out."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from backend.attempts import repository
from backend.attempts.errors import ManifestMissingError
from backend.attempts.service import LEASE, SCHEDULER, end, require_current
from backend.attempts.states import AttemptState
from backend.boxes import service as boxes
from backend.db.models import Attempt, Job
from backend.jobs import service as jobs
from contracts.attempts import AttemptFinished, Outcome
from contracts.job import JobState
from contracts.reasons import Reason

MAX_LOST = 2
"""So many lost attempts are tried again; then the job has failed."""
_BOX_AT_FAULT = frozenset({Reason.AGENT_LOST, Reason.BOX_REBOOTED})
_ENDED_AS = {
    Outcome.SUCCEEDED: AttemptState.SUCCEEDED,
    Outcome.FAILED: AttemptState.FAILED,
    Outcome.CANCELLED: AttemptState.CANCELLED,
    Outcome.INTERRUPTED: AttemptState.INTERRUPTED,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Next:
    """Where the job goes when its attempt is over."""

    state: JobState
    reason: Reason | None
    message: str


def after_finish(outcome: Outcome, reason: Reason | None, message: str, *, cancelling: bool, num_lost: int) -> Next:
    """`num_lost` counts the attempts that were lost to the box, this one included."""
    if outcome is Outcome.SUCCEEDED:
        late = "It was done before the request to cancel reached it." if cancelling else message
        return Next(state=JobState.SUCCEEDED, reason=None, message=late)
    if cancelling:
        return Next(state=JobState.CANCELLED, reason=Reason.CANCELLED_BY_USER, message=message)
    if outcome is Outcome.INTERRUPTED:
        again = f"{message} The next attempt starts over at step 0.".strip()
        return Next(state=JobState.QUEUED, reason=reason or Reason.INTERRUPTED, message=again)
    if outcome is Outcome.CANCELLED:
        # The agent stopped a run that nobody here asked to stop.
        return Next(state=JobState.FAILED, reason=reason or Reason.CANCELLED_BY_USER, message=message)
    if reason in _BOX_AT_FAULT:
        return after_loss(reason, message, cancelling=False, num_lost=num_lost)
    return Next(state=JobState.FAILED, reason=reason or Reason.INTERNAL, message=message)


def after_loss(reason: Reason | None, message: str, *, cancelling: bool, num_lost: int) -> Next:
    if cancelling:
        unseen = f"{message} Nobody has seen its processes end; they stop themselves when they reach the service again."
        return Next(state=JobState.CANCELLED, reason=Reason.CANCELLED_BY_USER, message=unseen)
    if num_lost > MAX_LOST:
        given_up = f"{message} Given up after {num_lost} lost attempts."
        return Next(state=JobState.FAILED, reason=reason, message=given_up)
    again = f"{message} Tried again from step 0 ({num_lost} of {MAX_LOST} times)."
    return Next(state=JobState.QUEUED, reason=reason, message=again)


def finish(session: Session, attempt_id: str, body: AttemptFinished, *, now: datetime) -> None:
    """Repeatable. Raises StaleFenceError, ManifestMissingError."""
    known = repository.find(session, attempt_id)
    if known is not None and known.fence == body.fence and known.state is _ENDED_AS[body.outcome]:
        return
    attempt = require_current(session, attempt_id, body.fence)
    if body.outcome is Outcome.SUCCEEDED and attempt.manifest_at is None:
        raise ManifestMissingError
    attempt.exit_code, attempt.signal = body.exit_code, body.signal
    attempt.reason, attempt.message = body.reason, body.message
    end(session, attempt, _ENDED_AS[body.outcome], now=now)
    job = session.get_one(Job, attempt.job_id)
    if body.reason in _BOX_AT_FAULT:
        job.num_lost += 1
    what_next = after_finish(
        body.outcome,
        body.reason,
        body.message,
        cancelling=job.cancel_requested_at is not None,
        num_lost=job.num_lost,
    )
    if body.outcome is Outcome.INTERRUPTED:
        # Its agent is stopping: the job must not be granted to it in its last second.
        boxes.leaving(session, attempt.box_id, now=now)
    _go(session, job, what_next, actor="agent", now=now)


def lose_expired(session: Session, *, now: datetime) -> None:
    """End every attempt whose lease ran out. From then on its fence is stale."""
    for attempt in repository.expired(session, now):
        _lose(session, attempt, now=now)


def grant_grace(session: Session, *, now: datetime) -> None:
    """After a start every live lease gets one full period: nobody could renew it while the service was away."""
    repository.renew_all(session, now + LEASE)


def _lose(session: Session, attempt: Attempt, *, now: datetime) -> None:
    job = session.get_one(Job, attempt.job_id)
    message = f"Attempt {attempt.number} was not heard of for {LEASE.total_seconds():.0f} s."
    attempt.reason, attempt.message = Reason.AGENT_LOST, message
    end(session, attempt, AttemptState.LOST, now=now)
    if attempt.claimed_at is None:
        # No box ever had it: the next one is no second try.
        not_taken = f"The box did not take attempt {attempt.number} within {LEASE.total_seconds():.0f} s."
        _go(session, job, Next(state=JobState.QUEUED, reason=None, message=not_taken), actor=SCHEDULER, now=now)
        return
    job.num_lost += 1
    cancelling = job.cancel_requested_at is not None
    what_next = after_loss(Reason.AGENT_LOST, message, cancelling=cancelling, num_lost=job.num_lost)
    _go(session, job, what_next, actor=SCHEDULER, now=now)


def _go(session: Session, job: Job, what_next: Next, *, actor: str, now: datetime) -> None:
    # Flushed first: the box must be free before the same transaction grants it to the next job.
    session.flush()
    jobs.move(session, job, what_next.state, actor=actor, reason=what_next.reason, message=what_next.message, now=now)
