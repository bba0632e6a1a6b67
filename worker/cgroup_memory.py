"""Memory limit, use and kills of the cgroup we live in; versions 1 and 2."""

from dataclasses import dataclass
from pathlib import Path

_UNLIMITED_BYTES = 2**60
"""Version 1 writes "no limit" as a huge number."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CgroupMemory:
    limit_bytes: int | None = None
    available_bytes: int | None = None
    """Up to the limit, counting what the kernel can drop; None: no limit."""
    oom_kills: int = 0


def read_cgroup_memory(root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")) -> CgroupMemory:
    """The tightest limit on the way up to the root; an empty answer where there is no such thing."""
    readings = [_read_folder(folder) for folder in _folders(root, own)]
    limited = [reading for reading in readings if reading.limit_bytes is not None]
    tightest = min(limited, key=lambda reading: reading.limit_bytes or 0, default=CgroupMemory())
    return CgroupMemory(
        limit_bytes=tightest.limit_bytes,
        available_bytes=tightest.available_bytes,
        oom_kills=max((reading.oom_kills for reading in readings), default=0),
    )


def _folders(root: Path, own: Path) -> list[Path]:
    """The group's folder and those above it that exist (inside a container the path may start above our root)."""
    if not own.exists():
        return []
    for line in own.read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            base = root / "memory"
        elif not controllers and (root / "cgroup.controllers").exists():
            base = root
        else:
            continue
        start = base / path.lstrip("/")
        return [folder for folder in (start, *start.parents) if folder.is_relative_to(base) and folder.is_dir()]
    return []


def _read_folder(folder: Path) -> CgroupMemory:
    is_v1 = (folder / "memory.limit_in_bytes").exists()
    limit = _number(folder / ("memory.limit_in_bytes" if is_v1 else "memory.max"))
    used = _number(folder / ("memory.usage_in_bytes" if is_v1 else "memory.current"))
    droppable = _table(folder / "memory.stat").get("inactive_file", 0)
    kills = _table(folder / ("memory.oom_control" if is_v1 else "memory.events")).get("oom_kill", 0)
    if limit is None or used is None or limit >= _UNLIMITED_BYTES:
        return CgroupMemory(oom_kills=kills)
    return CgroupMemory(limit_bytes=limit, available_bytes=max(0, limit - used + droppable), oom_kills=kills)


def _number(file: Path) -> int | None:
    text = file.read_text().strip() if file.exists() else "max"
    return None if text == "max" else int(text)


def _table(file: Path) -> dict[str, int]:
    if not file.exists():
        return {}
    pairs = (line.split() for line in file.read_text().splitlines())
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}
