"""Datasets on this box, each under the hash of its bytes."""

import errno
import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from contracts.attempts import DatasetBlob
from contracts.reasons import Reason
from worker.control_plane import ControlPlane
from worker.errors import StartError


def fetch_dataset(api: ControlPlane, blob: DatasetBlob, cache: Path, check: Callable[[], None]) -> Path:
    """The file, fetched unless it is here; blocks for the transfer.

    `check` is called between blocks and may raise to give up. Raises StartError when the bytes are not those of the
    hash or the disk is full, and what `ControlPlane` raises.
    """
    file = cache / blob.sha256
    if file.exists() and file.stat().st_size == blob.num_bytes:
        return file
    handle, name = tempfile.mkstemp(prefix=f".{blob.sha256[:12]}.", dir=cache)
    aside = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            digest = hashlib.sha256()
            with api.dataset(blob.sha256) as blocks:
                for block in blocks:
                    check()
                    digest.update(block)
                    out.write(block)
            out.flush()
            os.fsync(out.fileno())
        if digest.hexdigest() != blob.sha256:
            message = f"The dataset {blob.name} arrived with sha256 {digest.hexdigest()} instead of {blob.sha256}."
            raise StartError(Reason.INTERNAL, message, "Upload the dataset again.")
        aside.replace(file)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        message = f"No room for the dataset {blob.name} ({blob.num_bytes} bytes) in {cache}."
        raise StartError(Reason.DISK_FULL, message) from error
    finally:
        aside.unlink(missing_ok=True)
    return file
