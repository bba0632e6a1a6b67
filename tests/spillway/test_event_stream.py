"""The reader of event streams against a real HTTP server that cuts, resets and repeats."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from spillway.client import SpillwayClient
from spillway.errors import ApiError
from spillway.event_stream import Message, parse_messages
from spillway.responses import StoredEvent

TIME = "2026-01-02T03:04:05.000Z"


def test_comments_unknown_fields_and_empty_messages_are_passed_over() -> None:
    lines = ": heartbeat\n\nretry: 5\n\nid: 4\nevent: step.completed\ndata: {}\n\n".splitlines()
    assert list(parse_messages(iter(lines))) == [Message(event="step.completed", data="{}", id="4")]


def test_data_in_several_lines_is_one_text_and_an_unfinished_message_is_none() -> None:
    lines = ["data: a", "data:b", "", "data: never finished"]
    assert [message.data for message in parse_messages(iter(lines))] == ["a\nb"]


def stored(event_id: int, to_state: str) -> str:
    event = {"kind": "state.changed", "time": TIME, "from_state": None, "to_state": to_state, "message": ""}
    body = {"event_id": event_id, "job_id": "job_1", "attempt_id": None, "time": TIME, "event": event}
    return f"id: {event_id}\nevent: state.changed\ndata: {json.dumps(body)}\n\n"


SPEC = {"version": 1, "name": "n", "model": "m", "dataset": "d"}
SNAPSHOT = {
    "job": {
        "job_id": "job_1", "name": "n", "state": "succeeded", "model": {"model_id": "m", "name": "m"},
        "dataset": {"dataset_id": "d", "name": "d"}, "created_at": TIME, "spec": SPEC,
    },
    "last_event_id": 7,
}  # fmt: skip


@contextmanager
def server(streams: list[Callable[[], tuple[int, str]]]) -> Iterator[tuple[SpillwayClient, list[str]]]:
    """Answers the nth stream request with the nth of `streams`; tells the Last-Event-ID of each."""
    asked_after: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if "/snapshot" in self.path:
                self.answer(200, json.dumps(SNAPSHOT))
                return
            asked_after.append(self.headers["Last-Event-ID"])
            self.answer(*streams.pop(0)())

        def answer(self, status: int, body: str) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            return

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        with SpillwayClient(f"http://127.0.0.1:{httpd.server_port}", "spw_x") as client:
            yield client, asked_after
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()


def ids(events: Iterator[StoredEvent]) -> list[int]:
    return [event.event_id for event in events]


def test_a_cut_stream_is_taken_up_after_the_last_event() -> None:
    first = stored(5, "queued") + stored(6, "running") + "id: 7\ndata: half a mess"
    with server([lambda: (200, first), lambda: (200, stored(7, "succeeded"))]) as (client, asked_after):
        # The snapshot between the two says that event 7 is still to come.
        assert ids(client.follow_events("job_1", after=4)) == [5, 6, 7]
    assert asked_after == ["4", "6"]


def test_a_server_that_is_just_starting_is_waited_for() -> None:
    with server([lambda: (503, "not yet"), lambda: (200, stored(1, "failed"))]) as (client, _):
        seen: list[Exception] = []
        assert ids(client.follow_events("job_1", on_disconnect=seen.append)) == [1]
    assert len(seen) == 1


def test_after_a_reset_the_stream_goes_on_from_the_snapshot() -> None:
    with server([lambda: (200, "event: reset\ndata: {}\n\n"), lambda: (200, "")]) as (client, asked_after):
        assert ids(client.follow_events("job_1", after=2)) == []
    assert asked_after == ["2", "7"]


def test_a_refusal_ends_it_with_the_servers_own_words() -> None:
    problem = {
        "title": "No such job",
        "status": 404,
        "code": "job_not_found",
        "detail": "job_1",
        "hint": "spillway jobs",
    }
    with server([lambda: (404, json.dumps(problem))]) as (client, _), pytest.raises(ApiError) as raised:
        ids(client.follow_events("job_1"))
    assert raised.value.problem.code == "job_not_found"
    assert raised.value.hint == "spillway jobs"
