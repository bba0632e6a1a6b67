"""A tiny transformer with awkward parameter sizes, and the two ways to train it that must agree in every bit."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from offload_core import NvmePath, OffloadedAdamW, Placement

VOCABULARY = 29


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        # Uses out_proj.weight itself: the submodule's forward is never called.
        self.attention = nn.MultiheadAttention(width, 1, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(width, 37), nn.GELU(), nn.Linear(37, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.norm(x)
        x = x + self.attention(h, h, h, need_weights=False)[0]
        return x + self.mlp(x)


class Tiny(nn.Module):
    """Tied embedding, a scalar parameter, a module that is used only in even steps, optional checkpointing."""

    def __init__(self, *, width: int = 13, checkpoints: bool = False) -> None:
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(2))
        self.sometimes = nn.Linear(width, width)
        self.scale = nn.Parameter(torch.tensor(1.0))
        self.head = nn.Linear(width, VOCABULARY, bias=False)
        self.head.weight = self.embedding.weight
        self.checkpoints = checkpoints

    def forward(self, ids: torch.Tensor, *, uses_sometimes: bool) -> torch.Tensor:
        x = self.embedding(ids)
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if self.checkpoints else block(x)
        if uses_sometimes:
            x = x + self.sometimes(x)
        return self.head(x * self.scale)


class MixedPrecisionReference:
    """Plain mixed precision: float32 master, gradients cast and clipped, torch's fused AdamW, cast back."""

    def __init__(self, groups: list[dict[str, Any]], max_norm: float | None, order: list[nn.Parameter], **options: Any):
        self.masters = {p: nn.Parameter(p.detach().float()) for group in groups for p in group["params"]}
        self.order = [p for p in order if p in self.masters]
        self.max_norm = max_norm
        masters = [{**group, "params": [self.masters[p] for p in group["params"]]} for group in groups]
        self.inner = torch.optim.AdamW(masters, fused=True, **options)
        self.param_groups = self.inner.param_groups
        self.norms: list[float] = []

    def step(self) -> None:
        for parameter, master in self.masters.items():
            master.grad = None if parameter.grad is None else parameter.grad.float().clone()
        if self.max_norm is not None:
            norm = nn.utils.clip_grad_norm_([self.masters[p] for p in self.order], self.max_norm)
            self.norms.append(norm.item())
        self.inner.step()
        with torch.no_grad():
            for parameter, master in self.masters.items():
                if parameter.grad is not None:
                    parameter.copy_(master)
                parameter.grad = None


@pytest.fixture(autouse=True)
def _quiet_torch() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def tiny() -> Callable[..., Tiny]:
    def build(*, dtype: torch.dtype = torch.float32, **options: Any) -> Tiny:
        torch.manual_seed(0)
        return Tiny(**options).to(dtype)

    return build


@pytest.fixture
def offloaded(tmp_path: Path) -> Iterator[Callable[..., OffloadedAdamW]]:
    """Build optimizers that are closed at the end; `host_bytes` of state in RAM, the rest on disk."""
    opened: list[OffloadedAdamW] = []
    numbers = itertools.count()

    def build(params: Any, *, host_bytes: int | str = 0, model: nn.Module | None = None, **options: Any) -> Any:
        number = next(numbers)
        options.setdefault("partition_bytes", 4096)
        options.setdefault("buffer_bytes", 8 * 4096)
        placement = Placement(host_bytes=host_bytes, nvme=[NvmePath(tmp_path / "nvme")])
        optimizer = OffloadedAdamW(params, placement=placement, run_dir=tmp_path / f"run-{number}", **options)
        opened.append(optimizer)
        if model is not None:
            optimizer.attach(model)
        return optimizer

    yield build
    for optimizer in opened:
        optimizer.close()


def train(
    model: Tiny, optimizer: Any, *, steps: int = 20, accumulation: int = 1, schedules_lr: bool = False
) -> list[float]:
    """Train on fixed data; return the losses. The schedule moves lr right after step(), while updates may still run."""
    generator = torch.Generator().manual_seed(1)
    losses = []
    for step in range(steps):
        for _ in range(accumulation):
            ids = torch.randint(0, VOCABULARY, (2, 7), generator=generator)
            logits = model(ids, uses_sometimes=step % 2 == 0)
            loss = nn.functional.cross_entropy(logits.float().view(-1, VOCABULARY), ids.view(-1))
            (loss / accumulation).backward()
            losses.append(loss.item())
        optimizer.step()
        if schedules_lr:
            for group in optimizer.param_groups:
                group["lr"] *= 0.9
        model.zero_grad()
    return losses


@pytest.fixture(name="train")
def _train() -> Callable[..., list[float]]:
    return train


@pytest.fixture(name="reference")
def _reference() -> type[MixedPrecisionReference]:
    return MixedPrecisionReference
