"""Jobs: submit, plan, list, read, cancel."""

from typing import Annotated

from fastapi import APIRouter, Body, Header, Query, Response

from backend.dependencies import Contributor, Now, Reader, ReadSession, WriteSession
from backend.jobs import cancel, placement, service, snapshot
from backend.jobs.schemas import JobRead, JobSnapshot, JobSummary, MovePage, PlanRead
from backend.schemas import DEFAULT_LIMIT, Cursor, Limit, Page
from contracts.job import JobSpec, JobState

router = APIRouter(prefix="/jobs", tags=["jobs"])
Spec = Annotated[
    JobSpec,
    Body(
        openapi_examples={
            "smallest": {
                "summary": "All optimizer state on NVMe, the defaults for the rest",
                "value": {"name": "jargon on SmolLM2", "model": "smollm2-135m-instruct", "dataset": "jargon"},
            },
            "bounded": {
                "summary": "Forty steps; 4 GiB of state in host RAM, the rest on NVMe",
                "value": {
                    "name": "jargon, forty steps",
                    "model": "smollm2-135m-instruct",
                    "dataset": "jargon",
                    "training": {"max_steps": 40, "learning_rate": 2e-5, "sequence_length": 256},
                    "evaluation": {"rows": 64, "sample_prompts": ["What is a hacker?"]},
                    "placement": {"host_bytes": "4GiB", "nvme_bytes": None},
                },
            },
        }
    ),
]


@router.post("", status_code=201)
def submit_job(
    principal: Contributor,
    spec: Spec,
    session: WriteSession,
    now: Now,
    response: Response,
    idempotency_key: Annotated[str | None, Header(min_length=1, max_length=200)] = None,
) -> JobRead:
    """Submit a job. With an `Idempotency-Key`, sending it again answers the same and creates nothing."""
    job, is_replay = service.submit(session, principal, spec, idempotency_key, now=now)
    response.headers["Location"] = f"/api/v1/jobs/{job.job_id}"
    if is_replay:
        response.headers["Idempotent-Replayed"] = "true"
    return job


@router.post("/plan")
def plan_job(principal: Contributor, spec: Spec, session: ReadSession, now: Now) -> PlanRead:
    """Whether the job would fit, and where its state would go. Creates nothing."""
    return placement.plan(session, principal, spec, now=now)


@router.get("")
def list_jobs(
    principal: Reader,
    session: ReadSession,
    state: Annotated[JobState | None, Query(description="Only jobs in this state.")] = None,
    q: Annotated[str | None, Query(max_length=100, description="Only jobs whose name contains this.")] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[JobSummary]:
    """Jobs, newest first."""
    return service.list_jobs(session, principal, state=state, name_contains=q, limit=limit, cursor=cursor)


@router.get("/{job_id}")
def read_job(job_id: str, principal: Reader, session: ReadSession) -> JobRead:
    return service.read(session, principal, job_id)


@router.post("/{job_id}/cancel", status_code=202)
def cancel_job(job_id: str, principal: Contributor, session: WriteSession, now: Now) -> JobRead:
    """Ask for the job's end. A running one stops at its next step and is `cancelling` until its processes are gone."""
    return cancel.cancel(session, principal, job_id, now=now)


@router.get("/{job_id}/snapshot")
def read_snapshot(job_id: str, principal: Reader, session: ReadSession, now: Now) -> JobSnapshot:
    """All of a job's page at one moment, with the id to follow the stream from."""
    return snapshot.take(session, principal, job_id, now=now)


@router.get("/{job_id}/moves")
def list_moves(job_id: str, principal: Reader, session: ReadSession) -> MovePage:
    """Every move between states: when, by whom, why."""
    return service.moves(session, principal, job_id)
