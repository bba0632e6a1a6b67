"""From the engine's reports and the trainer's numbers to events, and the decisions at a step boundary."""

import math
import time
from dataclasses import dataclass
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState

from contracts.events import StallSeconds, StepCompleted, TierBytes
from offload_core.telemetry.report import StepReport
from worker.spool import SpoolWriter
from worker.training.errors import DivergedError
from worker.training.process_memory import reset_peak_rss, rss_bytes
from worker.training.span_files import step_spans, transfer_seconds
from worker.training.step_meter import Measured, StepMeter

MAX_NONFINITE_STEPS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class _FinishedStep:
    measured: Measured
    learning_rate: float
    seconds: float


@dataclass(frozen=True, kw_only=True, slots=True)
class RunFigures:
    """Of the whole training loop."""

    steps: int
    tokens: int
    seconds: float
    overlap_share: float | None

    @property
    def tokens_per_second(self) -> float:
        return self.tokens / self.seconds if self.seconds else 0.0


class StepEvents(TrainerCallback):
    """Emits `step.completed` once the engine's report of the step is there: when the next step's update starts, or at
    the end, since the transfers that step hides behind the next forward and backward belong to it.
    """

    def __init__(self, spool: SpoolWriter, meter: StepMeter) -> None:
        self.first_step_at: float | None = None
        """time.time() when the first step started."""
        self.stop_was_asked = False
        self._spool = spool
        self._meter = meter
        self._learning_rate = 0.0
        self._started = self._ended = 0.0
        self._first_started = 0.0
        self._finished: dict[int, _FinishedStep] = {}
        self._nonfinite_in_a_row = 0
        self._steps = self._tokens = 0
        self._transfer_seconds = self._hidden_seconds = 0.0

    def figures(self) -> RunFigures:
        return RunFigures(
            steps=self._steps,
            tokens=self._tokens,
            seconds=self._ended - self._first_started,
            overlap_share=self._hidden_seconds / self._transfer_seconds if self._transfer_seconds else None,
        )

    # Called by the trainer, in this order a step.

    def on_step_begin(self, args: Any, state: TrainerState, control: TrainerControl, **_: Any) -> None:  # noqa: ARG002
        self._started = time.monotonic()
        if self.first_step_at is None:
            self.first_step_at = time.time()
            self._first_started = self._started
            reset_peak_rss()

    def on_pre_optimizer_step(
        self,
        args: Any,  # noqa: ARG002
        state: TrainerState,  # noqa: ARG002
        control: TrainerControl,  # noqa: ARG002
        **given: Any,
    ) -> None:
        # Before the scheduler moves it to the next step's.
        self._learning_rate = float(given["optimizer"].param_groups[0]["lr"])

    def on_step_end(
        self,
        args: Any,  # noqa: ARG002
        state: TrainerState,
        control: TrainerControl,
        **given: Any,
    ) -> None:
        self._ended = time.monotonic()
        measured = self._meter.take()
        self._finished[state.global_step] = _FinishedStep(
            measured=measured, learning_rate=self._learning_rate, seconds=self._ended - self._started
        )
        self._steps = state.global_step
        self._tokens += measured.tokens
        # A finite loss may have a gradient that is not: such a step is skipped, and a run of them learns nothing.
        is_sound = math.isfinite(measured.loss) and not given["optimizer"].step_was_skipped
        self._nonfinite_in_a_row = 0 if is_sound else self._nonfinite_in_a_row + 1
        if self._nonfinite_in_a_row == MAX_NONFINITE_STEPS:
            raise DivergedError(step=state.global_step, num_steps=MAX_NONFINITE_STEPS)
        if self._spool.stop_requested() is not None:
            self.stop_was_asked = True
            control.should_training_stop = True

    # Called by the engine, on the training thread.

    def on_step_report(self, report: StepReport) -> None:
        step = self._finished.pop(report.step, None)
        if step is None:
            # An error between the update and the step's end: it is what the run ends with, not this report.
            return
        moved_seconds = transfer_seconds(report)
        self._transfer_seconds += moved_seconds
        self._hidden_seconds += moved_seconds * (report.overlap_share or 0.0)
        stall = report.stall_seconds
        self._spool.emit(
            StepCompleted,
            step=report.step,
            loss=_finite(step.measured.loss),
            learning_rate=step.learning_rate,
            grad_norm=_finite(report.grad_norm),
            finite=math.isfinite(step.measured.loss) and math.isfinite(report.grad_norm or 0.0),
            skipped=report.is_skipped,
            step_seconds=step.seconds,
            tokens=step.measured.tokens,
            tokens_per_second=step.measured.tokens / step.seconds,
            overlap_share=report.overlap_share,
            # Waits that no transfer explains are the engine's own work.
            stall_seconds=StallSeconds(
                nvme_read=stall["nvme_read"], nvme_write=stall["nvme_write"], update=stall["update"] + stall["other"]
            ),
            read_bytes=report.bytes_read,
            written_bytes=report.bytes_written,
            occupancy_bytes=TierBytes(
                device=report.occupancy_bytes["device"],
                host=report.occupancy_bytes["host"] + report.buffer_pool_bytes,
                nvme=report.occupancy_bytes["nvme"],
            ),
            rss_bytes=rss_bytes(),
        )
        self._spool.write_spans(step_spans(report))


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
