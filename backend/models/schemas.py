"""Bodies of the model registry."""

from pydantic import Field

from contracts.attempts import ModelSource
from contracts.base import Contract, UtcTime


class ModelRequest(Contract):
    name: str = Field(min_length=1, max_length=200, examples=["smollm2-135m-instruct"])
    """A label for people and job specs."""
    source: ModelSource = Field(examples=[{"kind": "local_folder", "path": "/models/smollm2-135m-instruct"}])


class ModelRead(Contract):
    model_id: str
    project_id: str
    name: str
    source: ModelSource
    architecture: str | None
    """As `config.json` says; null: not looked into, the box fetches it."""
    num_parameters: int | None
    """Tied weights counted once; null: not known before the box has fetched the model."""
    dtype: str | None
    created_at: UtcTime
