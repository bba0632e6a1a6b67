"""Stores an attempt's artifact with the API: each file by its hash, then the manifest that makes it whole."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import structlog
from pydantic import ValidationError

from contracts.attempts import ArtifactFile, ArtifactManifest, Claim
from worker.control_plane import ControlPlane

log = structlog.stdlib.get_logger(__name__)


def read_artifact(root: Path, check: Callable[[], None]) -> list[ArtifactFile]:
    """Hash every file. `check` is called between files and may raise to give up."""
    found = []
    for path in _files(root):
        check()
        name = path.relative_to(root).as_posix()
        with path.open("rb") as content:
            sha256 = hashlib.file_digest(content, "sha256").hexdigest()
        try:
            found.append(ArtifactFile(name=name, num_bytes=path.stat().st_size, sha256=sha256))
        except ValidationError:
            log.warning("a file of the artifact has a name that cannot be stored; left out", name=name)
    return found


def upload_artifact(
    api: ControlPlane, claim: Claim, root: Path, files: list[ArtifactFile], check: Callable[[], None]
) -> None:
    """Safe to repeat: what is stored already is not sent again. Raises what `ControlPlane` raises."""
    for file in files:
        check()
        if not api.has_file(claim.attempt_id, claim.fence, file.sha256):
            api.store_file(claim.attempt_id, claim.fence, file.sha256, root / file.name, check)
    api.store_manifest(claim.attempt_id, ArtifactManifest(fence=claim.fence, files=files))


def _files(root: Path) -> Iterator[Path]:
    """Regular files only: a link could lead out of the artifact."""
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path
