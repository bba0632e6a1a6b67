"""The update kernel against the machine's memory and against torch, interleaved in one run.

Prints ratios with their spread, never a verdict: on a shared machine only ratios from the same rounds carry over.

    python benchmarks/optimizer_step.py --parameters 100e6 --rounds 9 --dtype bfloat16
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import torch
from torch.optim.adamw import adamw

from offload_core.kernels.adamw_torch import TorchKernel
from offload_core.kernels.scalars import UpdateScalars
from offload_core.kernels.select import select_kernel
from offload_core.kernels.update import PieceUpdate, UpdateKernel

SCALARS = UpdateScalars(lr=1e-4, beta1=0.9, beta2=0.999, eps=1e-8, weight_decay=0.01, step=10, clip_factor=0.5)


def make_piece(num_elements: int, dtype: torch.dtype) -> PieceUpdate:
    weight = torch.full((num_elements,), 0.02, dtype=dtype)
    return PieceUpdate(
        weight=weight,
        grad=torch.full((num_elements,), 1e-3, dtype=dtype),
        exp_avg=np.full(num_elements, 1e-4, np.float32),
        exp_avg_sq=np.full(num_elements, 1e-6, np.float32),
        master=None if dtype == torch.float32 else weight.float().numpy().copy(),
        scalars=SCALARS,
        parameter_elements=num_elements,
        ends_parameter=True,
    )


def same_traffic_copy(piece: PieceUpdate, threads: ThreadPoolExecutor, num_threads: int) -> None:
    """Read the gradient, and read and write in place everything the update writes, without arithmetic to speak of."""
    weight, grad = (tensor.view(torch.int16).numpy() for tensor in (piece.weight, piece.grad))
    writable = [piece.exp_avg, piece.exp_avg_sq, *([] if piece.master is None else [piece.master])]
    size = -(-weight.size // num_threads)

    def touch(start: int) -> None:
        part = slice(start, start + size)
        for array in writable:
            np.negative(array[part], out=array[part])
        np.copyto(weight[part], grad[part])

    list(threads.map(touch, range(0, weight.size, size)))


def torch_with_casts(piece: PieceUpdate, moments: dict[str, torch.Tensor]) -> None:
    """What a user writes: clip, cast the gradient, torch's fused AdamW on the whole tensor, cast the weight back."""
    target = piece.weight if piece.master is None else torch.from_numpy(piece.master)
    grad = piece.grad.float() * SCALARS.clip_factor
    adamw(
        [target], [grad], [torch.from_numpy(piece.exp_avg)], [torch.from_numpy(piece.exp_avg_sq)], [],
        [moments["step"]], fused=True, amsgrad=False, beta1=0.9, beta2=0.999, lr=1e-4, weight_decay=0.01, eps=1e-8,
        maximize=False,
    )  # fmt: skip
    if piece.master is not None:
        piece.weight.copy_(target)


def kernel_step(kernel: UpdateKernel, piece: PieceUpdate, threads: ThreadPoolExecutor, num_threads: int) -> None:
    kernel.update([piece], threads, num_threads)


def timed(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parameters", type=float, default=50e6)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), default="bfloat16")
    arguments = parser.parse_args()

    num_elements, num_threads = int(arguments.parameters), torch.get_num_threads()
    piece = make_piece(num_elements, getattr(torch, arguments.dtype))
    kernel, moments = select_kernel(), {"step": torch.tensor(9.0)}
    with ThreadPoolExecutor(num_threads) as threads:
        ways: dict[str, Callable[[], None]] = {
            "copy, same traffic": partial(same_traffic_copy, piece, threads, num_threads),
            f"engine ({kernel.name})": partial(kernel_step, kernel, piece, threads, num_threads),
            "engine (torch fallback)": partial(kernel_step, TorchKernel(), piece, threads, num_threads),
            "torch fused with casts": partial(torch_with_casts, piece, moments),
        }
        for work in ways.values():
            work()
        # Interleaved: a neighbour's burst falls on all ways alike.
        seconds = [{name: timed(work) for name, work in ways.items()} for _ in range(arguments.rounds)]

    reference = "copy, same traffic"
    print(f"{num_elements} {arguments.dtype} parameters, {num_threads} threads, {arguments.rounds} rounds")
    print(f"{'way':28} {'M parameters/s':>15} {'speed against copy: median (least to most)':>46}")
    for name in ways:
        ratios = sorted(row[reference] / row[name] for row in seconds)
        speed = num_elements / statistics.median(row[name] for row in seconds) / 1e6
        print(f"{name:28} {speed:15.0f} {statistics.median(ratios):28.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")


if __name__ == "__main__":
    main()
