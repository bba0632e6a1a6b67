"""The file interface of the store, and its real implementation with O_DIRECT."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Protocol

from offload_core.storage.filesystem import direct_alignment_bytes


class BlockFile(Protocol):
    """What the store asks of a file. Calls may move fewer bytes than asked, and raise OSError; the store copes."""

    @property
    def is_direct(self) -> bool:
        """Whether transfers bypass the page cache."""
        ...

    @property
    def alignment_bytes(self) -> int:
        """What offsets, lengths and addresses must be multiples of."""
        ...

    def reserve(self, num_bytes: int) -> None:
        """Take the space now, so that a later write cannot find the disk full."""
        ...

    def read_at(self, view: memoryview, offset: int) -> int:
        """Read into `view`; return how many bytes came. Blocks."""
        ...

    def write_at(self, view: memoryview, offset: int) -> int:
        """Write from `view`; return how many bytes went. Blocks."""
        ...

    def close(self) -> None:
        """Close the descriptor."""
        ...


class FileOpener(Protocol):
    """Opens a new, empty file for the store."""

    def __call__(self, path: Path) -> BlockFile:
        """Create the file; it must not exist."""
        ...


class DirectFile:
    """A file opened with O_DIRECT where the filesystem has it, without where it has not."""

    def __init__(self, path: Path) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        self.is_direct = True
        try:
            self._descriptor = os.open(path, flags | os.O_DIRECT, 0o600)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            # Some filesystems create the name before they refuse the flag.
            path.unlink(missing_ok=True)
            self.is_direct = False
            self._descriptor = os.open(path, flags, 0o600)
        self.alignment_bytes = (
            (direct_alignment_bytes(path) or os.fstat(self._descriptor).st_blksize) if self.is_direct else 1
        )

    def reserve(self, num_bytes: int) -> None:
        """Allocate blocks with posix_fallocate; they read as zeros until written."""
        if num_bytes:
            os.posix_fallocate(self._descriptor, 0, num_bytes)

    def read_at(self, view: memoryview, offset: int) -> int:
        """Read once into an aligned view."""
        return os.preadv(self._descriptor, [view], offset)

    def write_at(self, view: memoryview, offset: int) -> int:
        """Write once from an aligned view."""
        return os.pwritev(self._descriptor, [view], offset)

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self._descriptor)
