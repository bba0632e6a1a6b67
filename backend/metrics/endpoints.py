"""Series for charts."""

from typing import Annotated

from fastapi import APIRouter, Query

from backend.dependencies import Reader, ReadSession
from backend.jobs import service as jobs
from backend.metrics import service
from backend.metrics.schemas import MetricsRead
from backend.schemas import MAX_INTEGER

router = APIRouter(tags=["metrics"])


@router.get("/jobs/{job_id}/metrics")
def read_metrics(
    job_id: str,
    principal: Reader,
    session: ReadSession,
    names: Annotated[str, Query(max_length=500, description="Series, separated by commas.")] = "loss",
    from_step: Annotated[int, Query(ge=0, le=MAX_INTEGER)] = 0,
    to_step: Annotated[int | None, Query(ge=0, le=MAX_INTEGER)] = None,
    buckets: Annotated[int, Query(ge=1, le=2000)] = 400,
) -> MetricsRead:
    """Series of the newest attempt, folded into at most so many buckets of a power of two steps each (plus one where
    `from_step` lies inside a bucket)."""
    wanted = service.parse_names(names)
    job = jobs.require(session, principal, job_id)
    return service.read(
        session,
        job.attempt_id,
        wanted,
        from_step=from_step,
        to_step=to_step,
        num_buckets=buckets,
        has_all_steps=job.has_all_steps,
    )
