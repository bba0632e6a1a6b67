"""What endpoints ask for: the principal, a session that the request commits, the running parts of the process."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Request
from fastapi.concurrency import contextmanager_in_threadpool, run_in_threadpool
from sqlalchemy.orm import Session

from backend.authorization import Action, Principal, authorize
from backend.errors import ForbiddenError, UnauthenticatedError
from backend.people.recognise import read_credentials, recognise
from backend.runtime import Runtime


async def current_runtime(request: Request) -> Runtime:
    runtime: Runtime = request.app.state.runtime
    return runtime


Current = Annotated[Runtime, Depends(current_runtime)]


async def current_time(runtime: Current) -> datetime:
    return runtime.clock()


Now = Annotated[datetime, Depends(current_time)]


async def write_session(runtime: Current) -> AsyncIterator[Session]:
    # Waiting for the turn here keeps the worker threads free: with all of them waiting for the writer,
    # the one who holds it could not get a thread to finish in.
    async with runtime.write_turn, contextmanager_in_threadpool(runtime.database.write()) as session:
        yield session


async def read_session(runtime: Current) -> AsyncIterator[Session]:
    async with runtime.read_turns, contextmanager_in_threadpool(runtime.database.read()) as session:
        yield session


# Function scope: the commit comes before the answer, so that nobody is told of what was not kept.
WriteSession = Annotated[Session, Depends(write_session, scope="function")]
ReadSession = Annotated[Session, Depends(read_session, scope="function")]


class Allowed:
    """The dependency that lets a request in: who is it, and may they. One instance an action."""

    def __init__(self, action: Action) -> None:
        self.action = action

    async def __call__(self, request: Request, runtime: Current) -> Principal:
        return await let_in(request, runtime, self.action)


async def let_in(request: Request, runtime: Runtime, action: Action) -> Principal:
    """Raises UnauthenticatedError, ForbiddenError."""
    credentials = read_credentials(request)
    async with runtime.read_turns:
        principal = await run_in_threadpool(recognise, runtime.gate, runtime.database, credentials, now=runtime.clock())
    authorize(principal, action, principal.project_id)
    return principal


async def may_still(request: Request, runtime: Runtime, action: Action) -> bool:
    """For answers that last: whether who asked would be let in now."""
    try:
        await let_in(request, runtime, action)
    except (UnauthenticatedError, ForbiddenError):
        return False
    return True


Reader = Annotated[Principal, Depends(Allowed(Action.READ))]
Contributor = Annotated[Principal, Depends(Allowed(Action.CONTRIBUTE))]
Person = Annotated[Principal, Depends(Allowed(Action.MANAGE_OWN_ACCESS))]
Agent = Annotated[Principal, Depends(Allowed(Action.RUN_ATTEMPTS))]
