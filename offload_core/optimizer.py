"""OffloadedAdamW: torch's AdamW, bit for bit, with its state where there is room for it."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, Self

import torch
from torch import nn
from torch.optim.optimizer import ParamsT

from offload_core.engine.full_state import check_full_state_fits, read_full_state, write_full_state
from offload_core.engine.gates import Gates
from offload_core.engine.gradients import Gradients
from offload_core.engine.parameters import lay_out
from offload_core.engine.pipeline import Pipeline
from offload_core.engine.portable import Scalars, load_checkpoint, save_checkpoint
from offload_core.engine.resources import EngineLimits, Resources, plan_pool_bytes
from offload_core.engine.schedule import ChosenSchedule, Schedule, choose_schedule
from offload_core.engine.windows import Windows
from offload_core.errors import EngineCopyError, EngineStateError, GradientError
from offload_core.planning.placement import Placement, PlacementPlan
from offload_core.planning.sizes import parse_size
from offload_core.storage.files import DirectFile, FileOpener
from offload_core.storage.ownership import OwnedDirectory
from offload_core.telemetry.report import StepOutcome, StepReport

# Eight partitions in flight keep four readers and four writers busy.
_PARTITIONS_A_POOL = 8
_NOT_SAVED = frozenset({"params", "param_names"})
DEFAULT_BUFFER_BYTES = 64 << 20


class OffloadedAdamW(torch.optim.Optimizer):
    """AdamW whose state lives in the tiers of a placement, equal in every bit to torch's fused AdamW on CPU.

    Differences that a training loop can see: `step()` takes the gradients (`.grad` becomes None) and may return before
    the weights are updated; an attached model's forward waits for what it needs, other readers of weights call
    `synchronize()`. Clip with `max_grad_norm` or the optimizer's `clip_grad_norm_`, not with torch's after `step()`.
    A step whose norm is not finite is skipped and changes nothing.

    Parameters are float32 or bfloat16, contiguous, in host memory. A bfloat16 parameter has a float32 master.
    """

    _is_built = False
    # A GradScaler hands its scale over only to optimizers that say this; it is refused in _check_usable.
    _step_supports_amp_scaling = True

    def __init__(
        self,
        params: ParamsT,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        *,
        max_grad_norm: float | None = None,
        placement: Placement,
        run_dir: str | Path,
        partition_bytes: int | str | None = None,
        buffer_bytes: int | str = DEFAULT_BUFFER_BYTES,
        schedule: Schedule = "auto",
        on_step_report: Callable[[StepReport], None] | None = None,
        num_io_threads: int = 4,
        num_update_threads: int | None = None,
        open_file: FileOpener = DirectFile,
    ) -> None:
        """Plan and own `run_dir`; files and buffers are reserved by `attach()` or the first step.

        `buffer_bytes` bounds the RAM of transfers (state in the host tier counts against the placement alone);
        `partition_bytes` defaults to an eighth of it. `on_step_report` is called on the training thread.
        Raises PlacementError, ParameterError or RunDirectoryError before anything is allocated.
        """
        # torch's own keys, so that either optimizer loads the other's state_dict.
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": False,
            "maximize": False,
            "foreach": None,
            "capturable": False,
            "differentiable": False,
            "fused": True,
            "decoupled_weight_decay": True,
        }
        super().__init__(params, defaults)
        self._max_grad_norm = max_grad_norm
        self._placement = placement
        self._asked_schedule: Schedule = schedule
        self._open_file = open_file
        self._limits = EngineLimits(
            buffer_bytes=parse_size(buffer_bytes),
            num_io_threads=num_io_threads,
            num_update_threads=num_update_threads or torch.get_num_threads(),
        )
        self._partition_bytes = (
            self._limits.buffer_bytes // _PARTITIONS_A_POOL if partition_bytes is None else parse_size(partition_bytes)
        )
        self._gates: Gates | None = None
        self._pipeline: Pipeline | None = None
        self._num_steps = 0
        self._skipped_steps = 0
        self._windows = Windows(on_step_report)
        self._set_order(None)
        plan_pool_bytes(self.plan, self._limits.buffer_bytes)
        self._resources = Resources(OwnedDirectory(Path(run_dir)))
        # At garbage collection and at exit; holds no reference to self.
        self._finalizer = weakref.finalize(self, self._resources.release)
        self._is_built = True

    # Setting up.

    def _set_order(self, model: nn.Module | None) -> None:
        self._layout = lay_out(self.param_groups, model, self._partition_bytes, self._placement)
        self._gradients = Gradients(self._layout, model)

    def attach(self, model: nn.Module) -> None:
        """Order updates as the model's forward uses weights, gate its modules, and reserve files and buffers.

        Also waits for fresh weights whenever the model's `state_dict()` or `load_state_dict()` is called. Call it
        once, before training. Blocks on the disk. Raises EngineStateError (`attach_too_late`) after a step or a load.
        """
        self._check_usable()
        if self._pipeline is not None:
            raise EngineStateError(
                "attach_too_late",
                "The state is already laid out in another order.",
                next_step="Call attach(model) right after building the optimizer.",
            )
        self._set_order(model)
        self._opened()
        self._gates = Gates(model, self)

    def _opened(self) -> Pipeline:
        if self._pipeline is None:
            self._pipeline = self._resources.open(self._layout, self._limits, self._windows.recorder, self._open_file)
            self._windows.occupancy_bytes = self._resources.occupancy_bytes(self.plan)
            self._windows.occupancy_limit_bytes = self.plan.tier_limit_bytes()
            self._windows.buffer_pool_bytes = self.buffer_pool_bytes
        return self._pipeline

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group while the optimizer is being built; afterwards the state is laid out and it is refused."""
        if self._is_built:
            raise EngineStateError(
                "groups_are_fixed",
                "Parameters cannot be added once the state is laid out.",
                next_step="Give every group to the constructor.",
            )
        super().add_param_group(param_group)

    # One step.

    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """Take the gradients and update the weights, or start to: `into_forward` returns before they are updated.

        Waits for the step before it. Raises what went wrong in the background since the last call.
        """
        self._check_usable()
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        pipeline = self._opened()
        self._windows.begin()
        pipeline.wait_updated()
        clip = self._gradients.take_clip()
        if clip is None and self._max_grad_norm is not None:
            self._gradients.measure_clip(self._max_grad_norm)
            clip = self._gradients.take_clip()
        is_skipped = clip is not None and not clip.is_finite
        factor = None if clip is None else clip.factor
        if is_skipped:
            self._gradients.drop(self.param_groups)
            self._skipped_steps += 1
        else:
            is_gated = self._gates is not None and self._gates.settle()
            pipeline.launch(self._gradients.take(self.param_groups, factor))
            # Whatever no gate waits for must be there when this returns.
            self.wait_fresh(list(self._layout.outside) if is_gated and self.schedule[0] == "into_forward" else None)
        self._num_steps += 1
        self._windows.end_of_step(
            StepOutcome(
                step=self._num_steps,
                grad_norm=None if clip is None else float(clip.total_norm),
                clip_factor=factor,
                is_skipped=is_skipped,
            )
        )
        return loss

    def clip_grad_norm_(self, max_norm: float) -> torch.Tensor:
        """Return the total norm as `torch.nn.utils.clip_grad_norm_` does (0-dim float32), and clip in `step()`.

        Of the attached model's gradients in its order (without a model: in forward order of the groups). Gradients
        stay as they are, except those that this optimizer does not step. Does not block.
        """
        self._check_usable()
        return self._gradients.measure_clip(float(max_norm))

    # Reading and writing from outside.

    def wait_fresh(self, parameters: list[torch.Tensor] | None) -> None:
        """Return when these parameters (None: all) have the weights of the newest step. For gates; may stall."""
        pipeline = self._pipeline
        # A forked child has the weights of the moment of its fork, and nobody who could update them.
        if pipeline is None or os.getpid() != self._resources.owner_pid or not self._finalizer.alive:
            return
        if parameters is None:
            pipeline.wait_updated()
            return
        index = self._layout.index
        pipeline.wait_published(
            [number for p in parameters if id(p) in index for number in pipeline.by_parameter[index[id(p)]]]
        )

    def is_fresh(self) -> bool:
        """Whether every weight is that of the newest step. Does not block."""
        return self._pipeline is None or self._pipeline.is_updated

    def zero_grad(self, set_to_none: bool = True) -> None:  # noqa: FBT001, FBT002 - torch's signature
        """As torch's; a clip of these gradients is forgotten with them."""
        if self._is_built:
            self._gradients.forget_clip()
        super().zero_grad(set_to_none)

    def synchronize(self) -> None:
        """Return when every weight is that of the newest step and every write is done; closes the step's window."""
        self._check_usable()
        if self._pipeline is not None:
            self._pipeline.wait_idle()
        self._windows.finish()

    def state_dict(self) -> dict[str, Any]:
        """Return torch's full format, with `master` besides for bfloat16 parameters.

        Reads all state into RAM; stalls. Raises PlacementError (`state_dict_too_large`) where that cannot fit.
        """
        self._check_usable()
        check_full_state_fits(self.plan)
        state = read_full_state(self._opened(), self._layout.parameters)
        for index, step in enumerate(self._gradients.steps):
            if step:
                self.state[self._layout.parameters[index]] = {"step": torch.tensor(float(step)), **state[index]}
        try:
            return super().state_dict()
        finally:
            self.state.clear()

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take torch's full format (AdamW's own works). bfloat16 moments stay float32. Blocks on the disk.

        A bfloat16 parameter's master is `master` if given, else the weight as it is now.
        """
        self._check_usable()
        pipeline = self._opened()
        pipeline.wait_idle()
        super().load_state_dict({**state_dict, "state": {}})
        numbers = [number for group in state_dict["param_groups"] for number in group["params"]]
        given = [parameter for group in self.param_groups for parameter in group["params"]]
        by_index = {
            self._layout.index[id(parameter)]: state_dict["state"][number]
            for number, parameter in zip(numbers, given, strict=True)
            if number in state_dict["state"]
        }
        write_full_state(pipeline, by_index)
        self._gradients.steps = [
            int(by_index[index]["step"]) if index in by_index else 0 for index in range(len(self._layout.parameters))
        ]

    def save(self, path: str | Path) -> None:
        """Write a portable checkpoint of state, groups and counters into the directory `path`, in bounded RAM.

        Complete or not at all. The model's weights are not in it: save them with the model. Stalls.
        """
        self._check_usable()
        steps = dict(zip(self._layout.names, self._gradients.steps, strict=True))
        groups = [{k: v for k, v in group.items() if k not in _NOT_SAVED} for group in self.param_groups]
        scalars = Scalars(
            num_steps=self._num_steps, skipped_steps=self._skipped_steps, parameter_steps=steps, groups=groups
        )
        save_checkpoint(Path(path), self._opened(), self._layout, scalars)

    def load(self, path: str | Path) -> None:
        """Take what `save` wrote, whatever the placement was then. Restore the model's weights before. Stalls.

        Raises StorageError (`checkpoint_mismatch`) before anything is changed.
        """
        self._check_usable()
        pipeline = self._opened()
        pipeline.wait_idle()
        scalars = load_checkpoint(Path(path), pipeline, self._layout, num_groups=len(self.param_groups))
        self._num_steps, self._skipped_steps = scalars.num_steps, scalars.skipped_steps
        self._gradients.steps = [scalars.parameter_steps[name] for name in self._layout.names]
        for group, saved in zip(self.param_groups, scalars.groups, strict=True):
            group.update(saved)

    # Facts.

    @property
    def plan(self) -> PlacementPlan:
        """Partitions, their tiers and what they cost."""
        return self._layout.plan

    @property
    def schedule(self) -> tuple[ChosenSchedule, str]:
        """The schedule in force and why."""
        nvme_bytes = self.plan.tier_bytes()["nvme"]
        return choose_schedule(self._asked_schedule, is_attached=self._gates is not None, nvme_bytes=nvme_bytes)

    @property
    def buffer_pool_bytes(self) -> int:
        """RAM that transfers take besides state in the host tier: at most `buffer_bytes`."""
        return plan_pool_bytes(self.plan, self._limits.buffer_bytes)

    @property
    def uses_direct_io(self) -> bool:
        """Whether every file of the nvme tier bypasses the page cache; known once the model is attached."""
        store = self._resources.store
        return store is not None and all(path.is_direct for path in store.paths)

    @property
    def notices(self) -> tuple[str, ...]:
        """What a person should know of the nvme paths (no direct I/O, memory given as a disk); known once attached."""
        return () if self._resources.store is None else self._resources.store.notices()

    @property
    def last_step(self) -> StepReport | None:
        """The newest complete window's report."""
        return self._windows.last

    @property
    def grad_norm(self) -> float | None:
        """The norm that was last measured, before clipping."""
        return None if self._gradients.last_norm is None else float(self._gradients.last_norm)

    @property
    def step_was_skipped(self) -> bool:
        """Whether the newest step was skipped. The name is accelerate's: its users hold back their scheduler then."""
        return self._windows.was_skipped

    @property
    def skipped_steps(self) -> int:
        """Steps whose norm was not finite."""
        return self._skipped_steps

    # Letting go.

    def close(self) -> None:
        """Finish what was launched, report the last window, remove scratch, drop locks. Weights stay. Idempotent.

        Raises what went wrong in the background, after everything is released.
        """
        if not self._finalizer.alive or os.getpid() != self._resources.owner_pid:
            return
        try:
            if self._pipeline is not None:
                # Reads ahead of a step that will not come belong to the last window too.
                self._pipeline.drain()
            self._windows.finish()
        finally:
            if self._gates is not None:
                self._gates.remove()
            self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _check_usable(self) -> None:
        self._resources.check_process()
        if not self._finalizer.alive:
            raise EngineStateError(
                "engine_closed", "The optimizer was closed.", next_step="Build a new OffloadedAdamW to train on."
            )
        if hasattr(self, "grad_scale") or hasattr(self, "found_inf"):
            raise GradientError(
                "grad_scaler_unsupported",
                "GradScaler scales float16 gradients, which this version does not step.",
                next_step="Train in bfloat16 or float32 without a scaler.",
            )

    def __deepcopy__(self, _memo: dict[int, Any]) -> NoReturn:
        raise EngineCopyError

    def __copy__(self) -> NoReturn:
        raise EngineCopyError

    def __getstate__(self) -> NoReturn:
        raise EngineCopyError
