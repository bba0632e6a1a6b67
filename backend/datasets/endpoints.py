"""Datasets: upload, list, look into."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from backend.datasets import service
from backend.datasets.received import ReceivedDataset
from backend.datasets.schemas import DatasetPreview, DatasetRead
from backend.datasets.upload import receive_dataset
from backend.dependencies import Contributor, Current, Now, Reader, ReadSession, WriteSession
from backend.schemas import DEFAULT_LIMIT, Cursor, Limit, Page

router = APIRouter(prefix="/datasets", tags=["datasets"])
_RAW_BODY = {
    "requestBody": {
        "required": True,
        "description": 'JSONL: one `{"instruction", "input", "output"}` object a line; `input` may be left out.',
        "content": {
            "application/x-ndjson": {"schema": {"type": "string", "format": "binary"}},
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


@router.get("")
def list_datasets(
    principal: Reader, session: ReadSession, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[DatasetRead]:
    """Dataset versions, newest first."""
    return service.list_datasets(session, principal, limit=limit, cursor=cursor)


@router.post(
    "",
    status_code=201,
    openapi_extra=_RAW_BODY,
    responses={200: {"model": DatasetRead, "description": "The same content was uploaded before; this is it."}},
)
def upload_dataset(
    principal: Contributor,
    name: Annotated[str, Query(min_length=1, max_length=200, description="A label; jobs may name it.")],
    # Comes before the session on purpose: nobody's write waits for an upload.
    received: Annotated[ReceivedDataset, Depends(receive_dataset)],
    runtime: Current,
    session: WriteSession,
    now: Now,
    response: Response,
) -> DatasetRead:
    """Upload instruction rows. Every line is checked first; with one bad line nothing is kept."""
    dataset, is_new = service.store(session, runtime.blobs, principal, name, received, now=now)
    if not is_new:
        response.status_code = 200
    return dataset


@router.get("/{dataset_id}")
def read_dataset(dataset_id: str, principal: Reader, session: ReadSession) -> DatasetRead:
    return service.read(session, principal, dataset_id)


@router.get("/{dataset_id}/preview")
def preview_dataset(
    dataset_id: str,
    principal: Reader,
    runtime: Current,
    session: ReadSession,
    rows: Annotated[int, Query(ge=1, le=100)] = 5,
) -> DatasetPreview:
    """The first rows."""
    return service.preview(session, runtime.blobs, principal, dataset_id, rows=rows)
