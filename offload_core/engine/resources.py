"""What one optimizer owns outside the interpreter - directories, files, threads - and how it lets go of it."""

from __future__ import annotations

import os
import threading
import weakref
from dataclasses import dataclass, field

from offload_core.engine.parameters import Layout
from offload_core.engine.pipeline import Pipeline
from offload_core.engine.write_guard import WriteGuard
from offload_core.errors import EngineStateError, PlacementError
from offload_core.kernels.select import select_kernel
from offload_core.planning.placement import PlacementPlan, Tier
from offload_core.storage.files import FileOpener
from offload_core.storage.memory import BufferPool
from offload_core.storage.ownership import OwnedDirectory, own_scratch
from offload_core.storage.store import StateStore
from offload_core.telemetry.spans import SpanRecorder


@dataclass(frozen=True, kw_only=True, slots=True)
class EngineLimits:
    """How much the engine may use besides the state itself."""

    buffer_bytes: int
    num_io_threads: int
    num_update_threads: int


@dataclass(eq=False)
class Resources:
    """Everything to release. Holds no reference to the optimizer, so that the optimizer can be collected."""

    run_directory: OwnedDirectory
    scratch: list[OwnedDirectory] = field(default_factory=list)
    store: StateStore | None = None
    pipeline: Pipeline | None = None
    owner_pid: int = field(default_factory=os.getpid)

    def __post_init__(self) -> None:
        _living.add(self)

    def open(
        self,
        layout: Layout,
        limits: EngineLimits,
        recorder: SpanRecorder,
        open_file: FileOpener,
    ) -> Pipeline:
        """Reserve files and buffers and start the threads. Blocks; raises what the store raises."""
        plan = layout.plan
        largest, _ = _largest_extent(plan)
        pool_bytes = plan_pool_bytes(plan, limits.buffer_bytes)
        pool = BufferPool(num_buffers=pool_bytes // largest if largest else 0, buffer_bytes=largest)
        try:
            for nvme in plan.placement.nvme:
                self.scratch.append(own_scratch(nvme.path))
            self.store = StateStore(plan, [directory.path for directory in self.scratch], open_file)
        except BaseException:
            self._release_scratch()
            raise
        self.pipeline = Pipeline(
            parameters=layout.parameters,
            plan=plan,
            store=self.store,
            pool=pool,
            guard=WriteGuard(layout.parameters, layout.names),
            kernel=select_kernel(),
            recorder=recorder,
            num_io_threads=limits.num_io_threads,
            num_update_threads=limits.num_update_threads,
        )
        return self.pipeline

    def occupancy_bytes(self, plan: PlacementPlan) -> dict[Tier, int]:
        """Return the bytes of state by tier as they really are: a tmpfs given as a disk is host RAM."""
        occupancy = plan.tier_bytes()
        paths = [] if self.store is None else self.store.paths
        for path, num_bytes in zip(paths, plan.nvme_state_bytes(), strict=True):
            if path.filesystem.is_ram:
                occupancy["nvme"] -= num_bytes
                occupancy["host"] += num_bytes
        return occupancy

    def release(self) -> None:
        """Let the updates under way end, stop, remove scratch, drop locks. In a forked child nothing happens.

        Runs in `close()`, and for an optimizer that was dropped: its last step must not be half done.
        """
        if os.getpid() != self.owner_pid:
            return
        if self.pipeline is not None:
            if self.pipeline.is_own_thread:
                # The collector runs on any thread, and these cannot wait for themselves.
                threading.Thread(target=self.release, name="spillway-release").start()
                return
            self.pipeline.finish_updates()
            self.pipeline.close()
        if self.store is not None:
            self.store.close()
        self._release_scratch()
        self.run_directory.release()

    def _release_scratch(self) -> None:
        while self.scratch:
            self.scratch.pop().release(remove=True)

    def abandon_in_child(self) -> None:
        """In a forked child: give up the locks' copies. Threads and buffers did not come along."""
        for directory in (self.run_directory, *self.scratch):
            directory.abandon_in_child()

    def check_process(self) -> None:
        """Raise EngineStateError in a forked child."""
        if os.getpid() != self.owner_pid:
            raise EngineStateError(
                "engine_in_child",
                f"This optimizer belongs to process {self.owner_pid}; threads and buffers do not survive a fork.",
                next_step="Step in the process that built it; a worker process may only use the model.",
            )


_living: weakref.WeakSet[Resources] = weakref.WeakSet()


def _abandon_all_in_child() -> None:
    for resources in list(_living):
        resources.abandon_in_child()


os.register_at_fork(after_in_child=_abandon_all_in_child)


def plan_pool_bytes(plan: PlacementPlan, buffer_bytes: int) -> int:
    """Return the bytes of the pool: as many buffers as the budget holds, and no more than there are partitions.

    Raises PlacementError (`buffer_too_small`) where the budget does not hold the largest partition.
    """
    largest, num_partitions = _largest_extent(plan)
    if buffer_bytes < largest:
        raise PlacementError(
            "buffer_too_small",
            f"buffer_bytes is {buffer_bytes}, the largest partition takes {largest}.",
            next_step="Raise buffer_bytes to eight partitions or more, or lower partition_bytes.",
            needed_bytes=largest,
            available_bytes=buffer_bytes,
        )
    return min(buffer_bytes // largest, num_partitions) * largest if largest else 0


def _largest_extent(plan: PlacementPlan) -> tuple[int, int]:
    extents = [
        partition.extent_bytes
        for partition, residency in zip(plan.partitions, plan.residencies, strict=True)
        if residency.tier == "nvme"
    ]
    return max(extents, default=0), len(extents)
