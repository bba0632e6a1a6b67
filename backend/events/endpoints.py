"""Events: paged replay, and the live stream."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from backend.authorization import Action
from backend.dependencies import Current, Reader, ReadSession, may_still
from backend.events import stream
from backend.events.schemas import EventPage
from backend.jobs import service as jobs
from backend.schemas import MAX_INTEGER

router = APIRouter(tags=["events"])
After = Annotated[int | None, Query(ge=0, le=MAX_INTEGER, description="Events with a larger id.")]


@router.get("/jobs/{job_id}/events")
def list_events(
    job_id: str,
    principal: Reader,
    session: ReadSession,
    after: Annotated[int, Query(ge=0, le=MAX_INTEGER, description="Events with a larger id.")] = 0,
    limit: Annotated[int, Query(ge=1, le=2000)] = 500,
) -> EventPage:
    """A job's events in order, over all of its attempts."""
    return jobs.list_events(session, principal, job_id, after=after, limit=limit)


async def followed(
    principal: Reader,
    runtime: Current,
    job_id: str | None = None,
    after: After = None,
    last_event_id: Annotated[int | None, Header(ge=0, le=MAX_INTEGER)] = None,
) -> stream.Subscription:
    position = last_event_id if last_event_id is not None else after
    return await stream.subscribe(runtime.live, principal, job_id=job_id, after=position)


@router.get(
    "/stream",
    response_class=EventSourceResponse,
    responses={200: {"description": "Each message: `id` the event id, `event` the kind, `data` a `StoredEvent`."}},
)
async def stream_events(
    subscription: Annotated[stream.Subscription, Depends(followed)], request: Request, runtime: Current
) -> AsyncIterator[ServerSentEvent]:
    """Follow one job, or all of the project. `Last-Event-ID` (or `after`) resumes; without either a job's stream
    begins at its first event and the project's at the present. `event: reset` says that the place is beyond what is
    kept: take a fresh snapshot, the stream goes on from its id. A comment comes every 15 seconds."""

    async def still_allowed() -> bool:
        return await may_still(request, runtime, Action.READ)

    async for message in stream.follow(subscription, still_allowed):
        yield message
