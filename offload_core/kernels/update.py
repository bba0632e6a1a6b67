"""What an update kernel takes, and how a partition's work is spread over threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch

from offload_core.kernels.scalars import UpdateScalars

Float32Array = npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, slots=True)
class PieceUpdate:
    """One piece of one parameter, ready to step; everything is flat, contiguous and of one length.

    `weight` and `grad` share a dtype, float32 or bfloat16; `master` is there for bfloat16 alone, and is taken anew
    from the weight wherever it does not round to it. `ends_parameter` says that the piece's end is the parameter's,
    where torch's scalar tail lies.
    """

    weight: torch.Tensor
    grad: torch.Tensor
    exp_avg: Float32Array
    exp_avg_sq: Float32Array
    master: Float32Array | None
    scalars: UpdateScalars
    parameter_elements: int
    ends_parameter: bool


class UpdateKernel(Protocol):
    """Steps pieces in place. `name` goes into records."""

    @property
    def name(self) -> str:
        """Short name for records, such as "numba"."""
        ...

    def update(self, pieces: list[PieceUpdate], threads: ThreadPoolExecutor, num_threads: int) -> None:
        """Step every piece; blocks until all are done. Bumps each weight's autograd version."""
        ...
