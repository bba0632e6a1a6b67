"""Ending a job because a person wants it."""

from datetime import datetime

from sqlalchemy.orm import Session

from backend.attempts import service as attempts
from backend.authorization import Principal
from backend.errors import ConflictError
from backend.jobs import service as jobs
from backend.jobs.schemas import JobRead
from contracts.job import JobState
from contracts.reasons import Reason


def cancel(session: Session, principal: Principal, job_id: str, *, now: datetime) -> JobRead:
    """At once while no box has the job; else asked for, and held in `cancelling` until no process of it lives.

    Repeatable. Raises NotFoundError, and ConflictError for a job that is over.
    """
    job = jobs.require(session, principal, job_id)
    if job.state is JobState.CANCELLED:
        return jobs.read(session, principal, job_id)
    if job.state.is_final:
        raise ConflictError(
            code="job_final",
            title="The job is over",
            detail=f"The job {job_id} is {job.state} since {job.finished_at:%Y-%m-%d %H:%M:%S} UTC.",
            hint="A finished job cannot be cancelled; its results stay.",
        )
    if job.cancel_requested_at is None:
        job.cancel_requested_at = now
        held_by_box = attempts.stop(session, job, now=now)
        jobs.move(
            session,
            job,
            JobState.CANCELLING if held_by_box else JobState.CANCELLED,
            actor=principal.name,
            reason=Reason.CANCELLED_BY_USER,
            now=now,
        )
    return jobs.read(session, principal, job_id)
