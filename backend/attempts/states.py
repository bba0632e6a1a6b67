"""The states of one attempt."""

from enum import StrEnum


class AttemptState(StrEnum):
    GRANTED = "granted"
    """The scheduler gave it a box; the box does not know yet."""
    STARTING = "starting"
    """The box claimed it and prepares dataset, model and process."""
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    LOST = "lost"
    """Its lease ran out; whatever it still says is refused."""
