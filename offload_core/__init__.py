"""Spillway's engine: optimizer state larger than the memory at hand, moved while the model computes."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from offload_core.errors import OffloadError, PlacementError
    from offload_core.optimizer import OffloadedAdamW
    from offload_core.planning.placement import NvmePath, Placement, PlacementPlan, assign_tiers
    from offload_core.telemetry.report import StepReport
    from offload_core.telemetry.spans import Span

__all__ = [
    "NvmePath",
    "OffloadError",
    "OffloadedAdamW",
    "Placement",
    "PlacementError",
    "PlacementPlan",
    "Span",
    "StepReport",
    "assign_tiers",
]

_HOMES = {
    "NvmePath": "offload_core.planning.placement",
    "OffloadError": "offload_core.errors",
    "OffloadedAdamW": "offload_core.optimizer",
    "Placement": "offload_core.planning.placement",
    "PlacementError": "offload_core.errors",
    "PlacementPlan": "offload_core.planning.placement",
    "Span": "offload_core.telemetry.spans",
    "StepReport": "offload_core.telemetry.report",
    "assign_tiers": "offload_core.planning.placement",
}


def __getattr__(name: str) -> object:
    # On first use: the planner must be importable where torch is not.
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
