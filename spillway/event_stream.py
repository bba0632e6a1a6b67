"""A job's events over Server-Sent Events: resumed by id after every cut, each event once."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import httpx
from pydantic import ValidationError

from contracts.problem import Problem
from spillway.errors import ApiError
from spillway.responses import JobSnapshot, StateChanged, StoredEvent

# The server sends a comment every 15 s; three missed ones mean that the connection is dead.
_SILENCE_SECONDS = 45.0
_FIRST_WAIT_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Message:
    """One message of an event stream."""

    event: str
    data: str
    id: str


def parse_messages(lines: Iterator[str]) -> Iterator[Message]:
    """The messages in an event stream's lines. Comments and fields we do not use are passed over."""
    event, data, last_id = "message", list[str](), ""
    for line in lines:
        if not line:
            if data:
                yield Message(event=event, data="\n".join(data), id=last_id)
            event, data = "message", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            event = value
        elif field == "data":
            data.append(value)
        elif field == "id":
            last_id = value


def follow(
    http: httpx.Client, job_id: str, after: int, on_disconnect: Callable[[Exception], None] | None
) -> Iterator[StoredEvent]:
    """Yield events until one makes the job final. Blocks; reconnects with growing waits, at most 10 s apart.

    Raises ApiError when the server refuses.
    """
    wait_seconds = _FIRST_WAIT_SECONDS
    while True:
        try:
            for message in _messages(http, job_id, after):
                if message.event == "reset":
                    # Older events were pruned; the snapshot holds what they amounted to.
                    after = _snapshot_event_id(http, job_id)
                    break
                stored = StoredEvent.model_validate_json(message.data)
                wait_seconds = _FIRST_WAIT_SECONDS
                after = stored.event_id
                yield stored
                if isinstance(stored.event, StateChanged) and stored.event.to_state.is_final:
                    return
            else:
                # The server closed the stream in good order: it is stopping, or it was our last event already.
                if _is_over(http, job_id, after):
                    return
                time.sleep(wait_seconds)
        except httpx.TransportError as error:
            if on_disconnect:
                on_disconnect(error)
            time.sleep(wait_seconds)
            wait_seconds = min(wait_seconds * 2, _LONGEST_WAIT_SECONDS)


def _messages(http: httpx.Client, job_id: str, after: int) -> Iterator[Message]:
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
    timeout = httpx.Timeout(_SILENCE_SECONDS, connect=5.0)
    with http.stream("GET", "/stream", params={"job_id": job_id}, headers=headers, timeout=timeout) as answer:
        _raise_for_problem(answer)
        yield from parse_messages(answer.iter_lines())


def _snapshot_event_id(http: httpx.Client, job_id: str) -> int:
    answer = http.get(f"/jobs/{job_id}/snapshot")
    _raise_for_problem(answer)
    return JobSnapshot.model_validate_json(answer.content).last_event_id


def _is_over(http: httpx.Client, job_id: str, after: int) -> bool:
    answer = http.get(f"/jobs/{job_id}/snapshot")
    _raise_for_problem(answer)
    snapshot = JobSnapshot.model_validate_json(answer.content)
    return snapshot.job.state.is_final and snapshot.last_event_id <= after


def _raise_for_problem(answer: httpx.Response) -> None:
    if answer.is_success:
        return
    answer.read()
    # A proxy says 502 to 504 while the server restarts: that is a cut, not a refusal.
    if answer.status_code in {502, 503, 504}:
        message = f"HTTP {answer.status_code}"
        raise httpx.RemoteProtocolError(message, request=answer.request)
    try:
        problem = Problem.model_validate_json(answer.content)
    except ValidationError:
        problem = Problem(title=f"HTTP {answer.status_code}", status=answer.status_code, code="http", detail="")
    raise ApiError(problem)
