"""Events as one line for people each. Pure."""

from contracts.events import (
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
from spillway.responses import StateChanged, StoredEvent

_SAMPLE_CHARACTERS = 120


def describe(stored: StoredEvent, total_steps: int | None) -> str:  # noqa: PLR0911  one a kind of event
    """The event in one line."""
    event = stored.event
    match event:
        case StateChanged():
            moved = f"{event.from_state} → {event.to_state}" if event.from_state else str(event.to_state)
            return f"state   {moved}" + (f": {event.message}" if event.message else "")
        case PhaseChanged():
            return f"phase   {event.phase.replace('_', ' ')}" + (f": {event.detail}" if event.detail else "")
        case PlanMade():
            return (
                f"plan    {event.num_parameters:,} parameters, optimizer state {describe_tiers(event.state_bytes)}, "
                f"{event.total_steps} steps over {event.train_rows:,} rows, {event.eval_rows} held out"
            )
        case StepCompleted():
            return describe_step(event, total_steps)
        case EvaluationCompleted():
            return f"eval    loss {_number(event.loss)} {event.when} training ({event.rows} rows)"
        case SampleGenerated():
            return f"sample  {event.when}: {_short(event.prompt)!r} → {_short(event.text)!r}"
        case TrainingFinished():
            return (
                f"done    {event.steps} steps, eval loss {_number(event.eval_loss_before)} → "
                f"{_number(event.eval_loss_after)}, {event.tokens_per_second:.1f} tokens/s"
            )
        case TrainingStopped():
            return f"stopped after step {event.step}"
        case TrainingFailed():
            return f"failed  {event.message}"


def describe_step(event: StepCompleted, total_steps: int | None) -> str:
    of = f"/{total_steps}" if total_steps else ""
    overlap = "" if event.overlap_share is None else f"  overlap {event.overlap_share:.0%}"
    return (
        f"step    {event.step}{of}  loss {_number(event.loss)}  {event.tokens_per_second:.1f} tokens/s  "
        f"{event.step_seconds:.1f} s{overlap}"
    )


def describe_tiers(tiers: TierBytes) -> str:
    """`1.00 GiB nvme`; tiers that hold nothing are left out."""
    parts = [
        f"{format_bytes(value)} {name}"
        for name, value in (("device", tiers.device), ("host", tiers.host), ("nvme", tiers.nvme))
        if value
    ]
    return " + ".join(parts) or "0 B"


def _number(value: float | None) -> str:
    return "not finite" if value is None else f"{value:.4f}"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SAMPLE_CHARACTERS else flat[: _SAMPLE_CHARACTERS - 1] + "…"
