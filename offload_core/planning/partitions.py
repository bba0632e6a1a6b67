"""Cutting parameters into partitions: the unit that is moved and stepped as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from offload_core.errors import PlacementError

Dtype = Literal["float32", "bfloat16"]

CUT_ELEMENTS = 64
"""A parameter is cut at multiples of this from its own start.

torch steps the last `numel % W` elements of a parameter with other roundings (W is its vector width), and gives its
threads blocks of 64. Cuts that are multiples of 64 leave that tail where torch has it.
"""

EXTENT_ALIGNMENT_BYTES = 4096
_FLOAT_BYTES = 4
# exp_avg and exp_avg_sq; a bfloat16 parameter also has a float32 master, a float32 parameter is its own.
_SECTIONS: dict[Dtype, int] = {"float32": 2, "bfloat16": 3}


@dataclass(frozen=True, kw_only=True, slots=True)
class ParameterSpec:
    """What planning has to know of one parameter."""

    name: str
    num_elements: int
    dtype: Dtype


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """Elements `start` to `stop` of one parameter, and where their state lies in the partition."""

    parameter: int
    start: int
    stop: int
    num_sections: int
    offset_bytes: int

    @property
    def num_elements(self) -> int:
        """Elements of the parameter in this piece."""
        return self.stop - self.start

    @property
    def state_bytes(self) -> int:
        """Exact bytes of this piece's float32 sections, one after another: exp_avg, exp_avg_sq, then the master."""
        return self.num_elements * self.num_sections * _FLOAT_BYTES


@dataclass(frozen=True, kw_only=True, slots=True)
class Partition:
    """A run of pieces in forward order."""

    index: int
    pieces: tuple[Piece, ...]

    @property
    def state_bytes(self) -> int:
        """Exact bytes of state."""
        return sum(piece.state_bytes for piece in self.pieces)

    @property
    def extent_bytes(self) -> int:
        """Bytes it takes in a file or a buffer: state, rounded up to what direct I/O asks for."""
        return round_up(self.state_bytes, EXTENT_ALIGNMENT_BYTES)


def round_up(value: int, multiple: int) -> int:
    """Return the smallest multiple of `multiple` that is not below `value`."""
    return -(-value // multiple) * multiple


def state_bytes(num_parameters: int, dtype: Dtype = "float32") -> int:
    """Return the exact bytes of state: 8 a float32 parameter (it is its own master), 12 a bfloat16 one."""
    return num_parameters * _SECTIONS[dtype] * _FLOAT_BYTES


def cut_partitions(parameters: Sequence[ParameterSpec], partition_bytes: int) -> tuple[Partition, ...]:
    """Cut parameters, given in forward order, into partitions of at most `partition_bytes` of state.

    Raises PlacementError (`partition_too_small`) where not even one cut of 64 elements fits.
    """
    smallest = state_bytes(CUT_ELEMENTS, "bfloat16")
    if partition_bytes < smallest:
        raise PlacementError(
            "partition_too_small",
            f"partition_bytes is {partition_bytes}, but 64 elements of state take {smallest}.",
            next_step="Raise partition_bytes; a few MiB is usual.",
            needed_bytes=smallest,
            available_bytes=partition_bytes,
        )
    partitions: list[Partition] = []
    pieces: list[Piece] = []
    used = 0

    def close() -> None:
        nonlocal pieces, used
        if pieces:
            partitions.append(Partition(index=len(partitions), pieces=tuple(pieces)))
        pieces, used = [], 0

    for number, parameter in enumerate(parameters):
        element_bytes = state_bytes(1, parameter.dtype)
        start = 0
        while start < parameter.num_elements:
            left = parameter.num_elements - start
            room = (partition_bytes - used) // element_bytes
            take = left if left <= room else room // CUT_ELEMENTS * CUT_ELEMENTS
            # A parameter that fits a partition of its own is not cut only to fill the one before it.
            if take == 0 or (used and take < left and left * element_bytes <= partition_bytes):
                close()
                continue
            sections = _SECTIONS[parameter.dtype]
            pieces.append(
                Piece(parameter=number, start=start, stop=start + take, num_sections=sections, offset_bytes=used)
            )
            used += take * element_bytes
            start += take
    close()
    return tuple(partitions)
