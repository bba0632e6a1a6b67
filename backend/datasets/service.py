"""Datasets: kept by content, named by people."""

from datetime import datetime
from itertools import islice

from sqlalchemy.orm import Session

from backend.authorization import Principal
from backend.blobs.store import BlobStore
from backend.datasets import repository
from backend.datasets.received import ReceivedDataset
from backend.datasets.schemas import DatasetPreview, DatasetRead
from backend.db.identifiers import new_id
from backend.db.models import Dataset
from backend.errors import NotFoundError
from backend.schemas import Page
from contracts.dataset import InstructionRow, check_lines

_NAMES_IN_HINT = 20


def list_datasets(session: Session, principal: Principal, *, limit: int, cursor: str | None) -> Page[DatasetRead]:
    rows = repository.page(session, principal.project_id, cursor, limit + 1)
    items = [_read(row) for row in rows[:limit]]
    return Page(items=items, next_cursor=items[-1].dataset_id if len(rows) > limit else None)


def read(session: Session, principal: Principal, dataset_id: str) -> DatasetRead:
    return _read(_require(session, principal, dataset_id))


def preview(session: Session, blobs: BlobStore, principal: Principal, dataset_id: str, *, rows: int) -> DatasetPreview:
    row = _require(session, principal, dataset_id)
    with blobs.path(row.sha256).open("rb") as lines:
        checked = (outcome for outcome in check_lines(lines) if isinstance(outcome, InstructionRow))
        return DatasetPreview(rows=list(islice(checked, rows)))


def store(
    session: Session, blobs: BlobStore, principal: Principal, name: str, received: ReceivedDataset, *, now: datetime
) -> tuple[DatasetRead, bool]:
    """The dataset, and whether its content is new to the project."""
    known = repository.by_content(session, principal.project_id, received.sha256)
    if known is not None:
        return _read(known), False
    row = Dataset(
        dataset_id=new_id("ds"),
        project_id=principal.project_id,
        name=name,
        sha256=received.sha256,
        num_bytes=received.num_bytes,
        num_rows=received.num_rows,
        created_at=now,
        created_by=principal.name,
    )
    session.add(row)
    session.flush()
    # Before the commit: a row whose blob is missing would be worse than a blob nobody knows.
    received.keep(blobs)
    return _read(row), True


def find(session: Session, project_id: str, id_or_name: str) -> Dataset | None:
    return repository.find(session, project_id, id_or_name)


def require_blob(session: Session, sha256: str) -> None:
    """Raise NotFoundError unless some dataset has this content: the box may read datasets, not every blob."""
    if not repository.any_with_content(session, sha256):
        raise NotFoundError(what="dataset with sha256", identifier=sha256)


def what_there_is(session: Session, project_id: str) -> str:
    """For a hint: the names one may use."""
    names = repository.names(session, project_id, _NAMES_IN_HINT)
    return f"Uploaded: {', '.join(names)}." if names else "No dataset is uploaded yet; POST /api/v1/datasets first."


def _require(session: Session, principal: Principal, dataset_id: str) -> Dataset:
    row = repository.find(session, principal.project_id, dataset_id)
    if row is None:
        raise NotFoundError(what="dataset", identifier=dataset_id)
    return row


def _read(row: Dataset) -> DatasetRead:
    return DatasetRead(
        dataset_id=row.dataset_id,
        project_id=row.project_id,
        name=row.name,
        sha256=row.sha256,
        num_bytes=row.num_bytes,
        num_rows=row.num_rows,
        created_at=row.created_at,
        created_by=row.created_by,
    )
