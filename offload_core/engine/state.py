"""A partition's state as arrays, wherever its bytes lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from offload_core.kernels.update import Float32Array
from offload_core.planning.partitions import Piece


@dataclass(frozen=True, slots=True)
class PieceState:
    """Flat float32 views of one piece; `master` is there for bfloat16 parameters alone."""

    exp_avg: Float32Array
    exp_avg_sq: Float32Array
    master: Float32Array | None


def piece_state(piece: Piece, partition_bytes: memoryview) -> PieceState:
    """Return views into the partition's bytes; nothing is copied."""
    flat: Float32Array = np.frombuffer(
        partition_bytes, np.float32, piece.num_elements * piece.num_sections, piece.offset_bytes
    )
    exp_avg, exp_avg_sq, *master = np.split(flat, piece.num_sections)
    return PieceState(exp_avg, exp_avg_sq, master[0] if master else None)
