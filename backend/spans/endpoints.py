"""Lanes of single steps, fetched from the box when somebody looks."""

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from backend.dependencies import Current, Now, Reader, ReadSession
from backend.schemas import Step
from backend.spans import service
from backend.spans.schemas import SpansRequested, SpanSteps
from contracts.events import StepSpans

router = APIRouter(prefix="/jobs/{job_id}/spans", tags=["spans"])


@router.get("")
def list_span_steps(job_id: str, principal: Reader, runtime: Current, session: ReadSession) -> SpanSteps:
    """Steps whose lanes can be had: the newest 200, and those kept."""
    return service.list_steps(session, runtime.folder, principal, job_id)


@router.get(
    "/{step}",
    response_model=StepSpans,
    responses={202: {"model": SpansRequested, "description": "The box was asked; come again after `Retry-After`."}},
)
def read_spans(
    job_id: str, step: Step, principal: Reader, runtime: Current, session: ReadSession, now: Now
) -> StepSpans | JSONResponse:
    """Who worked and who waited during one step."""
    spans = service.read(session, runtime.folder, runtime.wanted_spans, principal, job_id=job_id, step=step, now=now)
    if spans is None:
        return JSONResponse(SpansRequested().model_dump(), status_code=202, headers={"Retry-After": "2"})
    return spans
