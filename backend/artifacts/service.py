"""The files a job left behind: a list of names over blobs."""

from sqlalchemy.orm import Session

from backend.artifacts import repository
from backend.artifacts.schemas import ArtifactList, ArtifactRead
from backend.blobs.store import BlobStore
from backend.db.models import ArtifactRow
from backend.errors import AppError, NotFoundError
from contracts.attempts import ArtifactManifest
from contracts.problem import ProblemItem


class FilesMissingError(AppError):
    def __init__(self, names: list[str]) -> None:
        super().__init__(
            status=409,
            code="files_missing",
            title="Files of the artifact are not stored",
            detail=f"{len(names)} files are missing: {', '.join(names[:10])}",
            hint="PUT .../files/SHA256 each of them, then send the list again.",
            errors=[
                ProblemItem(pointer=name, code="file_missing", message=f"{name} is not stored.") for name in names[:50]
            ],
        )


def list_files(session: Session, attempt_id: str | None) -> ArtifactList:
    if attempt_id is None:
        return ArtifactList(items=[], complete=False)
    rows = repository.files(session, attempt_id)
    return ArtifactList(
        items=[ArtifactRead(name=row.name, num_bytes=row.num_bytes, sha256=row.sha256) for row in rows],
        complete=repository.is_complete(session, attempt_id),
    )


def find_file(session: Session, attempt_id: str | None, name: str) -> ArtifactRead:
    row = repository.file(session, attempt_id, name) if attempt_id is not None else None
    if row is None:
        raise NotFoundError(what="artifact file", identifier=name)
    return ArtifactRead(name=row.name, num_bytes=row.num_bytes, sha256=row.sha256)


def store_manifest(session: Session, blobs: BlobStore, attempt_id: str, manifest: ArtifactManifest) -> None:
    """Repeatable. Raises FilesMissingError, and then keeps nothing."""
    missing = [file.name for file in manifest.files if not blobs.holds(file.sha256, file.num_bytes)]
    if missing:
        raise FilesMissingError(missing)
    repository.remove_all(session, attempt_id)
    session.add_all(
        ArtifactRow(attempt_id=attempt_id, name=file.name, num_bytes=file.num_bytes, sha256=file.sha256)
        for file in manifest.files
    )
