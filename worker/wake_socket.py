"""How the Celery child, or anything of this user, pokes the agent awake: a datagram without content."""

import os
import select
import signal
import socket
from pathlib import Path
from types import TracebackType

_NAME = "agent.sock"


class WakeSocket:
    """Also woken by signals: their handlers run while `wait` returns. Main thread only."""

    def __init__(self, run_folder: Path) -> None:
        (run_folder / _NAME).unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        with _Reachable(run_folder) as address:
            self._socket.bind(address)
        self._signalled, signalling = socket.socketpair()
        for end in (self._signalled, signalling):
            end.setblocking(False)
        self._signalling = signalling
        signal.set_wakeup_fd(signalling.fileno())

    def wait(self, seconds: float) -> bool:
        """Block up to `seconds`; whether somebody poked. Many pokes count as one."""
        ready, _, _ = select.select([self._socket, self._signalled], [], [], max(0.0, seconds))
        for end in ready:
            _drain(end)
        return self._socket in ready

    def close(self) -> None:
        signal.set_wakeup_fd(-1)
        for end in (self._socket, self._signalled, self._signalling):
            end.close()


def poke_agent(run_folder: Path) -> bool:
    """False when no agent listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as out, _Reachable(run_folder) as name:
        try:
            out.sendto(b"w", name)
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        except BlockingIOError:
            # Its queue is full of pokes already.
            return True
    return True


class _Reachable:
    """The socket's address through an open folder: a path below /proc is short, whatever the data folder is called."""

    def __init__(self, run_folder: Path) -> None:
        self._folder = os.open(run_folder, os.O_RDONLY | os.O_DIRECTORY)

    def __enter__(self) -> str:
        return f"/proc/self/fd/{self._folder}/{_NAME}"

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._folder)


def _drain(end: socket.socket) -> None:
    while True:
        try:
            end.recv(4096)
        except BlockingIOError:
            return
