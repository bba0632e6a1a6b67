"""Which process a pid is: pids are reused, a pid with its start is not."""

import os
from pathlib import Path

from pydantic import BaseModel


class ChildRecord(BaseModel):
    """A process of the launcher, told apart from a later one with the same pid by its start."""

    name: str
    pid: int
    start_ticks: int


def start_ticks(pid: int) -> int:
    """When the process started, in clock ticks since boot; 0 where the system does not say (no /proc)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    # The command name may hold spaces and brackets; fields are counted from after it.
    return int(stat.rpartition(b")")[2].split()[19])


def is_alive(record: ChildRecord) -> bool:
    """Whether this very process still runs; one that is only waiting to be reaped does not."""
    try:
        os.kill(record.pid, 0)
    except (ProcessLookupError, PermissionError):
        return False
    if not Path("/proc/self/stat").exists():
        return True
    return start_ticks(record.pid) == record.start_ticks and not _is_zombie(record.pid)


def _is_zombie(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return stat.rpartition(b")")[2].split()[0] in {b"Z", b"X"}
