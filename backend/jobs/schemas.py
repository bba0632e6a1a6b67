"""Jobs as people see them."""

from backend.attempts.schemas import AttemptRead
from contracts.base import Contract, UtcTime
from contracts.events import (
    EvaluationCompleted,
    Phase,
    PlanMade,
    SampleGenerated,
    StepCompleted,
    TierBytes,
    TrainingFinished,
)
from contracts.job import JobSpec, JobState
from contracts.problem import ProblemItem
from contracts.reasons import Reason


class ModelRef(Contract):
    model_id: str
    name: str


class DatasetRef(Contract):
    dataset_id: str
    name: str
    sha256: str


class ReasonText(Contract):
    sentence: str
    next_step: str


class JobSummary(Contract):
    job_id: str
    project_id: str
    name: str
    state: JobState
    reason: Reason | None
    queue_position: int | None
    """1 is next; null: not in the queue."""
    model: ModelRef
    created_by: str
    created_at: UtcTime
    started_at: UtcTime | None
    finished_at: UtcTime | None
    cancel_requested_at: UtcTime | None
    attempt_number: int
    """0: not tried yet. Phase, step, losses are those of this attempt."""
    phase: Phase | None
    step: int | None
    total_steps: int | None
    last_loss: float | None
    eval_loss_before: float | None
    eval_loss_after: float | None


class JobRead(JobSummary):
    reason_text: ReasonText | None
    message: str
    """The numbers behind state and reason."""
    spec: JobSpec
    dataset: DatasetRef


class JobSnapshot(Contract):
    """All a page needs to draw a job; follow it with `/stream?job_id=...&after=<last_event_id>`."""

    job: JobRead
    attempt: AttemptRead | None
    phase: Phase | None
    plan: PlanMade | None
    last_step: StepCompleted | None
    evaluations: list[EvaluationCompleted]
    samples: list[SampleGenerated]
    result: TrainingFinished | None
    last_event_id: int
    """Everything up to here is in this snapshot, nothing after it."""
    server_time: UtcTime


class MoveRead(Contract):
    time: UtcTime
    actor: str
    from_state: JobState | None
    to_state: JobState
    reason: Reason | None
    message: str


class MovePage(Contract):
    items: list[MoveRead]


class PlanBox(Contract):
    box_id: str
    name: str
    host_ram_bytes: int
    host_ram_available_bytes: int
    nvme_free_bytes: int
    nvme_total_bytes: int


class PlanRead(Contract):
    fits: bool | None
    """Null: not known, because the model's size is not or no box is connected."""
    num_parameters: int | None
    state_bytes: int | None
    state_bytes_by_tier: TierBytes | None
    box: PlanBox | None
    """The box this was measured against."""
    problems: list[ProblemItem]
    notes: list[str]
