"""Partitions on disk: extents in one file a path, reserved ahead, moved whole, checked on the way back."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from offload_core.errors import ChecksumError, StorageError, TransferError
from offload_core.planning.placement import PlacementPlan
from offload_core.storage.checksum import checksum
from offload_core.storage.failures import disk_full, raise_typed
from offload_core.storage.files import BlockFile, DirectFile, FileOpener
from offload_core.storage.filesystem import Filesystem, inspect_filesystem

# One request to the kernel; large enough for the disk, small enough that several threads share a buffer's time.
_REQUEST_BYTES = 4 << 20
_FILE_NAME = "state.bin"


@dataclass(frozen=True, kw_only=True, slots=True)
class Extent:
    """Where a partition lies. A second slot for each would be a second offset here."""

    file: int
    offset_bytes: int
    num_bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class StorePath:
    """What the store found and took on one nvme path."""

    filesystem: Filesystem
    file: Path
    file_bytes: int
    is_direct: bool


class StateStore:
    """The nvme tier's files. Several threads may move different partitions at once.

    A partition that was never written is unborn: it reads as zeros and costs no transfer.
    """

    def __init__(self, plan: PlacementPlan, directories: list[Path], open_file: FileOpener = DirectFile) -> None:
        """Create and reserve one file in each directory (one a path of the placement).

        Raises DiskFullError (`disk_full`) before training rather than in it, StorageError for anything else.
        """
        self._files: list[BlockFile] = []
        self._checksums: dict[int, int] = {}
        self.extents = lay_out(plan)
        self.paths: list[StorePath] = []
        try:
            for directory, num_bytes in zip(directories, plan.nvme_file_bytes(), strict=True):
                self._open(directory / _FILE_NAME, num_bytes, open_file)
        except BaseException:
            self.close()
            raise

    def _open(self, path: Path, num_bytes: int, open_file: FileOpener) -> None:
        filesystem = inspect_filesystem(path.parent)
        free = shutil.disk_usage(path.parent).free
        if num_bytes > free:
            raise disk_full(path, num_bytes, free)
        try:
            file = open_file(path)
            self._files.append(file)
            file.reserve(num_bytes)
        except OSError as error:
            raise_typed(error, path, num_bytes, "reserve")
        if any(extent.num_bytes % file.alignment_bytes for extent in self.extents.values()):
            raise StorageError(
                "alignment_unsupported",
                f"{path} asks for direct I/O in multiples of {file.alignment_bytes} bytes.",
                next_step="Use a filesystem whose direct I/O takes multiples of 4096 bytes.",
                path=path,
            )
        self.paths.append(StorePath(filesystem=filesystem, file=path, file_bytes=num_bytes, is_direct=file.is_direct))

    def notices(self) -> tuple[str, ...]:
        """What a person should know of the paths, one sentence each; empty where all is as it should be."""
        notices = []
        for path in self.paths:
            where, kind = path.file.parent, path.filesystem.kind
            if path.filesystem.is_ram:
                notices.append(f"{where} is {kind}: its bytes are host RAM and are reported as such.")
            elif not path.is_direct:
                notices.append(f"{where} ({kind}) has no direct I/O: transfers go through the page cache, slower.")
            if path.filesystem.is_copy_on_write:
                notices.append(f"{where} is {kind}: reserved space is no guarantee there, the disk can still fill up.")
        return tuple(notices)

    def is_born(self, partition: int) -> bool:
        """Whether the partition was ever written."""
        return partition in self._checksums

    def read(self, partition: int, buffer: memoryview) -> int:
        """Fill the buffer's first bytes with the partition; return how many bytes came from disk. Blocks.

        Raises TransferError for a failed or short read, ChecksumError where the bytes are not those written.
        """
        extent = self.extents[partition]
        view = buffer[: extent.num_bytes]
        if not self.is_born(partition):
            _fill_zeros(view)
            return 0
        file, path = self._files[extent.file], self.paths[extent.file].file
        done = 0
        while done < extent.num_bytes:
            try:
                moved = file.read_at(view[done : done + _REQUEST_BYTES], extent.offset_bytes + done)
            except OSError as error:
                raise_typed(error, path, extent.num_bytes, "read")
            if moved == 0:
                raise TransferError(
                    "read_short",
                    f"{path} ended {extent.num_bytes - done} bytes early while reading partition {partition}.",
                    next_step="Something truncated the file: start the run again and keep other programs off it.",
                    path=path,
                    num_bytes=extent.num_bytes - done,
                )
            done += moved
        if checksum(view) != self._checksums[partition]:
            raise ChecksumError(
                "checksum_mismatch",
                f"Partition {partition} ({extent.num_bytes} bytes at {extent.offset_bytes} of {path}) changed on disk.",
                next_step="The disk or another program altered it: check the drive, then resume from a checkpoint.",
                path=path,
                num_bytes=extent.num_bytes,
            )
        return extent.num_bytes

    def write(self, partition: int, buffer: memoryview) -> int:
        """Write the partition from the buffer's first bytes, whole; return its bytes on disk. Blocks.

        Raises DiskFullError or TransferError; the partition is then lost, never silently old.
        """
        extent = self.extents[partition]
        view = buffer[: extent.num_bytes]
        file, path = self._files[extent.file], self.paths[extent.file].file
        # Until the write is complete no checksum can match what is on disk.
        self._checksums[partition] = -1
        value = checksum(view)
        done = 0
        while done < extent.num_bytes:
            try:
                moved = file.write_at(view[done : done + _REQUEST_BYTES], extent.offset_bytes + done)
            except OSError as error:
                raise_typed(error, path, extent.num_bytes, "write")
            if moved == 0:
                raise disk_full(path, extent.num_bytes - done, shutil.disk_usage(path.parent).free)
            done += moved
        self._checksums[partition] = value
        return extent.num_bytes

    def close(self) -> None:
        """Close and remove the files: they are scratch. Safe to call twice."""
        while self._files:
            self._files.pop().close()
        for path in self.paths:
            path.file.unlink(missing_ok=True)


def lay_out(plan: PlacementPlan) -> dict[int, Extent]:
    """Return the extent of every nvme partition: one after another in the file of its path."""
    offsets = [0] * len(plan.placement.nvme)
    extents: dict[int, Extent] = {}
    for partition, residency in zip(plan.partitions, plan.residencies, strict=True):
        file = residency.nvme_path
        if file is not None:
            extents[partition.index] = Extent(file=file, offset_bytes=offsets[file], num_bytes=partition.extent_bytes)
            offsets[file] += partition.extent_bytes
    return extents


def _fill_zeros(view: memoryview) -> None:
    zeros = bytes(min(len(view), _REQUEST_BYTES // 4))
    for start in range(0, len(view), len(zeros) or 1):
        part = view[start : start + len(zeros)]
        part[:] = zeros[: len(part)]
