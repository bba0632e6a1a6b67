"""What the event table holds: events of the training process, and the service's own."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from contracts.base import Contract, UtcTime
from contracts.events import AnyEvent
from contracts.job import JobState
from contracts.reasons import Reason


class StateChanged(Contract):
    """A legal move of the job. Written by the service itself, so it has no `seq`."""

    kind: Literal["state.changed"] = "state.changed"
    seq: None = None
    time: UtcTime
    from_state: JobState | None
    """Null: the job was just submitted."""
    to_state: JobState
    reason: Reason | None
    message: str
    actor: str


JobEvent = Annotated[AnyEvent | StateChanged, Field(discriminator="kind")]
JOB_EVENT: TypeAdapter[AnyEvent | StateChanged] = TypeAdapter(JobEvent)


class StoredHead(Contract):
    """An event's place in the project's single order."""

    event_id: int
    job_id: str
    attempt_id: str | None
    time: UtcTime


class StoredEvent(StoredHead):
    """One event with its place in the project's single order. Also the `data` of each message of `/stream`."""

    event: JobEvent


class EventPage(Contract):
    items: list[StoredEvent]
    last_event_id: int
    """Of the last item, or `after` when there is none: give it back as `after` for the next page."""
