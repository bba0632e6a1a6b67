"""What a person asks for: the job spec, and the states a job moves through."""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from contracts.base import Contract
from contracts.sizes import ByteSize


class JobState(StrEnum):
    QUEUED = "queued"
    WAITING = "waiting"
    STARTING = "starting"
    RUNNING = "running"
    PAUSING = "pausing"
    PAUSED = "paused"
    SAVING = "saving"
    CANCELLING = "cancelling"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        return self in {JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED}


class PlacementSpec(Contract):
    """Which tier may hold how much optimizer state. Host RAM fills first, then NVMe.

    None means "as much as the state needs". The words `host` and `nvme` stand for all of it there.
    """

    host_bytes: ByteSize | None = None
    """Host RAM for state; null: as much as it needs."""
    nvme_bytes: ByteSize | None = None
    """NVMe for state; null: as much as it needs."""


_NAMED_PLACEMENTS = {
    "host": {"host_bytes": None, "nvme_bytes": 0},
    "nvme": {"host_bytes": 0, "nvme_bytes": None},
}


def _named_placement(value: object) -> object:
    if not isinstance(value, str):
        return value
    if value not in _NAMED_PLACEMENTS:
        msg = f"{value!r} is not a placement; write host, nvme, or host_bytes and nvme_bytes"
        raise ValueError(msg)
    return _NAMED_PLACEMENTS[value]


Placement = Annotated[PlacementSpec, BeforeValidator(_named_placement)]


class TrainingSpec(Contract):
    """How to train. Each default is a sane first try for supervised fine-tuning."""

    max_steps: int | None = Field(default=None, ge=1, le=10_000_000)
    """Optimizer steps; null: run `epochs` over the data."""
    epochs: float = Field(default=1.0, gt=0, le=1000)
    batch_size: int = Field(default=4, ge=1, le=4096)
    """Rows a micro-batch."""
    gradient_accumulation: int = Field(default=1, ge=1, le=4096)
    """Micro-batches a step."""
    sequence_length: int = Field(default=256, ge=8, le=1_048_576)
    """Tokens a row at most; longer rows are cut at the end."""
    learning_rate: float = Field(default=2e-5, gt=0, le=1)
    learning_rate_schedule: Literal["constant", "linear", "cosine"] = "cosine"
    warmup_steps: int = Field(default=0, ge=0)
    weight_decay: float = Field(default=0.0, ge=0, le=1)
    max_grad_norm: float | None = Field(default=1.0, gt=0)
    """Clip the global gradient norm to this; null: no clipping."""
    dtype: Literal["float32", "bfloat16"] = "float32"
    """Of the compute weights and activations."""
    gradient_checkpointing: bool = False
    seed: int = Field(default=0, ge=0, le=2**31 - 1)


class EvaluationSpec(Contract):
    rows: int = Field(default=64, ge=1, le=100_000)
    """Rows held out of training, chosen by the seed; at most a tenth of the data."""
    sample_prompts: list[Annotated[str, Field(min_length=1, max_length=2000)]] = Field(default=[], max_length=8)
    """Prompts answered before and after training; empty: two of the held-out rows."""
    sample_tokens: int = Field(default=64, ge=1, le=1024)


class EngineSpec(Contract):
    """The engine's own settings; the defaults suit most machines."""

    buffer_bytes: ByteSize | None = None
    """Host RAM of the transfer pool; null: the engine's default."""
    partition_bytes: ByteSize | None = None
    """State bytes moved as one unit; null: the engine's default."""
    schedule: Literal["auto", "plain", "into_forward"] = "auto"


class JobSpec(Contract):
    """One fine-tuning job, as JSON or YAML."""

    version: Literal[1] = 1
    name: str = Field(min_length=1, max_length=100, examples=["jargon on SmolLM2"])
    """A label for people; never a path."""
    model: str = Field(min_length=1, max_length=500, examples=["smollm2-135m-instruct"])
    """A registered model's id or name (by REST); a folder, a bundled name or a Hugging Face id (`spillway train`)."""
    dataset: str = Field(min_length=1, max_length=500, examples=["jargon"])
    """A dataset's id or name (by REST: a name means its newest version); a file (`spillway train`)."""
    recipe: str = Field(default="sft", pattern=r"^[a-z][a-z0-9_-]{0,40}$")
    training: TrainingSpec = TrainingSpec()
    evaluation: EvaluationSpec = EvaluationSpec()
    placement: Placement = PlacementSpec(host_bytes=0, nvme_bytes=None)
    engine: EngineSpec = EngineSpec()

    @model_validator(mode="before")
    @classmethod
    def _explain_null(cls, value: Any) -> Any:
        if value is None:
            msg = "the job spec is empty; it needs at least name, model and dataset"
            raise ValueError(msg)
        return value
