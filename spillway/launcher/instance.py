"""One Spillway a data folder."""

import fcntl
import os
import signal
import time
from types import TracebackType
from typing import Self

from spillway.errors import BadInputError, SpillwayError
from spillway.launcher.process_identity import ChildRecord, is_alive
from spillway.locations import DataDir, ServerRecord, read_server_record

_LEFTOVER_GRACE_SECONDS = 10.0


class AlreadyRunningError(SpillwayError):
    def __init__(self, data_dir: DataDir, record: ServerRecord | None) -> None:
        where = f" at {record.url} (pid {record.pid})" if record else ""
        super().__init__(
            f"Spillway already runs on {data_dir.root}{where}.",
            hint="Use it, stop it with Ctrl-C where it runs, or give another folder by --data-dir.",
        )
        self.record = record


class InstanceLock:
    """Held while the launcher lives; the kernel lets go of it however the launcher dies.

    Raises AlreadyRunningError when another holds it, BadInputError when the folder cannot be used.
    """

    def __init__(self, data_dir: DataDir) -> None:
        self._data_dir = data_dir
        self._fd = -1

    def __enter__(self) -> Self:
        root = self._data_dir.root
        try:
            root.mkdir(parents=True, exist_ok=True, mode=0o700)
            # Python's descriptors are not inherited, so no child can keep the lock after us.
            self._fd = os.open(self._data_dir.lock_file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise BadInputError(
                f"The data folder {root} cannot be used: {error.strerror}.",
                hint="Give a folder that you may write to by --data-dir or SPILLWAY_DATA_DIR.",
            ) from error
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._fd)
            raise AlreadyRunningError(self._data_dir, read_server_record(self._data_dir)) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._data_dir.server_file.unlink(missing_ok=True)
        os.close(self._fd)


def end_leftovers(data_dir: DataDir) -> list[ChildRecord]:
    """End what a killed launcher left behind; call it with the lock held. Returns what had to be ended.

    The kernel signals them at the launcher's death, so this mostly waits. Blocks up to 10 s, then kills.
    """
    record = read_server_record(data_dir)
    left = [child for child in record.children if is_alive(child)] if record else []
    deadline = time.monotonic() + _LEFTOVER_GRACE_SECONDS
    alive = left
    while alive and time.monotonic() < deadline:
        time.sleep(0.1)
        alive = [child for child in alive if is_alive(child)]
    for child in alive:
        os.kill(child.pid, signal.SIGKILL)
    return left


def write_server_record(data_dir: DataDir, record: ServerRecord) -> None:
    """Written aside and renamed: a reader sees all of it or the one before."""
    part = data_dir.server_file.with_name(".server.json.part")
    part.touch(mode=0o600)
    part.write_text(record.model_dump_json(), encoding="utf-8")
    part.replace(data_dir.server_file)
