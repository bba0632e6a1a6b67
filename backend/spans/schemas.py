"""Which steps have lanes to look at."""

from typing import Literal

from contracts.base import Contract


class SpanStep(Contract):
    step: int
    stored: bool
    """False: still on the box; asking for it fetches it while the run lives."""


class SpanSteps(Contract):
    steps: list[SpanStep]


class SpansRequested(Contract):
    status: Literal["requested"] = "requested"
