"""Step windows: from the start of one `step()` to the start of the next, so that all its transfers land in it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from offload_core.planning.placement import Tier
from offload_core.telemetry.report import StepOutcome, StepReport, build_report
from offload_core.telemetry.spans import SpanRecorder


class Windows:
    """Opens and closes windows and delivers their reports, on the training thread."""

    def __init__(self, on_step_report: Callable[[StepReport], None] | None) -> None:
        self.recorder = SpanRecorder()
        self.last: StepReport | None = None
        self.occupancy_bytes: Mapping[Tier, int] = {}
        self.occupancy_limit_bytes: Mapping[Tier, int | None] = {}
        self.buffer_pool_bytes = 0
        self._on_step_report = on_step_report
        self._start_ns = 0
        self._step_end_ns = 0
        self._outcome: StepOutcome | None = None
        self.was_skipped = False

    def begin(self) -> None:
        """A step starts: close the window before it, if one is open."""
        self.finish()
        self._start_ns = time.monotonic_ns()

    def end_of_step(self, outcome: StepOutcome) -> None:
        """`step()` is about to return; its window stays open."""
        self._outcome = outcome
        self.was_skipped = outcome.is_skipped
        self._step_end_ns = time.monotonic_ns()

    def finish(self) -> None:
        """Close the open window, keep its report and deliver it. Without one, nothing happens."""
        if self._outcome is None:
            return
        report = build_report(
            self._outcome,
            self.recorder.take(),
            start_ns=self._start_ns,
            step_end_ns=self._step_end_ns,
            end_ns=time.monotonic_ns(),
            occupancy_bytes=self.occupancy_bytes,
            occupancy_limit_bytes=self.occupancy_limit_bytes,
            buffer_pool_bytes=self.buffer_pool_bytes,
        )
        self._outcome = None
        self.last = report
        if self._on_step_report is not None:
            self._on_step_report(report)
