"""One round of the scheduler: what the pure decision says, carried out."""

from datetime import datetime

from sqlalchemy.orm import Session

from backend.attempts import ending
from backend.attempts import service as attempts
from backend.boxes import service as boxes
from backend.db.models import Job, Model
from backend.jobs import service as jobs
from backend.jobs.placement import demand
from backend.scheduler.decide import Grant, QueuedJob, Wait, decide
from contracts.job import JobSpec, JobState
from contracts.reasons import Reason


def tick(session: Session, *, is_settled: bool, now: datetime) -> None:
    """Lose attempts whose lease ran out, grant boxes to jobs, tell the others what they wait for.

    Not settled: boxes may not have had the time to say that they live, so "no box" is not told yet.
    """
    ending.lose_expired(session, now=now)
    queue = {job.job_id: job for job in jobs.queue(session)}
    if not queue:
        return
    queued = [_queued(session, job) for job in queue.values()]
    wanted = {entry.job_id: entry.wanted for entry in queued}
    for verdict in decide(queued, boxes.views(session, now=now), attempts.holders(session)):
        job = queue[verdict.job_id]
        match verdict:
            case Grant(box=box):
                attempts.grant(session, job, box.box_id, box.name, wanted[job.job_id], now=now)
            case Wait(reason=Reason.NO_BOX) if not is_settled:
                continue
            case Wait():
                _wait(session, job, verdict, now=now)


def _queued(session: Session, job: Job) -> QueuedJob:
    model = session.get_one(Model, job.model_id)
    spec = JobSpec.model_validate_json(job.spec)
    return QueuedJob(job_id=job.job_id, name=job.name, wanted=demand(spec, model.num_parameters))


def _wait(session: Session, job: Job, wait: Wait, *, now: datetime) -> None:
    if job.state is JobState.WAITING and job.reason is wait.reason:
        # Numbers move all the time; only a new reason is worth an event.
        if job.message != wait.message:
            job.message = wait.message
        return
    jobs.move(
        session,
        job,
        JobState.WAITING,
        actor=attempts.SCHEDULER,
        reason=wait.reason,
        message=wait.message,
        now=now,
    )
