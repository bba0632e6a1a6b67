"""The model registry."""

from fastapi import APIRouter, Response

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


@router.post("", status_code=201, responses={200: {"model": ModelRead, "description": "It was registered already."}})
def register_model(
    principal: Contributor, body: ModelRequest, runtime: Current, session: WriteSession, now: Now, response: Response
) -> ModelRead:
    """Give a folder or a Hugging Face repository a name. A folder's weights are looked into, never loaded."""
    model, is_new = service.register(session, runtime.settings.model_roots, principal, body, now=now)
    if not is_new:
        response.status_code = 200
    return model


@router.get("/{model_id}")
def read_model(model_id: str, principal: Reader, session: ReadSession) -> ModelRead:
    return service.read(session, principal, model_id)
