"""Which parameters the engine can step exactly, in which order it does, and where their state goes."""

from __future__ import annotations

from collections import Counter
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

    `index` finds a parameter's place by its id. `outside` are those that the attached model does not hold; they come
    first: nobody's forward waits for them.
    """

    parameters: tuple[torch.Tensor, ...]
    names: tuple[str, ...]
    index: dict[int, int]
    outside: tuple[torch.Tensor, ...]
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
    given = [parameter for group in groups for parameter in group["params"]]
    parameters, outside = _forward_order(model, given)
    found = _names(model, groups)
    names = tuple(found[id(parameter)] for parameter in parameters)
    specs = [_describe(parameter, name) for parameter, name in zip(parameters, names, strict=True)]
    return Layout(
        parameters=tuple(parameters),
        names=names,
        index={id(parameter): index for index, parameter in enumerate(parameters)},
        outside=tuple(outside),
        plan=assign_tiers(cut_partitions(specs, partition_bytes), placement),
    )


def flat_gradient(gradient: torch.Tensor, dtype: torch.dtype, name: str) -> torch.Tensor:
    """Return the gradient flat and contiguous; copies only what is not.

    Raises GradientError for a sparse one, or one of another dtype than its parameter's (`grad_dtype` allows that).
    """
    if gradient.layout != torch.strided:
        raise GradientError(
            "gradient_sparse",
            f"The gradient of {name} is sparse.",
            next_step="Build the embedding with sparse=False; AdamW has no exact sparse form.",
        )
    if gradient.dtype != dtype:
        raise GradientError(
            "gradient_dtype",
            f"The gradient of {name} is {gradient.dtype}, its parameter {dtype}.",
            next_step="Leave the parameter's grad_dtype unset, so that both are alike.",
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


def _forward_order(
    model: nn.Module | None, parameters: Sequence[torch.Tensor]
) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """All parameters in order, and those among them that the model does not hold."""
    if model is None:
        return list(parameters), []
    known = {id(parameter) for parameter in parameters}
    ordered: dict[int, torch.Tensor] = {id(p): p for p in model.parameters() if id(p) in known}
    outside = [p for p in parameters if id(p) not in ordered]
    return [*outside, *ordered.values()], outside


def _names(model: nn.Module | None, groups: Sequence[dict[str, Any]]) -> dict[int, str]:
    names: dict[int, str] = {}
    for group in groups:
        numbers = [str(len(names) + number) for number in range(len(group["params"]))]
        for parameter, name in zip(group["params"], group.get("param_names", numbers), strict=True):
            names[id(parameter)] = name
    if model is not None:
        names.update((id(parameter), name) for name, parameter in model.named_parameters() if id(parameter) in names)
    # Checkpoints go by name: two groups from two modules may have the same ones.
    taken: Counter[str] = Counter()
    for key, name in names.items():
        taken[name] += 1
        if taken[name] > 1:
            names[key] = f"{name}#{taken[name]}"
    return names
