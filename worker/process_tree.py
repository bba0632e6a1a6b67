"""Which processes belong to an attempt, and signals that cannot hit a stranger whose pid was used again."""

import os
import signal
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from contracts.attempts import ProcessIdentity

ATTEMPT_VARIABLE = "SPILLWAY_ATTEMPT_ID"
"""In the environment of every process of an attempt; how they are found when all else is lost."""

_PROC = Path("/proc")


class ProcessStat(NamedTuple):
    state: str
    parent_pid: int
    start_ticks: int

    @property
    def is_running(self) -> bool:
        """False for a zombie: it holds nothing but its exit status."""
        return self.state not in "ZX"


@cache
def boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def read_stat(pid: int) -> ProcessStat | None:
    """None when there is no such process."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name in parentheses may itself hold spaces and parentheses.
    fields = text[text.rindex(")") + 2 :].split()
    return ProcessStat(state=fields[0], parent_pid=int(fields[1]), start_ticks=int(fields[19]))


def identify(pid: int) -> ProcessIdentity:
    """Raises ProcessLookupError when there is no such process."""
    stat = read_stat(pid)
    if stat is None:
        raise ProcessLookupError(pid)
    return ProcessIdentity(pid=pid, start_ticks=stat.start_ticks, boot_id=boot_id())


def is_alive(identity: ProcessIdentity) -> bool:
    stat = read_stat(identity.pid) if identity.boot_id == boot_id() else None
    return stat is not None and stat.is_running and stat.start_ticks == identity.start_ticks


def send_signal(identity: ProcessIdentity, number: signal.Signals) -> bool:
    """False when the process is gone."""
    try:
        handle = os.pidfd_open(identity.pid)
    except ProcessLookupError:
        return False
    try:
        # Checked after the handle is held: from here on the pid cannot change its owner.
        if not is_alive(identity):
            return False
        signal.pidfd_send_signal(handle, number)
    except ProcessLookupError:
        return False
    finally:
        os.close(handle)
    return True


def marked_pids(attempt_id: str) -> set[int]:
    """Every running process started under this attempt, wherever it moved in the tree of processes."""
    marker = f"{ATTEMPT_VARIABLE}={attempt_id}".encode()
    return {pid for pid, stat in _all_stats() if stat.is_running and marker in _environment(pid)}


def descendant_pids(ancestor_pid: int) -> set[int]:
    """Running processes below `ancestor_pid`, without itself."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    running = set()
    for pid, stat in _all_stats():
        children[stat.parent_pid].append(pid)
        if stat.is_running:
            running.add(pid)
    found: set[int] = set()
    unseen = [ancestor_pid]
    while unseen:
        below = children[unseen.pop()]
        found.update(below)
        unseen += below
    return found & running


def signal_pids(pids: set[int], number: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def _all_stats() -> Iterator[tuple[int, ProcessStat]]:
    for entry in os.listdir(_PROC):  # noqa: PTH208 - a Path for each of hundreds of entries costs more than the read
        if entry.isdigit() and (stat := read_stat(int(entry))) is not None:
            yield int(entry), stat


def _environment(pid: int) -> list[bytes]:
    try:
        return (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        # Gone, or another user's: not one of ours either way.
        return []
