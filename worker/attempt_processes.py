"""The living side of an attempt: its shim, the tree below, and how it is brought to an end. Never uses the network."""

import collections
import signal
import threading
import time

import structlog

from contracts.attempts import AttemptStarted
from contracts.spool import StopReason
from worker.attempt_folder import AttemptFolder
from worker.explain_exit import RamEvidence
from worker.host_ram import HostRam, read_host_ram, read_oom_kills
from worker.process_tree import is_alive, marked_pids, send_signal, signal_pids
from worker.stop_ladder import StopLadder, StopRung

_LONG_KILL_SECONDS = 10.0
_KILL_ROUND_SECONDS = 0.1


class AttemptProcesses:
    """Of a started attempt. One thread only."""

    def __init__(self, folder: AttemptFolder, attempt_id: str, started: AttemptStarted, ladder: StopLadder) -> None:
        self._folder = folder
        self._attempt_id = attempt_id
        self._shim = started.shim
        self._ladder = ladder
        self._asked_at: float | None = None
        self._rung = StopRung.ASK
        # More than one look: by the time an end is noticed the memory is free again.
        self._looks: collections.deque[HostRam] = collections.deque(maxlen=3)
        self._log = structlog.stdlib.get_logger(__name__, attempt_id=attempt_id)

    @property
    def is_alive(self) -> bool:
        return is_alive(self._shim)

    def look_at_ram(self) -> None:
        self._looks.append(read_host_ram())

    def ram_evidence(self) -> RamEvidence:
        looks = self._looks or [read_host_ram()]
        before, now = self._folder.oom_kills_before(), read_oom_kills()
        return RamEvidence(
            total_bytes=looks[-1].total_bytes,
            last_available_bytes=min(look.available_bytes for look in looks),
            oom_kills=now.since(before) if before is not None else 0,
        )

    def press(self, reason: StopReason, *, is_hurried: bool) -> None:
        """Ask, and at each later call as much harder as the time since then allows."""
        now = time.monotonic()
        if self._asked_at is None:
            self._asked_at = now
            self._log.info("asking the run to stop at its next step", reason=str(reason))
        self._folder.ask_stop(reason)
        rung = self._ladder.rung(now - self._asked_at, is_hurried=is_hurried)
        if rung > self._rung:
            self._rung = rung
            self._log.warning("the run did not stop in time", now=rung.name.lower())
            if rung is StopRung.TERM_SHIM:
                send_signal(self._shim, signal.SIGTERM)
        # Each time: a tree that is being killed may still fork.
        if rung is StopRung.KILL_TREE:
            signal_pids(marked_pids(self._attempt_id) - {self._shim.pid}, signal.SIGKILL)
        elif rung is StopRung.KILL_ALL:
            signal_pids(marked_pids(self._attempt_id), signal.SIGKILL)

    def end_now(self, changed: threading.Event) -> None:
        """TERM the shim at once and wait until nothing lives."""
        send_signal(self._shim, signal.SIGTERM)
        deadline = time.monotonic() + self._ladder.kill_grace_seconds + _LONG_KILL_SECONDS
        while self.is_alive and time.monotonic() < deadline:
            changed.wait(_KILL_ROUND_SECONDS)
            changed.clear()
        clear_stragglers(self._attempt_id)


def clear_stragglers(attempt_id: str) -> int:
    """KILL what carries the attempt's mark until none is left; how many there were.

    Blocks while one sits in an uninterruptible wait: its device is not free before that.
    """
    seen: set[int] = set()
    began = time.monotonic()
    is_told = False
    while pids := marked_pids(attempt_id):
        seen |= pids
        signal_pids(pids, signal.SIGKILL)
        if time.monotonic() - began > _LONG_KILL_SECONDS and not is_told:
            is_told = True
            structlog.stdlib.get_logger(__name__).error(
                "processes do not die; waiting for them", attempt_id=attempt_id, pids=sorted(pids)
            )  # fmt: skip
        time.sleep(_KILL_ROUND_SECONDS)
    return len(seen)
