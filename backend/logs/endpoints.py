"""An attempt's output, by byte ranges."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response

from backend.attempts import service as attempts
from backend.dependencies import Current, Reader, ReadSession
from backend.logs.ranges import answer_range

router = APIRouter(tags=["logs"])
_TEXT = {"text/plain": {"schema": {"type": "string"}}}


@router.get(
    "/jobs/{job_id}/log",
    response_class=Response,
    responses={
        200: {"content": _TEXT, "description": "All of it."},
        206: {"content": _TEXT, "description": "The asked-for range, at most 4 MiB of it; see `Content-Range`."},
        416: {"description": "Beyond the end; `Content-Range: bytes */SIZE` says where that is."},
    },
)
def read_log(
    job_id: str,
    principal: Reader,
    runtime: Current,
    session: ReadSession,
    attempt_id: Annotated[str | None, Query(max_length=40, description="Null: the newest attempt.")] = None,
    range_header: Annotated[str | None, Header(alias="Range", max_length=100)] = None,
) -> Response:
    """Standard output and error of the training process. Ask with `Range: bytes=N-` for what came after N."""
    chosen = attempts.choose(session, principal, job_id, attempt_id)
    return answer_range(runtime.folder.log_file(chosen) if chosen else None, range_header)
