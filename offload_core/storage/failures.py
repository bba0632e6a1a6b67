"""From the system's error numbers to errors that a person can act on."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import NoReturn

from offload_core.errors import DiskFullError, TransferError


def disk_full(path: Path, needed_bytes: int, free_bytes: int) -> DiskFullError:
    """Return the error for bytes that a filesystem has no room for."""
    return DiskFullError(
        "disk_full",
        f"{path} needs {needed_bytes} bytes, its filesystem has {free_bytes} free.",
        next_step="Free that space, or give the placement another nvme path or a larger host_bytes.",
        path=path,
        num_bytes=needed_bytes,
    )


def raise_typed(error: OSError, path: Path, num_bytes: int, action: str) -> NoReturn:
    """Raise DiskFullError or TransferError for what the system said about `num_bytes` of a file."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        raise disk_full(path, num_bytes, shutil.disk_usage(path.parent).free) from error
    raise TransferError(
        f"{action}_failed",
        f"Could not {action} {num_bytes} bytes of {path}: {os.strerror(error.errno or 0)}.",
        next_step="Check the drive and its kernel log; the state in this file cannot be trusted.",
        path=path,
        num_bytes=num_bytes,
    ) from error
