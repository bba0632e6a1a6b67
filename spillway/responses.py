"""What the REST API answers, as far as the client reads it. Unknown fields are passed over: a server may be newer."""

from datetime import datetime
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from contracts.attempts import ModelSource
from contracts.base import UtcTime
from contracts.events import (
    AnyEvent,
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


class Response(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


Item = TypeVar("Item", bound=Response)


class Page(Response, Generic[Item]):
    items: list[Item]
    next_cursor: str | None = None


class ModelRead(Response):
    model_id: str
    name: str
    source: ModelSource
    architecture: str | None = None
    num_parameters: int | None = None
    dtype: str | None = None
    created_at: datetime


class DatasetRead(Response):
    dataset_id: str
    name: str
    sha256: str
    num_bytes: int
    num_rows: int
    created_at: datetime


class ReasonText(Response):
    sentence: str
    next_step: str


class NamedModel(Response):
    model_id: str
    name: str


class NamedDataset(Response):
    dataset_id: str
    name: str


class JobSummary(Response):
    job_id: str
    name: str
    state: JobState
    reason: Reason | None = None
    queue_position: int | None = None
    model: NamedModel
    created_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    attempt_number: int | None = None
    phase: Phase | None = None
    step: int | None = None
    total_steps: int | None = None
    last_loss: float | None = None
    eval_loss_before: float | None = None
    eval_loss_after: float | None = None


class JobRead(JobSummary):
    spec: JobSpec
    dataset: NamedDataset
    message: str = ""
    reason_text: ReasonText | None = None


class AttemptRead(Response):
    attempt_id: str
    number: int
    box_name: str
    training_pid: int | None = None


class JobSnapshot(Response):
    job: JobRead
    attempt: AttemptRead | None = None
    phase: Phase | None = None
    plan: PlanMade | None = None
    last_step: StepCompleted | None = None
    evaluations: list[EvaluationCompleted] = []
    samples: list[SampleGenerated] = []
    result: TrainingFinished | None = None
    last_event_id: int


class StateChanged(Response):
    """Written by the service at every move of a job."""

    kind: Literal["state.changed"] = "state.changed"
    time: UtcTime
    from_state: JobState | None = None
    to_state: JobState
    reason: Reason | None = None
    message: str = ""


class StoredEvent(Response):
    event_id: int
    job_id: str
    attempt_id: str | None = None
    time: datetime
    event: Annotated[AnyEvent | StateChanged, Field(discriminator="kind")]


class EventPage(Response):
    items: list[StoredEvent]
    last_event_id: int


class ArtifactItem(Response):
    name: str
    num_bytes: int
    sha256: str


class ArtifactList(Response):
    items: list[ArtifactItem]
    complete: bool


class PlanRead(Response):
    fits: bool | None
    num_parameters: int | None
    state_bytes: int | None
    state_bytes_by_tier: TierBytes | None
    problems: list[ProblemItem] = []
    notes: list[str] = []


class TokenRead(Response):
    token_id: str
    name: str
    created_at: datetime
    expires_at: datetime | None = None
    last_used_at: datetime | None = None


class TokenCreated(TokenRead):
    token: str


class BoxSeen(Response):
    box_id: str
    name: str
    seen_age_seconds: float


class Health(Response):
    status: Literal["ok", "degraded"]
    version: str
    boxes: list[BoxSeen] = []
