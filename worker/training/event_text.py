"""Events as lines for people: the same words in the run's log and on the terminal."""

from typing import TextIO

from contracts.events import (
    AnyEvent,
    EvaluationCompleted,
    PhaseChanged,
    PlanMade,
    SampleGenerated,
    StepCompleted,
    TierBytes,
    TrainingFailed,
    TrainingFinished,
    TrainingStopped,
)
from contracts.sizes import format_bytes

_SAMPLE_CHARS = 160


def event_text(event: AnyEvent, total_steps: int) -> str:
    """One or two lines without a line end."""
    match event:
        case PhaseChanged():
            text = event.phase.replace("_", " ") + (f": {event.detail}" if event.detail else "")
        case PlanMade():
            text = _plan_text(event)
        case StepCompleted():
            text = _step_text(event, total_steps)
        case EvaluationCompleted():
            text = f"  loss on {event.rows} held-out rows: {loss_text(event.loss)}"
        case SampleGenerated():
            text = f"  {_short(event.prompt)}\n    {_short(event.text)}"
        case TrainingStopped():
            text = f"stopped after step {event.step}; no artifact was written"
        case TrainingFinished():
            text = (
                f"done: {event.steps} steps, eval loss {loss_text(event.eval_loss_before)} -> "
                f"{loss_text(event.eval_loss_after)}, {event.tokens_per_second:.1f} tokens/s"
            )
        case TrainingFailed():
            text = f"failed, {event.reason}: {event.message}"
    return text


class LogLines:
    """Writes each event with its time, and leaves writing at once: the log's last line is the run's last word."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._total_steps = 0

    def show(self, event: AnyEvent) -> None:
        if isinstance(event, PlanMade):
            self._total_steps = event.total_steps
        self._stream.write(f"{event.time:%H:%M:%S}Z {event_text(event, self._total_steps)}\n")
        self._stream.flush()


def loss_text(loss: float | None) -> str:
    return "not finite" if loss is None else f"{loss:.4f}"


def tiers_text(tiers: TierBytes) -> str:
    held = (("device", tiers.device), ("host", tiers.host), ("nvme", tiers.nvme))
    return " + ".join(f"{format_bytes(value)} {tier}" for tier, value in held if value) or "none"


def _plan_text(plan: PlanMade) -> str:
    io = "" if plan.direct_io or not plan.state_bytes.nvme else "; no direct I/O here, the page cache is used"
    return (
        f"  {plan.num_parameters:,} parameters, optimizer state {tiers_text(plan.state_bytes)} in "
        f"{plan.num_partitions} partitions{io}\n"
        f"  {plan.total_steps} steps over {plan.train_rows:,} rows; updates {plan.schedule}: {plan.schedule_reason}"
    )


def _step_text(step: StepCompleted, total_steps: int) -> str:
    overlap = "" if step.overlap_share is None else f"  overlap {step.overlap_share:.0%}"
    skipped = "  skipped: the gradient was not finite" if step.skipped else ""
    return (
        f"  step {step.step}/{total_steps}  loss {loss_text(step.loss)}  {step.tokens_per_second:.0f} tokens/s"
        f"{overlap}{skipped}"
    )


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SAMPLE_CHARS else f"{flat[: _SAMPLE_CHARS - 1]}…"
