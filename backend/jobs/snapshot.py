"""All of a job's page at one moment."""

from datetime import datetime

from sqlalchemy.orm import Session

from backend.attempts import service as attempts
from backend.authorization import Principal
from backend.events import service as events
from backend.jobs import service as jobs
from backend.jobs.schemas import JobSnapshot
from contracts.events import EvaluationCompleted, PlanMade, SampleGenerated, TrainingFinished


def take(session: Session, principal: Principal, job_id: str, *, now: datetime) -> JobSnapshot:
    """Consistent in itself because the session sees one snapshot of the database."""
    job = jobs.read(session, principal, job_id)
    attempt_id = jobs.newest_attempt_id(session, principal, job_id)
    said = events.milestones(session, attempt_id) if attempt_id else []
    return JobSnapshot(
        job=job,
        attempt=attempts.read(session, attempt_id) if attempt_id else None,
        phase=job.phase,
        plan=next((event for event in reversed(said) if isinstance(event, PlanMade)), None),
        last_step=events.last_step(session, attempt_id) if attempt_id else None,
        evaluations=[event for event in said if isinstance(event, EvaluationCompleted)],
        samples=[event for event in said if isinstance(event, SampleGenerated)],
        result=next((event for event in said if isinstance(event, TrainingFinished)), None),
        last_event_id=events.last_id_of_job(session, job_id),
        server_time=now,
    )
