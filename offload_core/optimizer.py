"""OffloadedAdamW: torch's AdamW, bit for bit, with its state where there is room for it."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, NoReturn, cast

import torch
from torch import nn
from torch.optim.optimizer import ParamsT

from offload_core.engine import clipping
from offload_core.engine.full_state import read_full_state, write_full_state
from offload_core.engine.gates import Gates
from offload_core.engine.parameters import describe_parameter, flat_gradient, forward_order, name_parameters
from offload_core.engine.pipeline import Pipeline
from offload_core.engine.resources import EngineLimits, Resources, plan_pool
from offload_core.engine.rounds import ParameterUpdate
from offload_core.engine.windows import Windows
from offload_core.errors import EngineCopyError, EngineStateError, GradientError, ParameterError
from offload_core.kernels.scalars import UpdateScalars
from offload_core.planning.partitions import cut_partitions
from offload_core.planning.placement import Placement, PlacementPlan, assign_tiers
from offload_core.planning.sizes import parse_size
from offload_core.storage.files import DirectFile, FileOpener
from offload_core.storage.ownership import OwnedDirectory
from offload_core.telemetry.report import StepOutcome, StepReport

Schedule = Literal["auto", "plain", "into_forward"]

# Eight partitions in flight keep four readers and four writers busy.
_PARTITIONS_A_POOL = 8
DEFAULT_BUFFER_BYTES = 128 << 20


class OffloadedAdamW(torch.optim.Optimizer):
    """AdamW whose state lives in the tiers of a placement, equal in every bit to torch's fused AdamW on CPU.

    Differences that a training loop can see: `step()` takes the gradients (`.grad` becomes None) and may return before
    the weights are updated; an attached model's forward waits for what it needs, other readers of weights call
    `synchronize()`. Clip with `max_grad_norm` or `clip_grad_norm_` of the optimizer, not with torch's function after
    it. A step whose norm is not finite is skipped and changes nothing.

    Parameters are float32 or bfloat16, contiguous, in host memory. A bfloat16 parameter has a float32 master.
    """

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
        self._resources: Resources | None = None
        self._pipeline: Pipeline | None = None
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
        self._model: weakref.ref[nn.Module] | None = None
        self._gates: Gates | None = None
        self._clip: clipping.Clip | None = None
        self._last_norm: torch.Tensor | None = None
        self._num_steps = 0
        self._skipped_steps = 0
        self._windows = Windows(on_step_report)
        self._set_order(None)
        self._steps = [0] * len(self._order)
        plan_pool(self.plan, self._limits.buffer_bytes)
        resources = Resources(OwnedDirectory(Path(run_dir)))
        self._resources = resources
        # At garbage collection and at exit; holds no reference to self.
        self._finalizer = weakref.finalize(self, resources.release)
        _disable_in_children(self)

    # Setting up.

    def _set_order(self, model: nn.Module | None) -> None:
        given = [parameter for group in self.param_groups for parameter in group["params"]]
        self._order = forward_order(model, given)
        self._index = {id(parameter): index for index, parameter in enumerate(self._order)}
        names = name_parameters(model, self.param_groups)
        self._names = [names[id(parameter)] for parameter in self._order]
        specs = [describe_parameter(p, name) for p, name in zip(self._order, self._names, strict=True)]
        self.plan: PlacementPlan = assign_tiers(cut_partitions(specs, self._partition_bytes), self._placement)

    def attach(self, model: nn.Module) -> None:
        """Order updates as the model's forward uses weights, gate its modules, and reserve files and buffers.

        Also synchronizes whenever the model's `state_dict()` or `load_state_dict()` is called. Call it once, before
        training. Blocks on the disk. Raises EngineStateError (`attach_too_late`) after a step or a load.
        """
        self._check_usable()
        if self._pipeline is not None:
            raise EngineStateError(
                "attach_too_late",
                "The state is already laid out in another order.",
                next_step="Call attach(model) right after building the optimizer.",
            )
        self._set_order(model)
        self._model = weakref.ref(model)
        self._gates = Gates(model, self)
        self._opened()

    def _opened(self) -> Pipeline:
        if self._pipeline is None:
            assert self._resources is not None, "checked by every caller"
            self._pipeline, pool = self._resources.open(
                self.plan, self._order, self._limits, self._windows.recorder, self._open_file
            )
            self._windows.occupancy_bytes = self.plan.tier_bytes()
            self._windows.occupancy_limit_bytes = self.plan.tier_limit_bytes()
            self._windows.buffer_pool_bytes = pool.total_bytes
        return self._pipeline

    @property
    def schedule(self) -> tuple[Literal["plain", "into_forward"], str]:
        """The schedule in force and why."""
        if self._asked_schedule == "plain":
            return "plain", "asked for"
        if self._gates is None:
            return "plain", "no model is attached: nothing would make its forward wait for fresh weights"
        if self._asked_schedule == "into_forward":
            return "into_forward", "asked for"
        if self.plan.tier_bytes()["nvme"] == 0:
            return "plain", "no state is on nvme: updates would only compete with forward for cores"
        return "into_forward", "state is on nvme: its transfers hide behind forward and backward"

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group while the optimizer is being built; afterwards the state is laid out and it is refused."""
        if self._resources is not None:
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
        if self._max_grad_norm is not None and self._clip is None:
            self.clip_grad_norm_(self._max_grad_norm)
        clip = self._taken_clip()
        is_skipped = clip is not None and not clip.is_finite
        updates = self._take_updates(clip, pipeline, is_skipped=is_skipped)
        if is_skipped:
            self._skipped_steps += 1
        else:
            if self._gates is not None:
                self._gates.stop_watching()
            pipeline.launch(updates)
            if self.schedule[0] == "plain":
                pipeline.wait_updated()
        self._num_steps += 1
        self._windows.end_of_step(
            StepOutcome(
                step=self._num_steps,
                grad_norm=None if clip is None else float(clip.total_norm),
                clip_factor=None if clip is None else clip.factor,
                is_skipped=is_skipped,
            )
        )
        return loss

    @torch.no_grad()
    def clip_grad_norm_(self, max_norm: float) -> torch.Tensor:
        """Return the total norm as `torch.nn.utils.clip_grad_norm_` does, and clip in the next `step()`.

        Of the attached model's gradients in its order (without a model: of the groups'). Gradients themselves stay as
        they are, except those that this optimizer does not step. Does not block.
        """
        self._check_usable()
        measured = self._gradients()
        if self._clip is not None:
            # Clipped twice before a step: the first factor has to show in the second norm.
            for gradient in measured:
                gradient.mul_(self._taken_factor())
        clip = clipping.measure(measured, float(max_norm))
        for parameter in self._model_parameters():
            if parameter.grad is not None and id(parameter) not in self._index:
                parameter.grad.mul_(clip.factor)
        self._clip = clipping.Clip(clip.total_norm, clip.factor, clipping.versions(self._gradients()))
        self._last_norm = clip.total_norm
        return clip.total_norm

    def _model_parameters(self) -> Iterable[torch.Tensor]:
        model = None if self._model is None else self._model()
        return self._order if model is None else model.parameters()

    def _gradients(self) -> list[torch.Tensor]:
        return [parameter.grad for parameter in self._model_parameters() if parameter.grad is not None]

    def _taken_factor(self) -> float:
        clip = self._taken_clip()
        assert clip is not None, "only asked for when there is one"
        return clip.factor

    def _taken_clip(self) -> clipping.Clip | None:
        clip, self._clip = self._clip, None
        if clip is not None and clip.seen != clipping.versions(self._gradients()):
            raise GradientError(
                "gradient_changed_after_clip",
                "A gradient changed between clip_grad_norm_() and step().",
                next_step="Clip right before step(), after the last backward of the step.",
            )
        return clip

    def _take_updates(
        self, clip: clipping.Clip | None, pipeline: Pipeline, *, is_skipped: bool
    ) -> dict[int, ParameterUpdate]:
        updates: dict[int, ParameterUpdate] = {}
        for group in self.param_groups:
            _check_group(group)
            for parameter in group["params"]:
                gradient, parameter.grad = parameter.grad, None
                if gradient is None or is_skipped:
                    continue
                index = self._index[id(parameter)]
                self._steps[index] += 1
                updates[index] = ParameterUpdate(
                    grad=flat_gradient(gradient, self._names[index]),
                    scalars=UpdateScalars(
                        lr=float(group["lr"]),
                        beta1=float(group["betas"][0]),
                        beta2=float(group["betas"][1]),
                        eps=float(group["eps"]),
                        weight_decay=float(group["weight_decay"]),
                        step=self._steps[index],
                        clip_factor=None if clip is None else clip.factor,
                    ),
                    rebuilds_master=pipeline.versions[index] != parameter._version,  # noqa: SLF001 - torch's counter
                )
        return updates

    # Reading and writing from outside.

    def wait_fresh(self, parameters: list[torch.Tensor] | None) -> None:
        """Return when these parameters (None: all) have the weights of the newest step. For gates; may stall."""
        pipeline, resources = self._pipeline, self._resources
        # A forked child has the weights of the moment of its fork, and nobody who could update them.
        if pipeline is None or resources is None or os.getpid() != resources.owner_pid or not self._finalizer.alive:
            return
        if parameters is None:
            pipeline.wait_updated()
            return
        index = self._index
        pipeline.wait_published(
            [number for p in parameters if id(p) in index for number in pipeline.by_parameter[index[id(p)]]]
        )

    def synchronize(self) -> None:
        """Return when every weight is that of the newest step and every write is done; closes the step's window."""
        self._check_usable()
        if self._pipeline is not None:
            self._pipeline.wait_idle()
        self._windows.finish()

    def state_dict(self) -> dict[str, Any]:
        """Return torch's full format, with `master` besides for bfloat16 parameters. Reads all state into RAM; stalls."""
        self._check_usable()
        state = read_full_state(self._opened(), self._order)
        for index, step in enumerate(self._steps):
            if step:
                self.state[self._order[index]] = {"step": torch.tensor(float(step)), **state[index]}
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
            self._index[id(parameter)]: state_dict["state"][number]
            for number, parameter in zip(numbers, given, strict=True)
            if number in state_dict["state"]
        }
        write_full_state(pipeline, self._order, by_index)
        self._steps = [int(by_index[index]["step"]) if index in by_index else 0 for index in range(len(self._order))]

    # Facts.

    @property
    def last_step(self) -> StepReport | None:
        """The newest complete window's report."""
        return self._windows.last

    @property
    def grad_norm(self) -> float | None:
        """The norm that was last measured, before clipping."""
        return None if self._last_norm is None else float(self._last_norm)

    @property
    def step_was_skipped(self) -> bool:
        """Whether the newest step was skipped. The name is accelerate's: its users hold back their scheduler then."""
        return self._windows.was_skipped

    @property
    def skipped_steps(self) -> int:
        """Steps whose norm was not finite."""
        return self._skipped_steps

    @property
    def buffer_pool_bytes(self) -> int:
        """RAM that transfers hold; known once the model is attached."""
        return self._windows.buffer_pool_bytes

    @property
    def uses_direct_io(self) -> bool:
        """Whether every file of the nvme tier bypasses the page cache; known once the model is attached."""
        store = None if self._resources is None else self._resources.store
        return store is not None and all(path.is_direct for path in store.paths)

    # Letting go.

    def close(self) -> None:
        """Finish what was launched, report the last window, remove scratch, drop the locks. Weights stay. Idempotent."""
        if self._resources is None or not self._finalizer.alive or os.getpid() != self._resources.owner_pid:
            return
        try:
            if self._pipeline is not None:
                self._pipeline.wait_idle()
            self._windows.finish()
        finally:
            if self._gates is not None:
                self._gates.remove()
            self._finalizer()

    def __enter__(self) -> OffloadedAdamW:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _check_usable(self) -> None:
        assert self._resources is not None, "set by the constructor"
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

    # A GradScaler hands its scale over only to optimizers that say this; it is refused above.
    _step_supports_amp_scaling = True

    def __deepcopy__(self, _memo: dict[int, Any]) -> NoReturn:
        raise _copy_error()

    def __copy__(self) -> NoReturn:
        raise _copy_error()

    def __getstate__(self) -> NoReturn:
        raise _copy_error()


def _check_group(group: dict[str, Any]) -> None:
    if group["amsgrad"] or group["maximize"] or group["differentiable"]:
        raise ParameterError(
            "option_unsupported",
            "amsgrad, maximize and differentiable are not offered.",
            next_step="Leave them False, or use torch.optim.AdamW for that group.",
        )


def _copy_error() -> EngineCopyError:
    return EngineCopyError(
        "engine_copied",
        "OffloadedAdamW owns files, locks and threads and cannot be copied or pickled.",
        next_step="Copy state_dict() instead, and build another optimizer with its own run_dir.",
    )


def _disable_in_children(optimizer: OffloadedAdamW) -> None:
    resources = weakref.ref(cast("Resources", optimizer._resources))  # noqa: SLF001 - a function of this class

    def in_child() -> None:
        owned = resources()
        if owned is not None:
            owned.abandon_in_child()

    os.register_at_fork(after_in_child=in_child)
