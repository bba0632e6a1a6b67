"""From rows to what people see of a job."""

from collections.abc import Sequence

from backend.db.models import Job
from backend.jobs.schemas import DatasetRef, JobRead, JobSummary, ModelRef, ReasonText
from contracts.job import JobSpec
from contracts.reasons import EXPLANATIONS


def queue_positions(ids_in_queue: Sequence[str]) -> dict[str, int]:
    return {job_id: place for place, job_id in enumerate(ids_in_queue, start=1)}


def summary(job: Job, model_name: str, queue_position: int | None) -> JobSummary:
    return JobSummary(
        job_id=job.job_id,
        project_id=job.project_id,
        name=job.name,
        state=job.state,
        reason=job.reason,
        queue_position=queue_position,
        model=ModelRef(model_id=job.model_id, name=model_name),
        created_by=job.created_by,
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
        cancel_requested_at=job.cancel_requested_at,
        attempt_number=job.attempt_number,
        phase=job.phase,
        step=job.step,
        total_steps=job.total_steps,
        last_loss=job.last_loss,
        eval_loss_before=job.eval_loss_before,
        eval_loss_after=job.eval_loss_after,
    )


def full(job: Job, model_name: str, dataset_name: str, sha256: str, queue_position: int | None) -> JobRead:
    explanation = EXPLANATIONS[job.reason] if job.reason else None
    return JobRead(
        **dict(summary(job, model_name, queue_position)),
        reason_text=ReasonText(sentence=explanation.sentence, next_step=explanation.next_step) if explanation else None,
        message=job.message,
        spec=JobSpec.model_validate_json(job.spec),
        dataset=DatasetRef(dataset_id=job.dataset_id, name=dataset_name, sha256=sha256),
    )
