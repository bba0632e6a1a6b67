"""The model registry."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response
from fastapi.concurrency import run_in_threadpool

from backend.dependencies import Contributor, Current, Now, Reader, ReadSession, WriteSession
from backend.models import service
from backend.models.schemas import ModelRead, ModelRequest
from backend.schemas import DEFAULT_LIMIT, Cursor, Limit, Page

router = APIRouter(prefix="/models", tags=["models"])


@router.get("")
def list_models(
    principal: Reader, session: ReadSession, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[ModelRead]:
    """Models jobs may name, newest first."""
    return service.list_models(session, principal, limit=limit, cursor=cursor)


async def looked_into(principal: Contributor, body: ModelRequest, runtime: Current) -> service.Candidate:
    """Comes before the write session: a disk may be slow, and nobody's write waits for it."""
    async with runtime.read_turns:
        is_known = await run_in_threadpool(service.is_known, runtime.database, principal, body)
    if is_known:
        return service.Candidate(body, None)
    return service.Candidate(body, await run_in_threadpool(service.look_into, body, runtime.settings.model_roots))


@router.post("", status_code=201, responses={200: {"model": ModelRead, "description": "It was registered already."}})
def register_model(
    principal: Contributor,
    candidate: Annotated[service.Candidate, Depends(looked_into)],
    session: WriteSession,
    now: Now,
    response: Response,
) -> ModelRead:
    """Give a folder or a Hugging Face repository a name. A folder's weights are looked into, never loaded."""
    model, is_new = service.register(session, principal, candidate, now=now)
    if not is_new:
        response.status_code = 200
    return model


@router.get("/{model_id}")
def read_model(model_id: str, principal: Reader, session: ReadSession) -> ModelRead:
    return service.read(session, principal, model_id)
