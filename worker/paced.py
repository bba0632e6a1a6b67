"""A training process without torch: real events, spans and an artifact, at a pace. To rehearse the service.

`python -m worker.paced ATTEMPT_FOLDER`. The spec's `sample_prompts` may hold directives: `step_seconds=0.2`,
`artifact_bytes=1000000`, `fail_at=5`.
"""

import hashlib
import sys
import time
from pathlib import Path

from contracts.events import (
    EvaluationCompleted,
    Phase,
    PhaseChanged,
    PlanMade,
    SampleGenerated,
    Span,
    StallSeconds,
    StepCompleted,
    StepSpans,
    TierBytes,
    TrainingFailed,
    TrainingFinished,
    TrainingStopped,
    When,
)
from contracts.reasons import Reason
from contracts.spool import RUN_FILE, STOPPED_EXIT_CODE, RunOrder
from worker.spool import SpoolWriter

_PARAMETERS = 1_000_000
_STATE = TierBytes(nvme=12 * _PARAMETERS)
_OVERLAP_SHARE = 0.75
_BLOCK_BYTES = 1 << 16


def main(attempt_folder: Path) -> int:
    order = RunOrder.model_validate_json((attempt_folder / RUN_FILE).read_bytes())
    with SpoolWriter(attempt_folder) as spool:
        return _Run(order, spool).train()


class _Run:
    def __init__(self, order: RunOrder, spool: SpoolWriter) -> None:
        directives = dict(text.partition("=")[::2] for text in order.spec.evaluation.sample_prompts)
        self._spool = spool
        self._artifact = Path(order.artifact_path)
        self._rows = sum(1 for line in Path(order.dataset_path).read_bytes().splitlines() if line.strip())
        self._steps = order.spec.training.max_steps or 20
        self._learning_rate = order.spec.training.learning_rate
        self._step_seconds = float(directives.get("step_seconds", "0.05"))
        self._artifact_bytes = int(directives.get("artifact_bytes", "300000"))
        self._fail_at = int(directives.get("fail_at", "0"))
        self._began = time.monotonic()

    def train(self) -> int:
        self._before()
        for step in range(1, self._steps + 1):
            if (reason := self._spool.stop_requested()) is not None:
                self._spool.emit(TrainingStopped, step=step - 1)
                sys.stdout.write(f"stopped after step {step - 1}: {reason}\n")
                return STOPPED_EXIT_CODE
            if step == self._fail_at:
                self._spool.emit(TrainingFailed, reason=Reason.DIVERGED, message=f"The loss is NaN at step {step}.")
                return 1
            self._step(step)
        self._after()
        return 0

    def _before(self) -> None:
        for phase in (Phase.LOAD, Phase.TOKENIZE, Phase.PLAN):
            self._spool.emit(PhaseChanged, phase=phase)
        self._spool.emit(
            PlanMade, num_parameters=_PARAMETERS, num_partitions=4, total_steps=self._steps, train_rows=self._rows,
            eval_rows=1, state_bytes=_STATE, limit_bytes=_STATE, buffer_bytes=1 << 20, schedule="plain",
            schedule_reason="a rehearsal moves nothing", direct_io=True,
        )  # fmt: skip
        self._evaluate(Phase.EVALUATE_BEFORE, When.BEFORE, 0)
        self._spool.emit(PhaseChanged, phase=Phase.TRAIN)
        self._first_step_after = time.monotonic() - self._began

    def _step(self, step: int) -> None:
        time.sleep(self._step_seconds)
        stall = StallSeconds(nvme_read=self._step_seconds * 0.1)
        self._spool.emit(
            StepCompleted, step=step, loss=self._loss(step), learning_rate=self._learning_rate, grad_norm=1.0,
            step_seconds=self._step_seconds, tokens=1024, tokens_per_second=1024 / max(self._step_seconds, 1e-3),
            overlap_share=_OVERLAP_SHARE, stall_seconds=stall, read_bytes=_STATE.nvme, written_bytes=_STATE.nvme,
            occupancy_bytes=_STATE, rss_bytes=50_000_000,
        )  # fmt: skip
        bars = [
            Span(lane="compute", start_seconds=0, end_seconds=self._step_seconds, partition=0),
            Span(lane="nvme_read", start_seconds=0, end_seconds=self._step_seconds / 2, num_bytes=_STATE.nvme),
        ]
        self._spool.write_spans(
            StepSpans(
                step=step, duration_seconds=self._step_seconds, overlap_share=_OVERLAP_SHARE, stall_seconds=stall,
                spans=bars,
            )
        )  # fmt: skip
        sys.stdout.write(f"step {step} of {self._steps}\n")

    def _after(self) -> None:
        self._evaluate(Phase.EVALUATE_AFTER, When.AFTER, self._steps)
        self._spool.emit(PhaseChanged, phase=Phase.EXPORT)
        self._artifact.mkdir(parents=True, exist_ok=True)
        (self._artifact / "config.json").write_text('{"model_type": "rehearsal"}\n')
        with (self._artifact / "model.safetensors").open("wb") as file:
            for start in range(0, self._artifact_bytes, _BLOCK_BYTES):
                block = hashlib.shake_128(str(start).encode()).digest(min(_BLOCK_BYTES, self._artifact_bytes - start))
                file.write(block)
        self._spool.emit(
            TrainingFinished, steps=self._steps, eval_loss_before=self._loss(0),
            eval_loss_after=self._loss(self._steps), tokens_per_second=1024.0,
            seconds_to_first_step=self._first_step_after,
            overlap_share=_OVERLAP_SHARE, peak_rss_bytes=50_000_000, state_bytes=_STATE,
        )  # fmt: skip

    def _evaluate(self, phase: Phase, when: When, step: int) -> None:
        self._spool.emit(PhaseChanged, phase=phase)
        self._spool.emit(EvaluationCompleted, when=when, step=step, loss=self._loss(step), rows=1)
        self._spool.emit(SampleGenerated, when=when, index=0, prompt="What is a rehearsal?", text=f"Step {step}.")

    def _loss(self, step: int) -> float:
        return 2.0 + 2.0 / (1 + step)


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
