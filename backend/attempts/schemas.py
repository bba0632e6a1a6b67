"""An attempt as people see it."""

from backend.attempts.states import AttemptState
from contracts.base import Contract, UtcTime
from contracts.reasons import Reason


class AttemptRead(Contract):
    attempt_id: str
    number: int
    state: AttemptState
    box_id: str
    box_name: str
    granted_at: UtcTime
    started_at: UtcTime | None
    ended_at: UtcTime | None
    lease_expires_at: UtcTime
    host_bytes: int
    """Host RAM leased for optimizer state."""
    nvme_bytes: int
    training_pid: int | None
    exit_code: int | None
    signal: int | None
    reason: Reason | None
    message: str
