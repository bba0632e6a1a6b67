"""Files by the hash of their content. A file is there whole or not at all."""

import hashlib
import os
import re
import secrets
from pathlib import Path

from backend.folder import DataFolder

_SHA256 = re.compile(r"[0-9a-f]{64}")


class Part:
    """A file on its way in: written and hashed piece by piece, then kept under its hash or discarded."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("xb")
        self._hash = hashlib.sha256()
        self.num_bytes = 0

    def write(self, data: bytes) -> None:
        """Blocks for the disk."""
        self._file.write(data)
        self._hash.update(data)
        self.num_bytes += len(data)

    def seal(self) -> str:
        """Bring it to the disk; the hash of what was written."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        return self._hash.hexdigest()

    def keep_as(self, path: Path) -> None:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        self._path.replace(path)

    def discard(self) -> None:
        """Remove it, unless it was kept."""
        self._file.close()
        self._path.unlink(missing_ok=True)


class BlobStore:
    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder

    def path(self, sha256: str) -> Path:
        """Where it lies, or would. `sha256` was checked to be one; ValueError is our own mistake."""
        if not _SHA256.fullmatch(sha256):
            msg = f"not a sha256: {sha256!r}"
            raise ValueError(msg)
        return self._folder.blobs / sha256[:2] / sha256

    def has(self, sha256: str) -> bool:
        return self.path(sha256).exists()

    def holds(self, sha256: str, num_bytes: int) -> bool:
        """Whether it is there with this size."""
        return self.has(sha256) and self.path(sha256).stat().st_size == num_bytes

    def new_part(self) -> Part:
        return Part(self._folder.parts / secrets.token_hex(16))

    def keep(self, part: Part, sha256: str) -> None:
        """Move a sealed part to its place; one that is there already stays."""
        if not self.has(sha256):
            part.keep_as(self.path(sha256))
