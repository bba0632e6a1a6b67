"""Which schedule a run gets, and why. Pure."""

from __future__ import annotations

from typing import Literal

Schedule = Literal["auto", "plain", "into_forward"]
ChosenSchedule = Literal["plain", "into_forward"]


def choose_schedule(asked: Schedule, *, is_attached: bool, nvme_bytes: int) -> tuple[ChosenSchedule, str]:
    """Return the schedule in force and the reason, for the run's record."""
    if asked == "plain":
        return "plain", "asked for"
    if not is_attached:
        return "plain", "no model is attached: nothing would make its forward wait for fresh weights"
    if asked == "into_forward":
        return "into_forward", "asked for"
    if nvme_bytes == 0:
        return "plain", "no state is on nvme: updates would only compete with forward for cores"
    return "into_forward", "state is on nvme: its transfers hide behind forward and backward"
