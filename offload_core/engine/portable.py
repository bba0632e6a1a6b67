"""A portable checkpoint of the optimizer: one safetensors file and one JSON, in bounded RAM.

Independent of placement, partitions and schedule, and readable without this library: tensors are named
`<parameter>.exp_avg`, `.exp_avg_sq` and, for bfloat16 parameters, `.master`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from offload_core.engine.full_state import named_sections, section_names
from offload_core.engine.parameters import Layout
from offload_core.engine.pipeline import Pipeline
from offload_core.engine.state import piece_state
from offload_core.errors import StorageError
from offload_core.storage.tensorfile import TensorFile

_TENSORS, _SCALARS, _FORMAT = "state.safetensors", "optimizer.json", 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Scalars:
    """What a checkpoint holds besides tensors. Groups are without their parameters."""

    num_steps: int
    skipped_steps: int
    parameter_steps: Mapping[str, int]
    groups: Sequence[Mapping[str, Any]]


def save_checkpoint(path: Path, pipeline: Pipeline, layout: Layout, scalars: Scalars) -> None:
    """Write the directory `path`, complete or not at all; one that exists is replaced. Blocks.

    Raises DiskFullError or TransferError.
    """
    aside = path.with_name(f"{path.name}.incomplete")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    shapes = {
        f"{name}.{section}": tuple(parameter.shape)
        for name, parameter in zip(layout.names, layout.parameters, strict=True)
        for section in section_names(parameter)
    }
    with closing(TensorFile.create(aside / _TENSORS, shapes)) as file:
        with pipeline.paused():
            for partition, buffer in pipeline.each_state(writes=False):
                for piece in partition.pieces:
                    for section, array in named_sections(piece_state(piece, buffer)):
                        file.write(f"{layout.names[piece.parameter]}.{section}", piece.start, memoryview(array))
        file.sync()
    record = {
        "format": _FORMAT,
        "num_steps": scalars.num_steps,
        "skipped_steps": scalars.skipped_steps,
        "parameter_steps": dict(scalars.parameter_steps),
        "groups": [dict(group) for group in scalars.groups],
    }
    (aside / _SCALARS).write_text(json.dumps(record, indent=1), encoding="utf-8")
    shutil.rmtree(path, ignore_errors=True)
    aside.rename(path)


def load_checkpoint(path: Path, pipeline: Pipeline, layout: Layout, *, num_groups: int) -> Scalars:
    """Replace all state by a checkpoint's; return its scalars. Blocks.

    Raises StorageError (`checkpoint_mismatch`) naming the first parameter that differs, before anything is changed.
    """
    scalars = _read_scalars(path, layout, num_groups)
    with closing(TensorFile.open(path / _TENSORS)) as file:
        for name, parameter in zip(layout.names, layout.parameters, strict=True):
            for section in section_names(parameter):
                place = file.places.get(f"{name}.{section}")
                if place is None or place.shape != tuple(parameter.shape):
                    found = "nothing" if place is None else f"shape {place.shape}"
                    raise _mismatch(path, f"{name}.{section} needs shape {tuple(parameter.shape)}, found {found}")
        with pipeline.paused():
            for partition, buffer in pipeline.each_state(writes=True):
                for piece in partition.pieces:
                    for section, array in named_sections(piece_state(piece, buffer)):
                        file.read(f"{layout.names[piece.parameter]}.{section}", piece.start, memoryview(array))
    return scalars


def _read_scalars(path: Path, layout: Layout, num_groups: int) -> Scalars:
    try:
        record = json.loads((path / _SCALARS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _mismatch(path, f"{_SCALARS} cannot be read ({error})") from error
    if record.get("format") != _FORMAT:
        raise _mismatch(path, f"its format is {record.get('format')}, this version reads {_FORMAT}")
    scalars = Scalars(
        num_steps=record["num_steps"],
        skipped_steps=record["skipped_steps"],
        parameter_steps=record["parameter_steps"],
        groups=record["groups"],
    )
    if len(scalars.groups) != num_groups:
        raise _mismatch(path, f"it has {len(scalars.groups)} parameter groups, the optimizer {num_groups}")
    if missing := [name for name in layout.names if name not in scalars.parameter_steps]:
        raise _mismatch(path, f"it knows nothing of {missing[0]}")
    return scalars


def _mismatch(path: Path, what: str) -> StorageError:
    return StorageError(
        "checkpoint_mismatch",
        f"{path} does not fit this optimizer: {what}.",
        next_step="Load it into the model and parameter groups that it was saved from.",
        path=path,
    )
