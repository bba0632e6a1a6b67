"""What a training process says while it runs: a union tagged by `kind`, appended to the spool one JSON line each.

`seq` counts an attempt's events from 1 without gaps. A step event stays under 1 KiB.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from contracts.base import Contract, UtcTime
from contracts.reasons import Reason


class Phase(StrEnum):
    """In the order a run passes through them."""

    LOAD = "load"
    TOKENIZE = "tokenize"
    PLAN = "plan"
    EVALUATE_BEFORE = "evaluate_before"
    TRAIN = "train"
    EVALUATE_AFTER = "evaluate_after"
    EXPORT = "export"


class When(StrEnum):
    BEFORE = "before"
    DURING = "during"
    AFTER = "after"


class TierBytes(Contract):
    device: int = 0
    host: int = 0
    nvme: int = 0


class StallSeconds(Contract):
    """How long compute waited in one step, by cause."""

    nvme_read: float = 0.0
    nvme_write: float = 0.0
    update: float = 0.0


class _Event(Contract):
    seq: int = Field(ge=1)
    time: UtcTime


class PhaseChanged(_Event):
    kind: Literal["phase.changed"] = "phase.changed"
    phase: Phase
    detail: str = Field(default="", max_length=300)


class PlanMade(_Event):
    """What the engine decided, before the first step."""

    kind: Literal["plan.made"] = "plan.made"
    num_parameters: int
    num_partitions: int
    total_steps: int
    train_rows: int
    eval_rows: int
    state_bytes: TierBytes
    limit_bytes: TierBytes
    """Budget a tier; for `host` state plus the transfer pool."""
    buffer_bytes: int
    schedule: str
    schedule_reason: str = Field(max_length=300)
    direct_io: bool
    """False: the disk's filesystem has no O_DIRECT and reads go through the page cache."""


class StepCompleted(_Event):
    """One optimizer step. Non-finite numbers travel as null, with `finite` false."""

    kind: Literal["step.completed"] = "step.completed"
    step: int = Field(ge=1)
    loss: float | None
    learning_rate: float
    grad_norm: float | None
    finite: bool = True
    skipped: bool = False
    step_seconds: float
    tokens: int
    tokens_per_second: float
    overlap_share: float | None
    """Of this step's transfer time, the share hidden by compute; null: nothing was transferred."""
    stall_seconds: StallSeconds
    read_bytes: int
    written_bytes: int
    occupancy_bytes: TierBytes
    """State and pool really held a tier."""
    rss_bytes: int
    """Resident memory of the training process."""


class EvaluationCompleted(_Event):
    kind: Literal["evaluation.completed"] = "evaluation.completed"
    when: When
    step: int = Field(ge=0)
    loss: float | None
    rows: int


class SampleGenerated(_Event):
    kind: Literal["sample.generated"] = "sample.generated"
    when: When
    index: int = Field(ge=0)
    prompt: str = Field(max_length=4000)
    text: str = Field(max_length=8000)


class TrainingFinished(_Event):
    """The work is done and the artifact's files are written; the process may still be alive."""

    kind: Literal["training.finished"] = "training.finished"
    steps: int
    eval_loss_before: float | None
    eval_loss_after: float | None
    tokens_per_second: float
    seconds_to_first_step: float
    overlap_share: float | None
    peak_rss_bytes: int
    """Highest resident memory between the first step and the last."""
    state_bytes: TierBytes


class TrainingStopped(_Event):
    """The process stopped at a step boundary because it was asked to."""

    kind: Literal["training.stopped"] = "training.stopped"
    step: int


class TrainingFailed(_Event):
    kind: Literal["training.failed"] = "training.failed"
    reason: Reason
    message: str = Field(max_length=2000)
    """The numbers and the next step, for a person."""
    detail: str = Field(default="", max_length=4000)
    """Last lines of the traceback."""


AnyEvent = (
    PhaseChanged
    | PlanMade
    | StepCompleted
    | EvaluationCompleted
    | SampleGenerated
    | TrainingFinished
    | TrainingStopped
    | TrainingFailed
)
Event = Annotated[AnyEvent, Field(discriminator="kind")]
EVENT: TypeAdapter[AnyEvent] = TypeAdapter(Event)


class Span(Contract):
    """One bar in a step's lanes. Times are seconds since the step's start."""

    lane: Literal["compute", "h2d", "d2h", "update", "nvme_read", "nvme_write", "stall"]
    start_seconds: float
    end_seconds: float
    partition: int | None = None
    num_bytes: int = 0
    cause: str = Field(default="", max_length=60)


class StepSpans(Contract):
    """The lanes of one step: a file of its own on the box, sent on request or at the end."""

    step: int
    duration_seconds: float
    overlap_share: float | None
    stall_seconds: StallSeconds
    spans: list[Span] = Field(max_length=20_000)
