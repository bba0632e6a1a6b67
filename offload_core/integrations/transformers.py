"""A mixin that gives Hugging Face's Trainer, and TRL's trainers built on it, the offloaded optimizer.

    class OffloadedSFTTrainer(OffloadedTrainerMixin, SFTTrainer): ...

    trainer = OffloadedSFTTrainer(model, args, train_dataset=data, offload=OffloadArguments(placement=..., run_dir=...))

Read in transformers 5.24 and accelerate 1.15.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import torch
from torch import nn

from offload_core.engine.schedule import Schedule
from offload_core.errors import ParameterError
from offload_core.optimizer import DEFAULT_BUFFER_BYTES, OffloadedAdamW
from offload_core.planning.placement import Placement
from offload_core.telemetry.report import StepReport

if TYPE_CHECKING:
    from transformers import Trainer

    _Base = Trainer
else:
    _Base = object

_OPTIMIZER_DIRECTORY = "offloaded_optimizer"
_SCHEDULER_FILE = "scheduler.pt"
_ADAMW = ("adamw_torch", "adamw_torch_fused")


@dataclass(frozen=True, kw_only=True, slots=True)
class OffloadArguments:
    """What the engine is told besides the training arguments, which give lr, betas, eps, decay and clipping."""

    placement: Placement
    run_dir: str | Path
    partition_bytes: int | str | None = None
    buffer_bytes: int | str = DEFAULT_BUFFER_BYTES
    schedule: Schedule = "auto"
    on_step_report: Callable[[StepReport], None] | None = None
    num_io_threads: int = 4
    num_update_threads: int | None = None


class OffloadedTrainerMixin(_Base):
    """Put before a Trainer class. `offload` is keyword-only; everything else goes to the trainer unchanged.

    The trainer's `optimizer` is an OffloadedAdamW from `create_optimizer()` on; close it when training is over.
    """

    def __init__(self, *args: Any, offload: OffloadArguments, **kwargs: Any) -> None:
        self.offload = offload
        super().__init__(*args, **kwargs)

    def create_optimizer(self, model: nn.Module | None = None) -> torch.optim.Optimizer:
        """Build the optimizer with the trainer's own groups and attach it to the model.

        Raises ParameterError (`optimizer_unsupported`) if the training arguments ask for anything but AdamW.
        """
        if self.optimizer is not None:
            return self.optimizer
        model = cast("nn.Module", self.model) if model is None else model
        asked = str(getattr(self.args.optim, "value", self.args.optim))
        if asked not in _ADAMW:
            raise ParameterError(
                "optimizer_unsupported",
                f'optim="{asked}" was asked for; the offloaded optimizer is AdamW.',
                next_step=f"Set optim to one of {', '.join(_ADAMW)}.",
            )
        optimizer = OffloadedAdamW(
            self._offloaded_groups(model),
            lr=self.args.learning_rate,
            betas=(self.args.adam_beta1, self.args.adam_beta2),
            eps=self.args.adam_epsilon,
            placement=self.offload.placement,
            run_dir=self.offload.run_dir,
            partition_bytes=self.offload.partition_bytes,
            buffer_bytes=self.offload.buffer_bytes,
            schedule=self.offload.schedule,
            on_step_report=self.offload.on_step_report,
            num_io_threads=self.offload.num_io_threads,
            num_update_threads=self.offload.num_update_threads,
        )
        optimizer.attach(model)
        # accelerate would wrap it and send state_dict() through load_state_dict() on the way.
        optimizer._is_accelerate_prepared = True  # type: ignore[attr-defined]  # noqa: SLF001 - accelerate's own mark
        self.optimizer = optimizer
        return optimizer

    @property
    def offloaded_optimizer(self) -> OffloadedAdamW:
        """The optimizer, once it was created."""
        return cast("OffloadedAdamW", self.optimizer)

    def _offloaded_groups(self, model: nn.Module) -> list[dict[str, Any]]:
        decayed = set(self.get_decay_parameter_names(model))
        trained = [(name, parameter) for name, parameter in model.named_parameters() if parameter.requires_grad]
        groups = [
            {"params": [item for item in trained if item[0] in decayed], "weight_decay": self.args.weight_decay},
            {"params": [item for item in trained if item[0] not in decayed], "weight_decay": 0.0},
        ]
        # An empty group cannot say whether its parameters are named; torch wants all groups alike.
        return [group for group in groups if group["params"]]

    def _clip_grad_norm(self, model: nn.Module) -> torch.Tensor:
        del model
        return self.offloaded_optimizer.clip_grad_norm_(self.args.max_grad_norm)

    def _get_grad_norm(self, model: nn.Module, grad_norm: Any = None) -> Any:
        del model
        # Without clipping the trainer still wants the norm; no factor comes of it.
        norm = self.offloaded_optimizer.clip_grad_norm_(float("inf")) if grad_norm is None else grad_norm
        return norm.item() if isinstance(norm, torch.Tensor) else norm

    def evaluation_loop(self, *args: Any, **kwargs: Any) -> Any:
        """Evaluate with the newest weights, even where evaluation does not call the attached model's forward."""
        self._wait_for_weights()
        return super().evaluation_loop(*args, **kwargs)

    def save_model(self, *args: Any, **kwargs: Any) -> None:
        """Save the newest weights."""
        self._wait_for_weights()
        super().save_model(*args, **kwargs)

    def _save_optimizer_and_scheduler(self, output_dir: str) -> None:
        # The trainer's own way would gather all state in RAM.
        self.offloaded_optimizer.save(Path(output_dir) / _OPTIMIZER_DIRECTORY)
        torch.save(cast("Any", self.lr_scheduler).state_dict(), Path(output_dir) / _SCHEDULER_FILE)

    def _load_optimizer_and_scheduler(self, checkpoint: str | None) -> None:
        if checkpoint is None or not (Path(checkpoint) / _OPTIMIZER_DIRECTORY).is_dir():
            # A plain trainer's checkpoint, or none.
            super()._load_optimizer_and_scheduler(checkpoint)
            return
        self.offloaded_optimizer.load(Path(checkpoint) / _OPTIMIZER_DIRECTORY)
        scheduler_state = torch.load(Path(checkpoint) / _SCHEDULER_FILE, weights_only=True)
        cast("Any", self.lr_scheduler).load_state_dict(scheduler_state)

    def _load_best_model(self) -> None:
        # Loading writes into the weights: no update may be under way. Masters are rebuilt from what was loaded.
        self._wait_for_weights()
        super()._load_best_model()

    def _wait_for_weights(self) -> None:
        if isinstance(self.optimizer, OffloadedAdamW):
            self.optimizer.wait_fresh(None)
