"""The numbers of one parameter's update, captured when `step()` is called."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class UpdateScalars:
    """Hyper-parameters of one AdamW update; `step` counts from 1, `clip_factor` None means no clipping."""

    lr: float
    beta1: float
    beta2: float
    eps: float
    weight_decay: float
    step: int
    clip_factor: float | None = None

    @property
    def decay(self) -> float:
        """What the weight is multiplied by before the update."""
        return 1 - self.lr * self.weight_decay

    @property
    def negative_step_size(self) -> float:
        """lr over the bias correction of exp_avg, with its sign."""
        return -(self.lr / (1 - self.beta1**self.step))

    @property
    def denominator_scale(self) -> float:
        """Square root of the bias correction of exp_avg_sq."""
        return math.sqrt(1 - self.beta2**self.step)
