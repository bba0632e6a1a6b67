"""All state at once in RAM, as torch's `state_dict` has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from offload_core.engine.pipeline import Pipeline
from offload_core.engine.state import PieceState, piece_state
from offload_core.errors import PlacementError
from offload_core.planning.placement import PlacementPlan
from offload_core.storage.memory import available_ram_bytes


def check_full_state_fits(plan: PlacementPlan) -> None:
    """Raise PlacementError (`state_dict_too_large`) where a copy of all state is more than the RAM at hand."""
    needed = sum(partition.state_bytes for partition in plan.partitions)
    available = available_ram_bytes()
    if available is not None and needed > available:
        raise PlacementError(
            "state_dict_too_large",
            f"state_dict() takes {needed} bytes of RAM, {available} are available.",
            next_step="Use save(path), which streams, or add memory.",
            needed_bytes=needed,
            available_bytes=available,
        )


def read_full_state(pipeline: Pipeline, parameters: Sequence[torch.Tensor]) -> list[dict[str, torch.Tensor]]:
    """Return exp_avg, exp_avg_sq and (bfloat16) master of every parameter, float32, in the parameters' shapes."""
    full = [
        {name: torch.zeros(parameter.shape, dtype=torch.float32) for name in section_names(parameter)}
        for parameter in parameters
    ]
    with pipeline.paused():
        for partition, buffer in pipeline.each_state(writes=False):
            for piece in partition.pieces:
                for name, array in named_sections(piece_state(piece, buffer)):
                    flat = full[piece.parameter][name].view(-1)
                    flat[piece.start : piece.stop].copy_(torch.from_numpy(array))
    return full


def write_full_state(pipeline: Pipeline, by_index: Mapping[int, Mapping[str, Any]]) -> None:
    """Replace all state; parameters that are not named start anew. A missing `master` is rebuilt by the next step."""
    with pipeline.paused():
        for partition, buffer in pipeline.each_state(writes=True):
            for piece in partition.pieces:
                entry = by_index.get(piece.parameter, {})
                for name, array in named_sections(piece_state(piece, buffer)):
                    if name in entry:
                        source = entry[name].detach().reshape(-1)[piece.start : piece.stop]
                        torch.from_numpy(array).copy_(source)
                    else:
                        array.fill(0)


def section_names(parameter: torch.Tensor) -> tuple[str, ...]:
    """Return the names of a parameter's float32 sections, in the order in which they lie."""
    moments = ("exp_avg", "exp_avg_sq")
    return moments if parameter.dtype == torch.float32 else (*moments, "master")


def named_sections(state: PieceState) -> list[tuple[str, Any]]:
    """Return a piece's sections with their names."""
    named = [("exp_avg", state.exp_avg), ("exp_avg_sq", state.exp_avg_sq)]
    return named if state.master is None else [*named, ("master", state.master)]
