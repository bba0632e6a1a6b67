"""How hard an attempt is asked to end, by the time since it was first asked. Pure."""

from dataclasses import dataclass
from enum import IntEnum

_REAP_SECONDS = 2.0
"""What the shim needs to write its record once all is killed."""


class StopRung(IntEnum):
    ASK = 0
    """The stop file is there; the run may reach a step boundary."""
    TERM_SHIM = 1
    """The shim ends the tree: TERM, its own grace, KILL."""
    KILL_TREE = 2
    """All but the shim, so that it can still say how they ended."""
    KILL_ALL = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class StopLadder:
    stop_grace_seconds: float
    kill_grace_seconds: float

    def rung(self, asked_seconds_ago: float, *, is_hurried: bool = False) -> StopRung:
        """Hurried: a person does not want to wait for a step boundary."""
        after_term = asked_seconds_ago - (0.0 if is_hurried else self.stop_grace_seconds)
        if after_term < 0:
            return StopRung.ASK
        if after_term < self.kill_grace_seconds + _REAP_SECONDS:
            return StopRung.TERM_SHIM
        if after_term < self.kill_grace_seconds + 2 * _REAP_SECONDS:
            return StopRung.KILL_TREE
        return StopRung.KILL_ALL
