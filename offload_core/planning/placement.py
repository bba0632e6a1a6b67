"""Which tier holds which partition's state, decided before anything is allocated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from offload_core.errors import PlacementError
from offload_core.planning.partitions import Partition
from offload_core.planning.sizes import format_bytes, parse_size

Tier = Literal["device", "host", "nvme"]


@dataclass(frozen=True, init=False)
class NvmePath:
    """A directory on a fast disk, and how many bytes of it the run may take (None: all that is free)."""

    path: Path
    budget_bytes: int | None

    def __init__(self, path: str | Path, budget_bytes: int | str | None = None) -> None:
        object.__setattr__(self, "path", Path(path))
        object.__setattr__(self, "budget_bytes", None if budget_bytes is None else parse_size(budget_bytes))


@dataclass(frozen=True, init=False)
class Placement:
    """Budgets for state, filled in this order: device, host, nvme. Sizes are ints or texts such as "8GiB"."""

    device_bytes: int
    host_bytes: int
    nvme: tuple[NvmePath, ...]

    def __init__(
        self,
        *,
        device_bytes: int | str = 0,
        host_bytes: int | str = 0,
        nvme: Sequence[NvmePath | str | Path] = (),
    ) -> None:
        object.__setattr__(self, "device_bytes", parse_size(device_bytes))
        object.__setattr__(self, "host_bytes", parse_size(host_bytes))
        paths = tuple(path if isinstance(path, NvmePath) else NvmePath(path) for path in nvme)
        object.__setattr__(self, "nvme", paths)


@dataclass(frozen=True, kw_only=True, slots=True)
class Residency:
    """Where one partition's state lives; `nvme_path` indexes `Placement.nvme`."""

    tier: Tier
    nvme_path: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacementPlan:
    """The whole decision: a residency for each partition, and what it costs in each tier."""

    placement: Placement
    partitions: tuple[Partition, ...]
    residencies: tuple[Residency, ...]

    def tier_bytes(self) -> dict[Tier, int]:
        """Exact bytes of state by tier, without the rounding of files."""
        total: dict[Tier, int] = {"device": 0, "host": 0, "nvme": 0}
        for partition, residency in zip(self.partitions, self.residencies, strict=True):
            total[residency.tier] += partition.state_bytes
        return total

    def tier_limit_bytes(self) -> dict[Tier, int | None]:
        """The budget of each tier; None for nvme paths without one."""
        budgets = [path.budget_bytes for path in self.placement.nvme]
        known = [budget for budget in budgets if budget is not None]
        nvme = sum(known) if len(known) == len(budgets) else None
        return {"device": self.placement.device_bytes, "host": self.placement.host_bytes, "nvme": nvme}

    def nvme_state_bytes(self) -> tuple[int, ...]:
        """Exact bytes of state on each nvme path, without the rounding of files."""
        total = [0] * len(self.placement.nvme)
        for partition, residency in zip(self.partitions, self.residencies, strict=True):
            if residency.nvme_path is not None:
                total[residency.nvme_path] += partition.state_bytes
        return tuple(total)

    def nvme_file_bytes(self) -> tuple[int, ...]:
        """Bytes of the file on each nvme path, rounding included."""
        total = [0] * len(self.placement.nvme)
        for partition, residency in zip(self.partitions, self.residencies, strict=True):
            if residency.nvme_path is not None:
                total[residency.nvme_path] += partition.extent_bytes
        return tuple(total)

    def describe(self) -> str:
        """Return one line for people: exact bytes of each tier, partitions and the largest of them."""
        tiers = ", ".join(f"{tier} {size} B ({format_bytes(size)})" for tier, size in self.tier_bytes().items())
        largest = max((partition.extent_bytes for partition in self.partitions), default=0)
        return f"state: {tiers}; {len(self.partitions)} partitions of at most {format_bytes(largest)}"


def assign_tiers(partitions: Sequence[Partition], placement: Placement) -> PlacementPlan:
    """Fill the device, then the host, then the nvme paths evenly, with partitions in forward order.

    The first partitions gate the next forward first, so they get the fastest tiers. Nothing is allocated or looked
    up. Raises PlacementError (`state_does_not_fit`) with the bytes that are missing.
    """
    device_left, host_left = placement.device_bytes, placement.host_bytes
    nvme_used = [0] * len(placement.nvme)
    residencies: list[Residency] = []
    tier: Tier = "device"
    for partition in partitions:
        if tier == "device" and partition.state_bytes > device_left:
            tier = "host"
        if tier == "host" and partition.state_bytes > host_left:
            tier = "nvme"
        if tier == "device":
            device_left -= partition.state_bytes
            residencies.append(Residency(tier="device"))
        elif tier == "host":
            host_left -= partition.state_bytes
            residencies.append(Residency(tier="host"))
        else:
            path = _emptiest_path(partition.extent_bytes, nvme_used, placement)
            if path is None:
                raise _does_not_fit(partitions, placement)
            nvme_used[path] += partition.extent_bytes
            residencies.append(Residency(tier="nvme", nvme_path=path))
    return PlacementPlan(placement=placement, partitions=tuple(partitions), residencies=tuple(residencies))


def _emptiest_path(num_bytes: int, used: Sequence[int], placement: Placement) -> int | None:
    budgets = [path.budget_bytes for path in placement.nvme]
    fitting = [number for number, budget in enumerate(budgets) if budget is None or used[number] + num_bytes <= budget]
    return min(fitting, key=lambda number: used[number], default=None)


def _does_not_fit(partitions: Sequence[Partition], placement: Placement) -> PlacementError:
    needed = sum(partition.state_bytes for partition in partitions)
    available = placement.device_bytes + placement.host_bytes + sum(p.budget_bytes or 0 for p in placement.nvme)
    largest = max(partition.extent_bytes for partition in partitions)
    missing = max(needed - available, 0) + largest
    return PlacementError(
        "state_does_not_fit",
        f"The optimizer state takes {needed} bytes ({format_bytes(needed)}), the tiers offer {available}"
        f" ({format_bytes(available)}).",
        next_step=f"Add {missing} bytes ({format_bytes(missing)}) to host_bytes, or an nvme path with that budget.",
        needed_bytes=needed,
        available_bytes=available,
    )
