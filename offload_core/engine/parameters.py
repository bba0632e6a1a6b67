"""Which parameters the engine can step exactly, and in which order it does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch
from torch import nn

from offload_core.errors import GradientError, ParameterError
from offload_core.planning.partitions import Dtype, ParameterSpec

_DTYPES: dict[torch.dtype, Dtype] = {torch.float32: "float32", torch.bfloat16: "bfloat16"}


def describe_parameter(parameter: torch.Tensor, name: str) -> ParameterSpec:
    """Return what planning needs. Raises ParameterError for what cannot be stepped with torch's bits."""
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
    if not parameter.is_contiguous() or parameter.layout != torch.strided:
        raise ParameterError(
            "layout_unsupported",
            f"Parameter {name} is not contiguous in memory (strides {tuple(parameter.stride())}).",
            next_step="Build the model with contiguous parameters, as p.data = p.data.contiguous() does.",
        )
    return ParameterSpec(name=name, num_elements=parameter.numel(), dtype=dtype)


def flat_gradient(gradient: torch.Tensor, name: str) -> torch.Tensor:
    """Return the gradient flat and contiguous; copies only what is not. Raises GradientError for sparse ones."""
    if gradient.layout != torch.strided:
        raise GradientError(
            "gradient_sparse",
            f"The gradient of {name} is sparse.",
            next_step="Build the embedding with sparse=False; AdamW has no exact sparse form.",
        )
    return gradient.detach().contiguous().view(-1)


def forward_order(model: nn.Module | None, parameters: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """Return the parameters in the model's order, those it does not have last; without a model, as given."""
    if model is None:
        return list(parameters)
    known = {id(parameter) for parameter in parameters}
    ordered: dict[int, torch.Tensor] = {id(p): p for p in model.parameters() if id(p) in known}
    return [*ordered.values(), *(p for p in parameters if id(p) not in ordered)]


def name_parameters(model: nn.Module | None, groups: Iterable[dict[str, object]]) -> dict[int, str]:
    """Return a name for the id of each parameter: the model's, else the group's, else its number."""
    names: dict[int, str] = {}
    for group in groups:
        parameters = group["params"]
        given = group.get("param_names")
        assert isinstance(parameters, list), "torch keeps a list of parameters in each group"
        labels = given if isinstance(given, list) else [str(len(names) + i) for i in range(len(parameters))]
        names.update((id(parameter), str(label)) for parameter, label in zip(parameters, labels, strict=True))
    if model is not None:
        names.update((id(parameter), name) for name, parameter in model.named_parameters() if id(parameter) in names)
    return names
