"""Choosing the kernel: the fast one if it gives torch's bits in this process, torch's own otherwise."""

from __future__ import annotations

import functools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

from offload_core.kernels.adamw_torch import TorchKernel
from offload_core.kernels.scalars import UpdateScalars
from offload_core.kernels.update import PieceUpdate, UpdateKernel

# Every length of tail for widths up to 16, and enough elements for each rounding to show.
_PROBE_ELEMENTS = (*range(1, 34), 64 * 40 + 15)


@functools.cache
def select_kernel() -> UpdateKernel:
    """Return the fastest kernel whose bits equal torch's here. Compiles on first use (below a second when cached)."""
    try:
        from offload_core.kernels.numba_kernel import NumbaKernel  # noqa: PLC0415 - absent numba is a supported case
    except ImportError:
        return TorchKernel()
    candidates: list[UpdateKernel] = [NumbaKernel(vector_width=width, is_fused=True) for width in (16, 8, 4)]
    candidates.append(NumbaKernel(vector_width=1, is_fused=False))
    return next((kernel for kernel in candidates if gives_bits_of_torch(kernel)), TorchKernel())


def gives_bits_of_torch(kernel: UpdateKernel) -> bool:
    """Whether three updates of every probe length equal torch's own, bit for bit, float32 and bfloat16."""
    with ThreadPoolExecutor(1) as threads:
        return all(
            _probe(kernel, threads, num_elements, dtype)
            for dtype in (torch.float32, torch.bfloat16)
            for num_elements in _PROBE_ELEMENTS
        )


def _probe(kernel: UpdateKernel, threads: ThreadPoolExecutor, num_elements: int, dtype: torch.dtype) -> bool:
    # A generator of our own: the caller's random state is part of what training must reproduce.
    generator = torch.Generator().manual_seed(num_elements)
    first = torch.randn(num_elements, generator=generator).to(dtype)
    gradients = [torch.randn(num_elements, generator=generator).to(dtype) for _ in range(3)]
    results = []
    for tried in (kernel, TorchKernel()):
        weight = first.clone()
        state = np.zeros((2, num_elements), np.float32)
        master = None if dtype == torch.float32 else first.float().numpy().copy()
        for step, grad in enumerate(gradients, start=1):
            scalars = UpdateScalars(
                lr=1e-2,
                beta1=0.9,
                beta2=0.999,
                eps=1e-8,
                weight_decay=0.1,
                step=step,
                clip_factor=0.7 if step > 1 else None,
            )
            piece = PieceUpdate(
                weight=weight,
                grad=grad,
                exp_avg=state[0],
                exp_avg_sq=state[1],
                master=master,
                scalars=scalars,
                parameter_elements=num_elements,
                ends_parameter=True,
            )
            tried.update([piece], threads, 1)
        results.append([weight.float().numpy(), state, state if master is None else master])
    return all(np.array_equal(a, b) for a, b in zip(*results, strict=True))
