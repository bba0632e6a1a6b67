"""What the filesystem under a path is, and what direct I/O it takes."""

from __future__ import annotations

import ctypes
import os
import struct
from dataclasses import dataclass
from pathlib import Path

_PAGE_BYTES = 4096
_RAM_FILESYSTEMS = frozenset({"tmpfs", "ramfs", "devtmpfs"})
_COPY_ON_WRITE_FILESYSTEMS = frozenset({"btrfs", "zfs", "bcachefs"})

# statx(2): STATX_DIOALIGN, and where struct statx keeps its two answers.
_STATX_DIOALIGN = 0x2000
_AT_FDCWD = -100
_STATX_BYTES = 256
_DIO_OFFSET = 152


@dataclass(frozen=True, kw_only=True, slots=True)
class Filesystem:
    """Facts that decide how files are opened and what is reported of them.

    `alignment_bytes` is what direct I/O asks of offsets, lengths and addresses; `is_ram` says that the "disk" is
    memory; on a copy-on-write filesystem a reservation of space is no guarantee.
    """

    path: Path
    kind: str
    alignment_bytes: int
    is_ram: bool
    is_copy_on_write: bool


def inspect_filesystem(directory: Path) -> Filesystem:
    """Look up the filesystem under an existing directory. Reads /proc and asks the kernel; writes nothing."""
    kind = _filesystem_kind(directory)
    return Filesystem(
        path=directory,
        kind=kind,
        alignment_bytes=_PAGE_BYTES,
        is_ram=kind in _RAM_FILESYSTEMS,
        is_copy_on_write=kind in _COPY_ON_WRITE_FILESYSTEMS,
    )


def direct_alignment_bytes(file: Path) -> int | None:
    """Return what direct I/O on this file must be aligned to, or None where the kernel does not say (before 6.1)."""
    statx = getattr(ctypes.CDLL(None, use_errno=True), "statx", None)
    if statx is None:
        return None
    answer = ctypes.create_string_buffer(_STATX_BYTES)
    if statx(_AT_FDCWD, os.fsencode(file), 0, _STATX_DIOALIGN, answer) != 0:
        return None
    (mask,) = struct.unpack_from("=I", answer.raw, 0)
    memory, offset = struct.unpack_from("=II", answer.raw, _DIO_OFFSET)
    if not mask & _STATX_DIOALIGN or not offset:
        return None
    return int(max(memory, offset))


def _filesystem_kind(directory: Path) -> str:
    wanted = directory.resolve()
    best, kind = -1, "unknown"
    try:
        lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return kind
    for line in lines:
        before, _, after = line.partition(" - ")
        mount = Path(before.split()[4].encode().decode("unicode_escape"))
        # The last of equals wins: a later mount hides an earlier one.
        if (mount == wanted or mount in wanted.parents) and len(mount.parts) >= best:
            best, kind = len(mount.parts), after.split()[0]
    return kind
