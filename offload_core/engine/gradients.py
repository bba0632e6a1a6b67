"""From `.grad` to a round of updates: clipping, skipping, and hyper-parameters as they are at this moment."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import nn

from offload_core.engine import clipping
from offload_core.engine.parameters import Layout, flat_gradient
from offload_core.engine.rounds import ParameterUpdate
from offload_core.errors import GradientError, ParameterError
from offload_core.kernels.scalars import UpdateScalars


class Gradients:
    """The gradients of one optimizer's parameters, and of the attached model where there is one.

    `steps` counts the updates of each parameter, as torch does: a parameter without a gradient is not stepped.
    """

    def __init__(self, layout: Layout, model: nn.Module | None) -> None:
        self.steps = [0] * len(layout.parameters)
        self.last_norm: torch.Tensor | None = None
        self._layout = layout
        self._model = None if model is None else weakref.ref(model)
        self._clip: clipping.Clip | None = None

    @torch.no_grad()
    def measure_clip(self, max_norm: float) -> torch.Tensor:
        """Return the total norm; the factor waits for `take_clip`.

        Gradients that this optimizer does not step are multiplied at once, as torch would.
        """
        earlier = self.take_clip()
        if earlier is not None:
            # Clipped twice before a step: the first factor has to show in the second norm.
            self._multiply(earlier.factor, are_stepped=True)
        clip = clipping.measure(self._present(), max_norm)
        self._multiply(clip.factor, are_stepped=False)
        self._clip = clipping.Clip(clip.total_norm, clip.factor, clipping.note(self._present()))
        self.last_norm = clip.total_norm
        return clip.total_norm

    def take_clip(self) -> clipping.Clip | None:
        """Return what was measured for this step, if anything: gradients that came after zero_grad() are not clipped.

        Raises GradientError (`gradient_changed_after_clip`): torch would have clipped the older part alone.
        """
        clip, self._clip = self._clip, None
        if clip is None or clip.is_of(self._present()):
            return clip
        if clip.is_of_none(self._present()):
            return None
        raise GradientError(
            "gradient_changed_after_clip",
            "A gradient changed between clip_grad_norm_() and step().",
            next_step="Clip right before step(), after the last backward of the step.",
        )

    def forget_clip(self) -> None:
        """Drop a factor that waits: its gradients are about to be zeroed."""
        self._clip = None

    def drop(self, groups: Sequence[dict[str, Any]]) -> None:
        """Let the gradients go: the step is skipped."""
        for group in groups:
            for parameter in group["params"]:
                parameter.grad = None

    def take(self, groups: Sequence[dict[str, Any]], factor: float | None) -> dict[int, ParameterUpdate]:
        """Take every gradient with its group's hyper-parameters; `.grad` is None afterwards.

        Raises ParameterError or GradientError before anything is taken or counted.
        """
        updates: dict[int, ParameterUpdate] = {}
        for group in groups:
            _check_options(group)
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                index = self._layout.index[id(parameter)]
                gradient = flat_gradient(parameter.grad, parameter.dtype, self._layout.names[index])
                updates[index] = ParameterUpdate(
                    grad=gradient,
                    grad_version=gradient._version,  # noqa: SLF001 - torch's counter
                    weight_version=parameter._version,  # noqa: SLF001 - torch's counter
                    scalars=_scalars(group, self.steps[index] + 1, factor),
                )
        for index in updates:
            self.steps[index] += 1
        self.drop(groups)
        return updates

    def _parameters(self) -> Iterable[torch.Tensor]:
        model = None if self._model is None else self._model()
        if model is None:
            return self._layout.parameters
        in_model = list(model.parameters())
        known = {id(parameter) for parameter in in_model}
        return [*in_model, *(parameter for parameter in self._layout.parameters if id(parameter) not in known)]

    def _multiply(self, factor: float, *, are_stepped: bool) -> None:
        """Multiply the gradients that this optimizer steps, or those of the model that it does not."""
        for parameter in self._parameters():
            if parameter.grad is not None and (id(parameter) in self._layout.index) == are_stepped:
                parameter.grad.mul_(factor)

    def _present(self) -> list[torch.Tensor]:
        return [parameter.grad for parameter in self._parameters() if parameter.grad is not None]


def _scalars(group: dict[str, Any], step: int, factor: float | None) -> UpdateScalars:
    beta1, beta2 = group["betas"]
    return UpdateScalars(
        lr=float(group["lr"]),
        beta1=float(beta1),
        beta2=float(beta2),
        eps=float(group["eps"]),
        weight_decay=float(group["weight_decay"]),
        step=step,
        clip_factor=factor,
    )


def _check_options(group: dict[str, Any]) -> None:
    if group["amsgrad"] or group["maximize"] or group["differentiable"]:
        raise ParameterError(
            "option_unsupported",
            "amsgrad, maximize and differentiable are not offered.",
            next_step="Leave them False, or use torch.optim.AdamW for that group.",
        )
