"""Health means that work is being done, not that a process is up."""

from typing import Literal

from contracts.base import Contract


class BoxHealth(Contract):
    box_id: str
    name: str
    seen_age_seconds: float


class HealthRead(Contract):
    status: Literal["ok", "degraded"]
    version: str
    database: Literal["ok", "unreachable"]
    scheduler_age_seconds: float | None
    """Since the scheduler's last completed tick; null: none yet."""
    outbox_pending: int
    boxes: list[BoxHealth]
