"""The files a job left behind."""

from fastapi import APIRouter
from fastapi.responses import FileResponse

from backend.artifacts import service
from backend.artifacts.schemas import ArtifactList
from backend.dependencies import Current, Reader, ReadSession
from backend.jobs import service as jobs

router = APIRouter(prefix="/jobs/{job_id}/artifacts", tags=["artifacts"])


@router.get("")
def list_artifacts(job_id: str, principal: Reader, session: ReadSession) -> ArtifactList:
    """Files of the newest attempt's artifact, in Hugging Face layout."""
    return service.list_files(session, jobs.newest_attempt_id(session, principal, job_id))


@router.get(
    "/{name:path}",
    response_class=FileResponse,
    responses={200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}},
)
def download_artifact(
    job_id: str, name: str, principal: Reader, runtime: Current, session: ReadSession
) -> FileResponse:
    """One file; `Range` is answered, so a broken download resumes."""
    file = service.find_file(session, jobs.newest_attempt_id(session, principal, job_id), name)
    return FileResponse(
        runtime.blobs.path(file.sha256),
        filename=name.rsplit("/", 1)[-1],
        media_type="application/octet-stream",
        headers={"ETag": f'"{file.sha256}"'},
    )
