"""Events are stored once each, in order, without gaps."""

import os
import tracemalloc
from pathlib import Path
from typing import Any

import httpx

from tests.backend.agent import FakeAgent
from tests.backend.running import RunningApi
from tests.backend.test_flow import claim_next, submit


def test_each_event_is_stored_once_and_a_gap_is_refused(
    admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    agent.register()
    job_id = submit(admin, spec)
    attempt = claim_next(agent)
    attempt.started()
    steps = [attempt.step(number) for number in range(1, 8)]
    assert attempt.send().json() == {"last_seq": 0}, "an empty batch asks where to go on"
    assert attempt.send(*steps[:3]).json() == {"last_seq": 3}
    assert attempt.send(*steps[:3]).json() == {"last_seq": 3}
    assert attempt.send(*steps[1:5]).json() == {"last_seq": 5}
    for broken in ([steps[6]], [steps[5], steps[5]], [steps[6], steps[5]]):
        gap = attempt.send(*broken)
        assert (gap.status_code, gap.json()["code"]) == (409, "event_gap")
        assert "last_seq is 5" in gap.json()["detail"]
    assert attempt.send(*steps[5:]).json() == {"last_seq": 7}
    events = admin.get(f"/jobs/{job_id}/events").json()["items"]
    assert [event["event"]["step"] for event in events if event["event"]["kind"] == "step.completed"] == list(
        range(1, 8)
    )
    assert all(event["attempt_id"] for event in events if event["event"]["kind"] == "step.completed")
    paged: list[int] = []
    after = 0
    while page := admin.get(f"/jobs/{job_id}/events", params={"after": after, "limit": 4}).json():
        if not page["items"]:
            break
        paged += [event["event_id"] for event in page["items"]]
        after = page["last_event_id"]
    assert paged == [event["event_id"] for event in events]
    buckets = admin.get(f"/jobs/{job_id}/metrics", params={"names": "loss"}).json()["series"][0]["buckets"]
    assert sum(bucket["count"] for bucket in buckets) == 7, "what came twice counts once"


def test_a_wrong_fence_or_attempt_writes_nothing(admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]) -> None:
    agent.register()
    job_id = submit(admin, spec)
    attempt = claim_next(agent)
    stale = agent.http.post(f"{attempt.path}/events", json={"fence": 2, "events": [attempt.step(1)]})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale_fence")
    log = agent.http.put(f"{attempt.path}/log", params={"offset": 0, "fence": 9}, content=b"x")
    assert (log.status_code, log.json()["code"]) == (409, "stale_fence")
    unknown = agent.http.post("/attempts/att_none/heartbeat", json={"fence": 1})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
    kinds = [event["event"]["kind"] for event in admin.get(f"/jobs/{job_id}/events").json()["items"]]
    assert set(kinds) == {"state.changed"}
    assert admin.get(f"/jobs/{job_id}/log").content == b""


def test_every_move_is_an_event(admin: httpx.Client, spec: dict[str, Any]) -> None:
    job_id = submit(admin, spec)
    admin.post(f"/jobs/{job_id}/cancel")
    first, *_, last = admin.get(f"/jobs/{job_id}/events").json()["items"]
    assert first["event"]["from_state"] is None
    assert (first["event"]["to_state"], first["event"]["actor"], first["event"]["seq"]) == ("queued", "ada", None)
    assert (last["event"]["to_state"], last["event"]["reason"]) == ("cancelled", "cancelled_by_user")


def test_logs_answer_ranges_of_what_grows(admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]) -> None:
    agent.register()
    job_id = submit(admin, spec)
    log = f"/jobs/{job_id}/log"
    empty = admin.get(log, headers={"Range": "bytes=0-"})
    assert (empty.status_code, empty.headers["Content-Range"]) == (416, "bytes */0")
    attempt = claim_next(agent)
    attempt.log(0, b"0123456789")
    gap = attempt.log(11, b"x")
    assert (gap.status_code, gap.json()["code"]) == (409, "log_gap")
    assert "size is 10" in gap.json()["detail"]
    assert attempt.log(0, b"").json() == {"size": 10}
    for asked, content, told in (
        ("bytes=0-", b"0123456789", "bytes 0-9/10"),
        ("bytes=4-", b"456789", "bytes 4-9/10"),
        ("bytes=4-5", b"45", "bytes 4-5/10"),
        ("bytes=-3", b"789", "bytes 7-9/10"),
        ("bytes=8-100", b"89", "bytes 8-9/10"),
    ):
        part = admin.get(log, headers={"Range": asked})
        assert (part.status_code, part.content, part.headers["Content-Range"]) == (206, content, told)
    beyond = admin.get(log, headers={"Range": "bytes=10-"})
    assert (beyond.status_code, beyond.headers["Content-Range"]) == (416, "bytes */10")
    assert (beyond.json()["code"], "10 bytes" in beyond.json()["detail"]) == ("beyond_end", True)
    assert admin.get(log, params={"attempt_id": "att_other"}).status_code == 404
    assert admin.get(log, params={"attempt_id": attempt.claim.attempt_id}).content == b"0123456789"


def test_a_huge_log_is_sent_without_being_held(
    api: RunningApi, admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    agent.register()
    job_id = submit(admin, spec)
    size = 100_000_001
    os.truncate(_touched(api.data_dir / "logs" / f"{claim_next(agent).claim.attempt_id}.log"), size)
    tracemalloc.start()
    try:
        with admin.stream("GET", f"/jobs/{job_id}/log") as answer:
            assert (answer.status_code, answer.headers["Content-Length"]) == (200, str(size))
            assert sum(len(piece) for piece in answer.iter_bytes()) == size
        assert tracemalloc.get_traced_memory()[1] < size / 4
    finally:
        tracemalloc.stop()


def _touched(file: Path) -> Path:
    file.touch()
    return file


def test_lanes_are_asked_of_the_box_when_somebody_looks(
    admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    agent.register()
    job_id = submit(admin, spec)
    spans = f"/jobs/{job_id}/spans"
    assert admin.get(f"{spans}/1").status_code == 404
    attempt = claim_next(agent)
    attempt.started()
    attempt.send(*[attempt.step(number) for number in range(1, 4)])
    assert admin.get(spans).json()["steps"] == [{"step": number, "stored": False} for number in (1, 2, 3)]
    asked = admin.get(f"{spans}/2")
    assert (asked.status_code, asked.headers["Retry-After"], asked.json()) == (202, "2", {"status": "requested"})
    assert admin.get(f"{spans}/4").status_code == 404, "that step is still to come"
    assert attempt.heartbeat().json()["wanted_spans"] == [2]
    unnamed = {"partition": None, "num_bytes": 0, "cause": ""}
    lanes = {
        "step": 2, "duration_seconds": 0.5, "overlap_share": 0.75,
        "stall_seconds": {"nvme_read": 0.1, "nvme_write": 0.0, "update": 0.05},
        "spans": [{"lane": "compute", "start_seconds": 0.0, "end_seconds": 0.4} | unnamed],
    }  # fmt: skip
    assert agent.http.put(f"{attempt.path}/spans/2", params={"fence": 1}, json=lanes).status_code == 204
    assert attempt.heartbeat().json()["wanted_spans"] == []
    found = admin.get(f"{spans}/2")
    assert (found.status_code, found.json()) == (200, lanes)
    attempt.finish("failed", reason="internal")
    assert admin.get(spans).json()["steps"] == [{"step": 2, "stored": True}], "the box is asked no more"
    assert admin.get(f"{spans}/1").status_code == 404
