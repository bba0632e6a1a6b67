"""Internal routes: what the agent of a box asks and reports. All repeatable; a stale fence gets 409."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from fastapi.responses import FileResponse

from backend.artifacts import service as artifacts
from backend.attempts import ending, service
from backend.blobs.upload import ReceivedBlob, Sha256, receive_blob
from backend.boxes import service as boxes
from backend.datasets import service as datasets
from backend.dependencies import Agent, Current, Now, ReadSession, WriteSession
from backend.errors import NotFoundError
from backend.logs import append
from backend.logs.schemas import LogStored
from backend.schemas import MAX_INTEGER, Step
from backend.spans import service as spans
from contracts.attempts import (
    ArtifactManifest,
    AttemptFinished,
    AttemptStarted,
    BoxRegistered,
    BoxState,
    Claim,
    EventBatch,
    EventsStored,
    Heartbeat,
    HeartbeatAnswer,
)
from contracts.events import StepSpans

router = APIRouter(tags=["internal"])
FenceQuery = Annotated[int, Query(ge=1, le=MAX_INTEGER)]
_RAW_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.put("/box")
def register_box(agent: Agent, state: BoxState, session: WriteSession, now: Now) -> BoxRegistered:
    """Say what the box is and has. The same name is the same box."""
    return boxes.register(session, state, now=now)


@router.post("/claims", response_model=Claim, responses={204: {"description": "Nothing to do."}})
def claim_attempt(agent: Agent, state: BoxState, session: WriteSession, now: Now) -> Claim | Response:
    """The attempt granted to this box, if any; the same one again until it was reported as started."""
    registered = boxes.register(session, state, now=now)
    claim = service.claim(session, registered.box_id, now=now)
    return claim if claim is not None else Response(status_code=204)


@router.get("/datasets/{sha256}", response_class=FileResponse)
def fetch_dataset(agent: Agent, sha256: Sha256, runtime: Current, session: ReadSession) -> FileResponse:
    datasets.require_blob(session, sha256)
    return FileResponse(runtime.blobs.path(sha256), media_type="application/x-ndjson")


@router.post("/attempts/{attempt_id}/started", status_code=204)
def report_started(agent: Agent, attempt_id: str, body: AttemptStarted, session: WriteSession, now: Now) -> None:
    """Its process runs."""
    service.started(session, attempt_id, body, now=now)


@router.post("/attempts/{attempt_id}/heartbeat")
def report_heartbeat(
    agent: Agent,
    attempt_id: str,
    body: Heartbeat,
    runtime: Current,
    session: WriteSession,
    now: Now,
) -> HeartbeatAnswer:
    """Renew the lease; learn whether to stop and which lanes to send."""
    cancel_requested = service.heartbeat(session, attempt_id, body.fence, now=now)
    wanted = runtime.wanted_spans.of(attempt_id, now=now)
    return HeartbeatAnswer(cancel_requested=cancel_requested, wanted_spans=wanted)


@router.post("/attempts/{attempt_id}/events")
def report_events(
    agent: Agent,
    attempt_id: str,
    body: EventBatch,
    session: WriteSession,
    now: Now,
) -> EventsStored:
    """Store events, each `(attempt, seq)` once, and fold them. 409 `event_gap` names the last one stored."""
    return service.store_events(session, attempt_id, body, now=now)


@router.put("/attempts/{attempt_id}/log", openapi_extra=_RAW_BODY)
def append_log(
    agent: Agent,
    attempt_id: str,
    offset: Annotated[int, Query(ge=0, le=MAX_INTEGER)],
    fence: FenceQuery,
    piece: Annotated[bytes, Depends(append.receive_piece)],
    runtime: Current,
    session: WriteSession,
) -> LogStored:
    """Append output that begins at `offset`; what is stored already is passed over."""
    service.require_current(session, attempt_id, fence)
    return LogStored(size=append.append(runtime.folder.log_file(attempt_id), offset, piece))


@router.put("/attempts/{attempt_id}/spans/{step}", status_code=204)
def store_spans(
    agent: Agent,
    attempt_id: str,
    step: Step,
    fence: FenceQuery,
    body: StepSpans,
    runtime: Current,
    session: WriteSession,
) -> None:
    service.require_current(session, attempt_id, fence)
    spans.store(runtime.folder, runtime.wanted_spans, attempt_id, step, body)


@router.put("/attempts/{attempt_id}/files/{sha256}", status_code=204, openapi_extra=_RAW_BODY)
def upload_file(
    agent: Agent,
    attempt_id: str,
    fence: FenceQuery,
    received: Annotated[ReceivedBlob, Depends(receive_blob)],
    runtime: Current,
    session: WriteSession,
) -> None:
    """Store a file under its hash, which is checked. One that is there already is not read again."""
    service.require_current(session, attempt_id, fence)
    received.keep(runtime.blobs)


@router.head("/attempts/{attempt_id}/files/{sha256}")
def find_file(agent: Agent, attempt_id: str, sha256: Sha256, runtime: Current) -> Response:
    """200 when the file is stored, else 404."""
    if not runtime.blobs.has(sha256):
        raise NotFoundError(what="file", identifier=sha256)
    return Response(status_code=200)


@router.post("/attempts/{attempt_id}/artifacts", status_code=204)
def store_manifest(
    agent: Agent,
    attempt_id: str,
    body: ArtifactManifest,
    runtime: Current,
    session: WriteSession,
    now: Now,
) -> None:
    """The list of the artifact's files, each uploaded before. 409 `files_missing` names those that are not."""
    service.require_current(session, attempt_id, body.fence)
    artifacts.store_manifest(session, runtime.blobs, attempt_id, body)
    service.manifest_stored(session, attempt_id, now=now)


@router.post("/attempts/{attempt_id}/finish", status_code=204)
def report_finish(agent: Agent, attempt_id: str, body: AttemptFinished, session: WriteSession, now: Now) -> None:
    """The attempt is over and no process of it lives."""
    ending.finish(session, attempt_id, body, now=now)
