"""The training process and everything that came out of it, owned by the shim."""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Self

from worker.process_tree import descendant_pids, marked_pids, signal_pids

WAKING_SIGNALS = (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT)
"""Blocked in the shim and waited for: no handler, no race between a check and a sleep."""
_STOPPING_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_KILL_ROUND_SECONDS = 0.05


class TrainingTree:
    """Needs a process that is a child sub-reaper and blocks `WAKING_SIGNALS`."""

    def __init__(self, pid: int, attempt_id: str) -> None:
        self.pid = pid
        self.peak_rss_bytes = 0
        self._attempt_id = attempt_id
        self._status: int | None = None

    @classmethod
    def start(cls, module: str, attempt: Path, output: Path, environment: dict[str, str], attempt_id: str) -> Self:
        """Start the training process in a process group of its own, its output straight in the file."""
        opening = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, "-m", module, str(attempt)],
            environment,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, str(output), opening, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
            setpgroup=0,
            setsigmask=[],
            setsigdef=[signal.SIGPIPE],
        )
        return cls(pid, attempt_id)

    @property
    def exit_code(self) -> int | None:
        code = self._code()
        return code if code is not None and code >= 0 else None

    @property
    def signal(self) -> int | None:
        code = self._code()
        return -code if code is not None and code < 0 else None

    def wait(self) -> None:
        """Block until the training process has ended by itself or we were told to stop."""
        while True:
            self._reap()
            if self._status is not None or signal.sigwait(WAKING_SIGNALS) in _STOPPING_SIGNALS:
                return

    def end(self, grace_seconds: float) -> None:
        """TERM, then KILL, until no process is left and all are reaped.

        Nothing is granted to what a training process leaves behind: its work is over. Blocks while a process sits
        in an uninterruptible wait.
        """
        if self._status is None:
            signal_pids(self._members(), signal.SIGTERM)
            self._wait_until_gone(grace_seconds)
        while members := self._members():
            signal_pids(members, signal.SIGKILL)
            self._wait_until_gone(_KILL_ROUND_SECONDS)
        # A process counts as a zombie while threads of it still die with its memory; only waiting for it knows.
        self._reap(options=0)

    def _wait_until_gone(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while self._members() and (left := deadline - time.monotonic()) > 0:
            # A process that is not our child sends no SIGCHLD, hence the bound.
            woken_by = signal.sigtimedwait(WAKING_SIGNALS, min(left, 0.1))
            self._reap()
            if woken_by is not None and woken_by.si_signo in _STOPPING_SIGNALS:
                return

    def _members(self) -> set[int]:
        return (descendant_pids(os.getpid()) | marked_pids(self._attempt_id)) - {os.getpid()}

    def _reap(self, options: int = os.WNOHANG) -> None:
        while True:
            try:
                pid, status, usage = os.wait4(-1, options)
            except ChildProcessError:
                return
            if pid == 0:
                return
            self.peak_rss_bytes = max(self.peak_rss_bytes, usage.ru_maxrss * 1024)
            if pid == self.pid:
                self._status = status

    def _code(self) -> int | None:
        return None if self._status is None else os.waitstatus_to_exitcode(self._status)
