"""The numba kernel has torch's bits at every CPU capability, for any shape and any cut."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from offload_core.kernels.adamw_torch import TorchKernel
from offload_core.kernels.scalars import UpdateScalars
from offload_core.kernels.select import select_kernel
from offload_core.kernels.update import PieceUpdate

PROGRAM = """
import torch
from offload_core.kernels.select import select_kernel
print(torch.backends.cpu.get_cpu_capability(), select_kernel().name)
"""


@pytest.mark.parametrize("capability", ["default", "avx2", "avx512"])
def test_the_fast_kernel_has_the_bits_of_torch_at_every_capability(capability):
    environment = {**os.environ, "ATEN_CPU_CAPABILITY": capability}
    run = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    reached, kernel = run.stdout.split()
    if reached.lower() != capability:
        pytest.skip(f"this CPU does not have {capability}")
    assert kernel == "numba"


def make_pieces(num_elements, dtype, cuts, scalars, seed):
    generator = torch.Generator().manual_seed(seed)
    weight = torch.randn(num_elements, generator=generator).to(dtype)
    grad = (torch.randn(num_elements, generator=generator) * 3).to(dtype)
    state = np.abs(torch.randn(3, num_elements, generator=generator).numpy())
    state[2] = weight.float().numpy()
    bounds = [0, *cuts, num_elements]
    return (weight, state), [
        PieceUpdate(
            weight=weight[start:stop],
            grad=grad[start:stop],
            exp_avg=state[0, start:stop],
            exp_avg_sq=state[1, start:stop],
            master=None if dtype == torch.float32 else state[2, start:stop],
            scalars=scalars,
            parameter_elements=num_elements,
            ends_parameter=stop == num_elements,
        )
        for start, stop in pairwise(bounds)
    ]


@settings(max_examples=60, deadline=None)
@given(
    num_elements=st.integers(1, 700),
    cut=st.integers(0, 11),
    dtype=st.sampled_from([torch.float32, torch.bfloat16]),
    lr=st.floats(1e-6, 10),
    beta1=st.floats(0, 0.999),
    beta2=st.floats(0, 0.99999),
    weight_decay=st.sampled_from([0.0, 0.01, 0.5]),
    step=st.integers(1, 10000),
    clip_factor=st.sampled_from([None, 1.0, 0.1234]),
)
def test_any_cut_of_any_parameter_gives_the_bits_of_one_whole_update(
    num_elements, cut, dtype, lr, beta1, beta2, weight_decay, step, clip_factor
):
    scalars = UpdateScalars(
        lr=lr, beta1=beta1, beta2=beta2, eps=1e-8, weight_decay=weight_decay, step=step, clip_factor=clip_factor
    )
    cuts = [cut * 64] if 0 < cut * 64 < num_elements else []
    with ThreadPoolExecutor(2) as threads:
        results = []
        for kernel, used in ((select_kernel(), cuts), (TorchKernel(), [])):
            arrays, pieces = make_pieces(num_elements, dtype, used, scalars, seed=step)
            kernel.update(pieces, threads, 2)
            results.append(arrays)
    (weight, state), (want_weight, want_state) = results
    assert torch.equal(weight, want_weight)
    assert np.array_equal(state, want_state)


@pytest.mark.parametrize("weight_bits", [0x0000, 0x8000, 0x3F80, 0x3F81, 0x7F7F, 0x7F80, 0x7FC0, 0x0001])
def test_a_master_is_kept_exactly_where_it_rounds_to_its_weight(weight_bits):
    """Both kernels, for every master around a weight: what was written from outside starts anew from the weight."""
    near = np.arange(-0x8200, 0x8200, 0x40, dtype=np.int64) + (weight_bits << 16)
    near = near[~np.isnan(near.astype(np.uint32).view(np.float32))]
    masters = np.concatenate([near, np.array([0, 0x80000000, 0x7FC00000, 0xFFC00000, 0x3F800000])])
    master = masters.astype(np.uint32).view(np.float32)
    weight = torch.from_numpy(np.full(len(master), weight_bits, np.uint16).view(np.int16)).view(torch.bfloat16)
    # A step of nothing leaves the master that was used, but for the sign of zero.
    scalars = UpdateScalars(lr=0.0, beta1=0.9, beta2=0.999, eps=1e-8, weight_decay=0.0, step=1)
    results = []
    for kernel in (select_kernel(), TorchKernel()):
        stepped, state = weight.clone(), np.stack([np.zeros_like(master), np.zeros_like(master), master])
        piece = PieceUpdate(
            weight=stepped, grad=torch.zeros_like(stepped), exp_avg=state[0], exp_avg_sq=state[1], master=state[2],
            scalars=scalars, parameter_elements=len(master), ends_parameter=True,
        )  # fmt: skip
        with ThreadPoolExecutor(1) as threads:
            kernel.update([piece], threads, 1)
        results.append(state[2])
    assert np.array_equal(*results, equal_nan=True)
    rounded = torch.from_numpy(master.copy()).to(torch.bfloat16)
    used = np.where(rounded == weight, master, weight.float().numpy())
    is_tie = (masters & 0xFFFF) == 0x8000
    assert np.array_equal(results[0][~is_tie], used[~is_tie], equal_nan=True)


def test_large_arrays_are_spread_over_threads_without_a_change():
    scalars = UpdateScalars(lr=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, weight_decay=0.1, step=3)
    with ThreadPoolExecutor(2) as threads:
        (weight, state), pieces = make_pieces((1 << 20) + 77, torch.float32, [], scalars, seed=0)
        select_kernel().update(pieces, threads, 2)
        (want_weight, want_state), pieces = make_pieces((1 << 20) + 77, torch.float32, [], scalars, seed=0)
        TorchKernel().update(pieces, threads, 2)
    assert torch.equal(weight, want_weight)
    assert np.array_equal(state, want_state)


@pytest.mark.parametrize("kernel", [select_kernel(), TorchKernel()], ids=lambda kernel: kernel.name)
def test_autograd_notices_weights_that_changed_under_it(kernel):
    parameter = torch.nn.Parameter(torch.ones(8))
    loss = (parameter**2).sum()
    scalars = UpdateScalars(lr=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, weight_decay=0.1, step=1)
    _, [piece] = make_pieces(8, torch.float32, [], scalars, seed=0)
    changed = PieceUpdate(
        weight=parameter.detach().view(-1)[:8], grad=piece.grad, exp_avg=piece.exp_avg, exp_avg_sq=piece.exp_avg_sq,
        master=None, scalars=scalars, parameter_elements=8, ends_parameter=True,
    )  # fmt: skip
    with ThreadPoolExecutor(1) as threads:
        kernel.update([changed], threads, 1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
