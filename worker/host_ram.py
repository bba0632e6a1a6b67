"""How much RAM this box has for runs, and the kernel's own record of killing for lack of it."""

from dataclasses import dataclass
from pathlib import Path

import psutil

from contracts.base import Contract
from worker.cgroup_memory import read_cgroup_memory

_VMSTAT = Path("/proc/vmstat")


@dataclass(frozen=True, kw_only=True, slots=True)
class HostRam:
    total_bytes: int
    available_bytes: int


class OomKills(Contract):
    """Counters that only grow: two readings tell whether the kernel killed something in between."""

    host: int
    cgroup: int

    def since(self, earlier: "OomKills") -> int:
        """A kill in the cgroup is counted by the host too."""
        return max(0, self.host - earlier.host, self.cgroup - earlier.cgroup)


def read_host_ram() -> HostRam:
    """Within the limit of our cgroup, where there is one."""
    memory = psutil.virtual_memory()
    cgroup = read_cgroup_memory()
    return HostRam(
        total_bytes=min(memory.total, cgroup.limit_bytes or memory.total),
        available_bytes=min(
            memory.available, memory.available if cgroup.available_bytes is None else cgroup.available_bytes
        ),
    )


def read_oom_kills() -> OomKills:
    lines = _VMSTAT.read_text().splitlines() if _VMSTAT.exists() else []
    host = next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)
    return OomKills(host=host, cgroup=read_cgroup_memory().oom_kills)
