"""The base of everything that travels between processes: frozen, closed, UTC."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, PlainSerializer, WithJsonSchema


class Contract(BaseModel):
    """Frozen, and closed to fields it does not know: a typo is an error, never a silent default."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _to_utc(value: datetime) -> datetime:
    return value.astimezone(UTC)


def _write_utc(value: datetime) -> str:
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


UtcTime = Annotated[
    AwareDatetime,
    AfterValidator(_to_utc),
    PlainSerializer(_write_utc, return_type=str),
    # One schema for reading and writing: without it OpenAPI has every event twice.
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""A moment in UTC, written with Z and milliseconds."""
