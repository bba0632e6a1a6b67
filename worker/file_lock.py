"""A file that one process holds for as long as it lives, however it ends."""

import fcntl
import os
from pathlib import Path


def try_lock(path: Path) -> int | None:
    """The locked file, to be kept open; None when another process holds it. Our pid is written into it."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    os.ftruncate(file, 0)
    os.write(file, f"{os.getpid()}\n".encode())
    return file
