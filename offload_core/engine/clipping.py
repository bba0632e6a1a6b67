"""The norm and the factor of `torch.nn.utils.clip_grad_norm_`, without touching the gradients."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass

import torch

# Weak, so that zero_grad() frees them, and not ids, which a later gradient may get again.
Seen = tuple[tuple["weakref.ref[torch.Tensor]", int], ...]


@dataclass(frozen=True, slots=True)
class Clip:
    """A total norm (0-dim float32 tensor) and the factor that torch would multiply gradients by.

    `seen` are the gradients it was taken of, with their versions: whatever is added later was not counted.
    """

    total_norm: torch.Tensor
    factor: float
    seen: Seen

    @property
    def is_finite(self) -> bool:
        """Whether a step may be taken."""
        return bool(torch.isfinite(self.total_norm))

    def is_of(self, gradients: Sequence[torch.Tensor]) -> bool:
        """Whether these are the gradients measured, unchanged."""
        seen = [(gradient(), version) for gradient, version in self.seen]
        return len(seen) == len(gradients) and all(
            was is gradient and version == gradient._version  # noqa: SLF001 - torch's counter
            for (was, version), gradient in zip(seen, gradients, strict=True)
        )

    def is_of_none(self, gradients: Sequence[torch.Tensor]) -> bool:
        """Whether none of these was measured: zero_grad() came in between."""
        alive = {id(gradient) for reference, _ in self.seen if (gradient := reference()) is not None}
        return alive.isdisjoint(id(gradient) for gradient in gradients)


def measure(gradients: Sequence[torch.Tensor], max_norm: float) -> Clip:
    """Return norm and factor of gradients given in the order in which torch combines them.

    As torch 2.13 `clip_grad_norm_`: a norm for each whole gradient (in float32), then the norm of the norms.
    """
    if not gradients:
        return Clip(torch.tensor(0.0), 1.0, ())
    with torch.no_grad():
        norms = [torch.linalg.vector_norm(gradient, 2.0, dtype=torch.float32) for gradient in gradients]
        total_norm = torch.linalg.vector_norm(torch.stack(norms), 2.0)
        factor = torch.clamp(max_norm / (total_norm + 1e-6), max=1.0)
    return Clip(total_norm, float(factor), note(gradients))


def note(gradients: Sequence[torch.Tensor]) -> Seen:
    """Return what tells whether gradients are still those that were measured."""
    return tuple((weakref.ref(gradient), gradient._version) for gradient in gradients)  # noqa: SLF001 - torch's counter
