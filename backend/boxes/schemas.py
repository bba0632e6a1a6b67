"""Boxes as people see them."""

from contracts.attempts import BoxState
from contracts.base import Contract, UtcTime


class BoxRead(Contract):
    box_id: str
    name: str
    state: BoxState
    seen_at: UtcTime
    is_alive: bool
    """Heard of within the last 15 seconds."""
