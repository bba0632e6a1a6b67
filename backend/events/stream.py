"""The live stream: reads the table from a place on, then waits. Holds no database session while it waits."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

from fastapi.concurrency import run_in_threadpool
from fastapi.sse import ServerSentEvent
from sqlalchemy.orm import Session

from backend.authorization import Principal
from backend.db.models import Project
from backend.db.session import Database
from backend.events import repository
from backend.events.broadcast import Broadcast
from backend.events.repository import EventRow
from backend.events.schemas import StoredHead
from backend.jobs import service as jobs
from contracts.base import Contract

POLL_SECONDS = 1.0
RECHECK_SECONDS = 15.0
"""A stream outlives a sign-out or a revoked token by no more than this."""
_READ_AT_ONCE = 500


class StreamReset(Contract):
    """`data` of `event: reset`: what was asked for is gone; take a snapshot, the stream goes on after this id."""

    last_event_id: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Live:
    """What every stream shares."""

    database: Database
    read_turns: asyncio.Semaphore
    broadcast: Broadcast
    stopping: threading.Event = field(default_factory=threading.Event)
    recheck_seconds: float = RECHECK_SECONDS


@dataclass(frozen=True, kw_only=True, slots=True)
class Subscription:
    live: Live
    project_id: str
    job_id: str | None
    after: int
    must_reset: bool


async def subscribe(live: Live, principal: Principal, *, job_id: str | None, after: int | None) -> Subscription:
    """Raises NotFoundError for a job that is not there. Nothing is held between this and the first read."""
    async with live.read_turns:
        return await run_in_threadpool(_subscribe, live, principal, job_id, after)


StillAllowed = Callable[[], Awaitable[bool]]


async def follow(subscription: Subscription, still_allowed: StillAllowed) -> AsyncIterator[ServerSentEvent]:
    """Every event after the place, each once, until the service stops, the reader goes, or may read no more."""
    live, position = subscription.live, subscription.after
    if subscription.must_reset:
        reset = StreamReset(last_event_id=position)
        yield ServerSentEvent(raw_data=reset.model_dump_json(), event="reset", id=str(position))
    checked_at = time.monotonic()
    while not live.stopping.is_set():
        if time.monotonic() - checked_at > live.recheck_seconds:
            if not await still_allowed():
                return
            checked_at = time.monotonic()
        changed = live.broadcast.current()
        async with live.read_turns:
            rows = await run_in_threadpool(_read, subscription, position)
        for row in rows:
            yield ServerSentEvent(raw_data=_data(row), event=row.kind, id=str(row.event_id))
            position = row.event_id
        if len(rows) < _READ_AT_ONCE:
            await _wait(changed)


async def _wait(changed: asyncio.Event) -> None:
    # The second is for another process that writes to the same database, and for the check of `stopping`.
    try:
        async with asyncio.timeout(POLL_SECONDS):
            await changed.wait()
    except TimeoutError:
        return


def _subscribe(live: Live, principal: Principal, job_id: str | None, after: int | None) -> Subscription:
    with live.database.read() as session:
        pruned = _pruned(session, principal, job_id)
        last = repository.last_id(session)
        start = after if after is not None else (0 if job_id else last)
        # Beyond the end: the database is not the one the reader knew.
        must_reset = after is not None and (after < pruned or after > last)
        return Subscription(
            live=live,
            project_id=principal.project_id,
            job_id=job_id,
            after=last if must_reset else start,
            must_reset=must_reset,
        )


def _pruned(session: Session, principal: Principal, job_id: str | None) -> int:
    if job_id is not None:
        return jobs.require(session, principal, job_id).pruned_event_id
    return session.get_one(Project, principal.project_id).pruned_event_id


def _read(subscription: Subscription, after: int) -> list[EventRow]:
    with subscription.live.database.read() as session:
        if subscription.job_id is not None:
            return repository.after_of_job(session, subscription.job_id, after, _READ_AT_ONCE)
        return repository.after_of_project(session, subscription.project_id, after, _READ_AT_ONCE)


def _data(row: EventRow) -> str:
    """A StoredEvent as JSON, around the payload as it was stored."""
    head = StoredHead(
        event_id=row.event_id,
        job_id=row.job_id,
        attempt_id=row.attempt_id,
        time=row.time,
    ).model_dump_json()
    return f'{head[:-1]},"event":{row.payload}}}'
