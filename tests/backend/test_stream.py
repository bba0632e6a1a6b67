"""The live stream: every event once, in order, over reconnects; ends when the service does."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from backend.authorization import Principal, Role
from backend.events.broadcast import Broadcast
from backend.events.service import prune
from backend.events.stream import Live, follow, subscribe
from tests.backend.agent import FakeAgent
from tests.backend.running import RunningApi
from tests.backend.test_flow import claim_next, submit
from tests.services import wait_until

Message = dict[str, Any]


@contextmanager
def stream(client: httpx.Client, *, last_id: int | None = None, **params: Any) -> Iterator[Iterator[Message]]:
    headers = {"Last-Event-ID": str(last_id)} if last_id is not None else {}
    with client.stream("GET", "/stream", params=params, headers=headers, timeout=20) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield messages(answer.iter_lines())


def messages(lines: Iterator[str]) -> Iterator[Message]:
    fields: Message = {}
    for line in lines:
        if line.startswith(":"):
            continue
        if not line:
            if "id" in fields:
                yield fields | {"id": int(fields["id"]), "data": json.loads(fields["data"])}
            fields = {}
            continue
        name, _, value = line.partition(": ")
        fields[name] = value


def test_a_reader_who_reconnects_again_and_again_misses_nothing_and_sees_nothing_twice(
    admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    agent.register()
    job_id = submit(admin, spec)
    attempt = claim_next(agent)
    attempt.started()
    steps = 120

    def train() -> None:
        for step in range(1, steps + 1):
            assert attempt.send(attempt.step(step)).status_code == 200

    writer = threading.Thread(target=train)
    writer.start()
    seen: list[Message] = []
    last_id: int | None = None
    while not seen or seen[-1]["data"]["event"].get("step") != steps:
        with stream(admin, last_id=last_id, job_id=job_id) as live:
            for message in live:
                seen.append(message)
                last_id = message["id"]
                if len(seen) % 9 == 0 or message["data"]["event"].get("step") == steps:
                    break
    writer.join()
    stored = admin.get(f"/jobs/{job_id}/events", params={"limit": 2000}).json()["items"]
    assert [message["data"] for message in seen] == stored, "the stream's data is the stored event"
    assert [message["id"] for message in seen] == [event["event_id"] for event in stored]
    assert all(message["event"] == message["data"]["event"]["kind"] for message in seen)


def test_an_event_arrives_at_once(admin: httpx.Client, api: RunningApi, agent: FakeAgent, spec: dict[str, Any]) -> None:
    agent.register()
    job_id = submit(admin, spec)
    attempt = claim_next(agent)
    after = admin.get(f"/jobs/{job_id}/snapshot").json()["last_event_id"]
    waits: list[float] = []
    with api.client() as reader, stream(reader_of(admin, reader), job_id=job_id, after=after) as live:
        for step in range(1, 6):
            began = time.monotonic()
            attempt.send(attempt.step(step))
            assert next(live)["data"]["event"]["step"] == step
            waits.append(time.monotonic() - began)
    assert min(waits) < 0.5, f"without waiting for the poll each second: {waits}"


def reader_of(admin: httpx.Client, reader: httpx.Client) -> httpx.Client:
    reader.headers["Authorization"] = admin.headers["Authorization"]
    return reader


def test_the_projects_stream_begins_at_the_present(admin: httpx.Client, spec: dict[str, Any]) -> None:
    submit(admin, spec)
    with stream(admin) as live:
        second = submit(admin, spec | {"name": "second"})
        message = next(live)
    assert (message["data"]["job_id"], message["event"]) == (second, "state.changed")
    with stream(admin, after=0) as live:
        assert next(live)["data"]["job_id"] != second, "or where it is told to"
    assert admin.get("/stream", params={"job_id": "job_none"}).status_code == 404


def test_a_place_beyond_what_is_kept_is_told_by_a_reset(
    api: RunningApi, admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    agent.register()
    job_id = submit(admin, spec)
    attempt = claim_next(agent)
    attempt.started()
    attempt.send(*[attempt.step(step) for step in range(1, 41)])
    attempt.finish("failed", reason="internal")
    last = admin.get(f"/jobs/{job_id}/snapshot").json()["last_event_id"]
    api.clock.advance(8 * 86_400)
    with api.runtime.database.write() as session:
        while prune(session, now=api.clock()):
            session.flush()
    kept = [event["event"] for event in admin.get(f"/jobs/{job_id}/events").json()["items"]]
    assert [event["step"] for event in kept if event["kind"] == "step.completed"] == [40], "the newest stays"
    for place in (1, last + 1000):
        with stream(admin, job_id=job_id, after=place) as live:
            reset = next(live)
            assert (reset["event"], reset["data"]) == ("reset", {"last_event_id": reset["id"]})
            assert reset["id"] >= last
    with stream(admin, job_id=job_id, after=last - 1) as live:
        assert next(live)["event"] == "state.changed", "what is kept is still streamed"
    buckets = admin.get(f"/jobs/{job_id}/metrics").json()["series"][0]["buckets"]
    assert [bucket["count"] for bucket in buckets] == [15, 16, 9], "charts outlive the steps"


def test_a_stream_ends_when_its_reader_may_read_no_more(api: RunningApi) -> None:
    async def follow_until_refused() -> int:
        live = Live(
            database=api.runtime.database, read_turns=asyncio.Semaphore(1), broadcast=Broadcast(), recheck_seconds=0.0
        )
        reader = Principal(actor_id="x", name="x", role=Role.VIEWER, project_id="prj_default")
        subscription = await subscribe(live, reader, job_id=None, after=None)
        asked = 0

        async def still_allowed() -> bool:
            nonlocal asked
            asked += 1
            return asked < 3

        async with asyncio.timeout(10):
            async for _message in follow(subscription, still_allowed):
                raise AssertionError
        return asked

    assert asyncio.run(follow_until_refused()) == 3


def test_open_streams_hold_nothing_up_and_end_with_the_service(api: RunningApi, admin: httpx.Client) -> None:
    ended: list[float] = []

    def read_to_the_end() -> None:
        with stream(admin) as live:
            opened.release()
            list(live)
        ended.append(time.monotonic())

    opened = threading.Semaphore(0)
    readers = [threading.Thread(target=read_to_the_end) for _ in range(30)]
    for reader in readers:
        reader.start()
    for _ in readers:
        assert opened.acquire(timeout=20)
    # More streams than database connections and than half of the worker threads.
    assert admin.get("/jobs").status_code == 200
    began = time.monotonic()
    api.runtime.end_streams()
    wait_until(lambda: len(ended) == len(readers), "all streams end")
    assert max(ended) - began < 3.0
    for reader in readers:
        reader.join()
