"""The numba kernel behind the engine's interface: chunks over our own threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import torch

from offload_core.kernels.adamw_numba import update_bfloat16, update_float32
from offload_core.kernels.scalars import UpdateScalars
from offload_core.kernels.update import PieceUpdate

# Large enough to hide what Python costs a chunk, small enough to share between threads; a multiple of 64.
_CHUNK_ELEMENTS = 1 << 19


class NumbaKernel:
    """One fused pass. `vector_width` and `is_fused` name the roundings of this process' torch."""

    name = "numba"

    def __init__(self, *, vector_width: int, is_fused: bool) -> None:
        self._vector_width = vector_width
        self._is_fused = is_fused

    def update(self, pieces: list[PieceUpdate], threads: ThreadPoolExecutor, num_threads: int) -> None:
        """Step every piece; chunks run on `threads` when there is more than one and work enough."""
        chunks = [chunk for piece in pieces for chunk in self._chunks(piece)]
        if num_threads > 1 and len(chunks) > 1:
            # list() so that a chunk's exception is raised here.
            list(threads.map(_run, chunks))
        else:
            for chunk in chunks:
                chunk()
        # numpy writes past autograd: without this its check of saved weights would see nothing.
        for piece in pieces:
            torch.autograd.graph.increment_version(piece.weight)

    def _chunks(self, piece: PieceUpdate) -> list[Callable[[], None]]:
        num_elements = piece.weight.numel()
        tail = piece.parameter_elements % self._vector_width if piece.ends_parameter else 0
        constants = _constants(piece.scalars)
        weight, grad = _as_array(piece.weight), _as_array(piece.grad)
        kernel = update_float32 if piece.master is None else update_bfloat16
        arrays = [weight, grad, piece.exp_avg, piece.exp_avg_sq]
        if piece.master is not None:
            arrays.append(piece.master)

        def chunk(start: int, stop: int) -> Callable[[], None]:
            parts = tuple(array[start:stop] for array in arrays)
            own_tail = tail if stop == num_elements else 0
            return lambda: kernel(parts, constants, own_tail, self._is_fused)

        # A last chunk shorter than the tail cannot be: chunks are multiples of 64, and the tail is the rest of that.
        return [
            chunk(start, min(start + _CHUNK_ELEMENTS, num_elements))
            for start in range(0, num_elements, _CHUNK_ELEMENTS)
        ]


def _run(chunk: Callable[[], None]) -> None:
    chunk()


def _as_array(tensor: torch.Tensor) -> np.ndarray[Any, Any]:
    detached = tensor.detach()
    if detached.dtype == torch.bfloat16:
        array: np.ndarray[Any, Any] = detached.view(torch.int16).numpy().view(np.uint16)
        return array
    return detached.numpy()


def _constants(scalars: UpdateScalars) -> tuple[np.float32, ...]:
    return tuple(
        np.float32(value)
        for value in (
            1.0 if scalars.clip_factor is None else scalars.clip_factor,
            scalars.decay,
            1 - scalars.beta1,
            scalars.beta2,
            1 - scalars.beta2,
            scalars.negative_step_size,
            scalars.denominator_scale,
            scalars.eps,
        )
    )
