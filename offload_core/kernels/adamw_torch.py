"""The same bits from torch's own fused AdamW, where numba cannot run. Slower: casts are passes of their own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import torch
from torch.optim.adamw import adamw

from offload_core.kernels.update import PieceUpdate

_CHUNK_ELEMENTS = 1 << 20


class TorchKernel:
    """Fused AdamW of torch, a bounded chunk at a time."""

    name = "torch"

    def update(self, pieces: list[PieceUpdate], threads: ThreadPoolExecutor, num_threads: int) -> None:
        """Step every piece; torch spreads the work itself, so the threads stay unused."""
        del threads, num_threads
        with torch.no_grad():
            for piece in pieces:
                for start in range(0, piece.weight.numel(), _CHUNK_ELEMENTS):
                    _update(piece, slice(start, start + _CHUNK_ELEMENTS))
                # The fused operator does not always tell autograd that it wrote.
                torch.autograd.graph.increment_version(piece.weight)


def _update(piece: PieceUpdate, part: slice) -> None:
    scalars = piece.scalars
    weight, grad = piece.weight[part], piece.grad[part].float()
    target = weight if piece.master is None else _trusted_master(torch.from_numpy(piece.master[part]), weight)
    if scalars.clip_factor is not None:
        grad = grad * torch.tensor(scalars.clip_factor, dtype=torch.float32)
    adamw(
        [target],
        [grad],
        [torch.from_numpy(piece.exp_avg[part])],
        [torch.from_numpy(piece.exp_avg_sq[part])],
        [],
        # torch adds one to the step before it uses it.
        [torch.tensor(float(scalars.step - 1))],
        fused=True,
        amsgrad=False,
        beta1=scalars.beta1,
        beta2=scalars.beta2,
        lr=scalars.lr,
        weight_decay=scalars.weight_decay,
        eps=scalars.eps,
        maximize=False,
    )
    if piece.master is not None:
        weight.copy_(target)


def _trusted_master(master: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    # As the numba kernel: a master that is not within rounding of its weight starts anew from the weight.
    distance = master.view(torch.int32) - (weight.view(torch.int16).to(torch.int32) << 16)
    return torch.where((distance >= -0x8000) & (distance <= 0x8000), master, weight.float(), out=master)
