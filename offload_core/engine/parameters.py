"""Which parameters the engine can step exactly, in which order it does, and where their state goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from offload_core.errors import GradientError, ParameterError, PlacementError
from offload_core.planning.partitions import Dtype, ParameterSpec, cut_partitions
from offload_core.planning.placement import Placement, PlacementPlan, assign_tiers

_DTYPES: dict[torch.dtype, Dtype] = {torch.float32: "float32", torch.bfloat16: "bfloat16"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """Parameters in the order in which they are stepped, with names, and the plan for their state.

    `index` finds a parameter's place by its id.
    """

    parameters: tuple[torch.Tensor, ...]
    names: tuple[str, ...]
    index: dict[int, int]
    plan: PlacementPlan


def lay_out(
    groups: Sequence[dict[str, Any]], model: nn.Module | None, partition_bytes: int, placement: Placement
) -> Layout:
    """Order the groups' parameters as the model has them, cut them and assign tiers. Allocates nothing.

    Raises ParameterError and PlacementError.
    """
    if placement.device_bytes:
        raise PlacementError(
            "device_tier_unavailable",
            f"device_bytes is {placement.device_bytes}, but this version steps parameters in host memory.",
            next_step="Leave device_bytes at 0 and give the bytes to host_bytes.",
        )
    parameters = _forward_order(model, [parameter for group in groups for parameter in group["params"]])
    found = _names(model, groups)
    names = tuple(found[id(parameter)] for parameter in parameters)
    specs = [_describe(parameter, name) for parameter, name in zip(parameters, names, strict=True)]
    return Layout(
        parameters=tuple(parameters),
        names=names,
        index={id(parameter): index for index, parameter in enumerate(parameters)},
        plan=assign_tiers(cut_partitions(specs, partition_bytes), placement),
    )


def flat_gradient(gradient: torch.Tensor, name: str) -> torch.Tensor:
    """Return the gradient flat and contiguous; copies only what is not. Raises GradientError for sparse ones."""
    if gradient.layout != torch.strided:
        raise GradientError(
            "gradient_sparse",
            f"The gradient of {name} is sparse.",
            next_step="Build the embedding with sparse=False; AdamW has no exact sparse form.",
        )
    return gradient.detach().contiguous().view(-1)


def _describe(parameter: torch.Tensor, name: str) -> ParameterSpec:
    dtype = _DTYPES.get(parameter.dtype)
    if dtype is None:
        raise ParameterError(
            "dtype_unsupported",
            f"Parameter {name} is {parameter.dtype}; float32 and bfloat16 can be stepped.",
            next_step="Convert the model, or leave this parameter to another optimizer.",
        )
    if parameter.device.type != "cpu":
        raise ParameterError(
            "device_unsupported",
            f"Parameter {name} is on {parameter.device}; this version steps parameters in host memory.",
            next_step="Keep the model on the CPU, or leave this parameter to another optimizer.",
        )
    if parameter.layout != torch.strided or not parameter.is_contiguous():
        raise ParameterError(
            "layout_unsupported",
            f"Parameter {name} is not contiguous in memory.",
            next_step="Build the model with contiguous parameters, as p.data = p.data.contiguous() does.",
        )
    return ParameterSpec(name=name, num_elements=parameter.numel(), dtype=dtype)


def _forward_order(model: nn.Module | None, parameters: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    if model is None:
        return list(parameters)
    known = {id(parameter) for parameter in parameters}
    ordered: dict[int, torch.Tensor] = {id(p): p for p in model.parameters() if id(p) in known}
    return [*ordered.values(), *(p for p in parameters if id(p) not in ordered)]


def _names(model: nn.Module | None, groups: Sequence[dict[str, Any]]) -> dict[int, str]:
    names: dict[int, str] = {}
    for group in groups:
        numbers = [str(len(names) + number) for number in range(len(group["params"]))]
        for parameter, name in zip(group["params"], group.get("param_names", numbers), strict=True):
            names[id(parameter)] = name
    if model is not None:
        names.update((id(parameter), name) for name, parameter in model.named_parameters() if id(parameter) in names)
    return names
