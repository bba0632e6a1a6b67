"""From the job's words to the engine's arguments, and from the engine's plan to ours."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from contracts.events import TierBytes
from contracts.job import PlacementSpec
from contracts.spool import RunOrder
from offload_core.integrations.transformers import OffloadArguments
from offload_core.optimizer import OffloadedAdamW
from offload_core.planning.placement import NvmePath, Placement
from offload_core.telemetry.report import StepReport

_ALL_OF_IT = 1 << 62
"""More than any state: the tier takes what there is."""


def offload_arguments(
    order: RunOrder, run_folder: Path, on_step_report: Callable[[StepReport], None]
) -> OffloadArguments:
    engine = order.spec.engine
    given: dict[str, Any] = {"buffer_bytes": engine.buffer_bytes, "partition_bytes": engine.partition_bytes}
    return OffloadArguments(
        placement=engine_placement(order.spec.placement, nvme_folders(order)),
        run_dir=run_folder,
        schedule=engine.schedule,
        on_step_report=on_step_report,
        **{name: value for name, value in given.items() if value is not None},
    )


def nvme_folders(order: RunOrder) -> list[Path]:
    """The run's own folder below each path it may use."""
    return [Path(path) / order.attempt_id for path in order.nvme_paths]


def engine_placement(placement: PlacementSpec, folders: list[Path]) -> Placement:
    """An NVMe budget is shared evenly by the folders, as the engine fills them."""
    host_bytes = _ALL_OF_IT if placement.host_bytes is None else placement.host_bytes
    if placement.nvme_bytes == 0 or not folders:
        return Placement(host_bytes=host_bytes)
    budget_bytes = None if placement.nvme_bytes is None else placement.nvme_bytes // len(folders)
    return Placement(host_bytes=host_bytes, nvme=[NvmePath(folder, budget_bytes) for folder in folders])


def state_bytes(optimizer: OffloadedAdamW) -> TierBytes:
    return TierBytes(**optimizer.plan.tier_bytes())


def limit_bytes(optimizer: OffloadedAdamW, placement: PlacementSpec) -> TierBytes:
    """What each tier may hold; where the job sets no limit, what its state takes. The pool counts as host RAM."""
    state = optimizer.plan.tier_bytes()
    host = state["host"] if placement.host_bytes is None else placement.host_bytes
    nvme = sum(optimizer.plan.nvme_file_bytes()) if placement.nvme_bytes is None else placement.nvme_bytes
    return TierBytes(device=state["device"], host=host + optimizer.buffer_pool_bytes, nvme=nvme)
