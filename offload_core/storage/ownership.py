"""Who owns a directory: a lock that dies with its owner, and a note of who that is."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from pathlib import Path
from uuid import uuid4

from offload_core.errors import RunDirectoryError

_LOCK_NAME = "engine.lock"
_SCRATCH_PREFIX = "spillway-scratch-"


class OwnedDirectory:
    """A directory held by this process until `release()`. The kernel drops the lock if the process dies."""

    def __init__(self, path: Path) -> None:
        """Create the directory if need be and own it.

        Raises RunDirectoryError (`run_dir_owned`) naming the living owner, or (`run_dir_unusable`).
        """
        self.path = path
        try:
            self._descriptor = _open_lock(path)
        except OSError as error:
            raise RunDirectoryError(
                "run_dir_unusable",
                f"{path} cannot be created or written: {os.strerror(error.errno or 0)}.",
                next_step="Give a directory this user may write to.",
                path=path,
            ) from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            owner = _read_owner(self._descriptor)
            os.close(self._descriptor)
            raise RunDirectoryError(
                "run_dir_owned",
                f"{path} belongs to a living run ({owner}).",
                next_step="Wait for it to end, or give this run a directory of its own.",
                path=path,
            ) from error
        if os.fstat(self._descriptor).st_nlink == 0:
            # Reclaimed between open and lock: what is locked is no longer in the directory.
            os.close(self._descriptor)
            self._descriptor = _open_lock(path)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, json.dumps(_identity()).encode(), 0)
        self._is_held = True

    def release(self, *, remove: bool = False) -> None:
        """Give the directory up, and delete it if asked. Safe to call twice."""
        if not self._is_held:
            return
        self._is_held = False
        # Removed while the lock is still held: nobody can come to own a directory that is about to vanish.
        if remove:
            shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._descriptor)

    def abandon_in_child(self) -> None:
        """Close a forked child's copy of the descriptor: it would keep the parent's lock after the parent's death."""
        if self._is_held:
            self._is_held = False
            os.close(self._descriptor)


def _open_lock(path: Path) -> int:
    path.mkdir(parents=True, exist_ok=True)
    return os.open(path / _LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def own_scratch(parent: Path) -> OwnedDirectory:
    """Reclaim what dead runs left in `parent`, and own a new scratch directory there."""
    parent.mkdir(parents=True, exist_ok=True)
    reclaim_scratch(parent)
    return OwnedDirectory(parent / f"{_SCRATCH_PREFIX}{uuid4().hex}")


def list_scratch(parent: Path) -> list[Path]:
    """Return every scratch directory in `parent`, whether its owner lives or not."""
    return sorted(path for path in parent.glob(f"{_SCRATCH_PREFIX}*") if path.is_dir())


def reclaim_scratch(parent: Path) -> list[Path]:
    """Delete the scratch directories in `parent` whose owners are dead; return them."""
    reclaimed = []
    for path in list_scratch(parent):
        # No lock file: its owner is between mkdir and lock, or another process is removing it.
        if not (path / _LOCK_NAME).exists():
            continue
        try:
            OwnedDirectory(path).release(remove=True)
        except RunDirectoryError:
            continue
        reclaimed.append(path)
    return reclaimed


def _identity() -> dict[str, str | int]:
    start_time, boot_id = "", ""
    try:
        # After the command's closing parenthesis; field 22 of the whole line.
        start_time = Path("/proc/self/stat").read_text(encoding="ascii").rpartition(")")[2].split()[19]
        boot_id = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        pass
    return {"pid": os.getpid(), "start_time": start_time, "boot_id": boot_id}


def _read_owner(descriptor: int) -> str:
    try:
        owner = json.loads(os.pread(descriptor, 4096, 0))
        return f"process {owner['pid']}"
    except (ValueError, KeyError, TypeError):
        return "process unknown"
