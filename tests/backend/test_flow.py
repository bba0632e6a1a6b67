"""One job from upload to download, as people and the agent see it."""

from typing import Any

import httpx

from tests.backend.agent import FakeAgent
from tests.backend.running import ROWS, RunningApi
from tests.services import wait_until


def state_of(client: httpx.Client, job_id: str) -> str:
    return str(client.get(f"/jobs/{job_id}").json()["state"])


def submit(client: httpx.Client, spec: dict[str, Any]) -> str:
    answer = client.post("/jobs", json=spec)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["job_id"])


def claim_next(agent: FakeAgent) -> Any:
    found: list[Any] = []

    def claimed() -> bool:
        attempt = agent.claim()
        if attempt is not None:
            found.append(attempt)
        return attempt is not None

    wait_until(claimed, "the agent gets an attempt")
    return found[0]


def test_a_job_goes_from_upload_to_download(
    api: RunningApi, admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    registered = agent.register()
    assert registered["queue"] == f"spillway.box.{registered['box_id']}"
    submitted = admin.post("/jobs", json=spec)
    job_id = submitted.json()["job_id"]
    assert submitted.headers["Location"] == f"/api/v1/jobs/{job_id}"
    assert submitted.json()["queue_position"] == 1

    attempt = claim_next(agent)
    assert (attempt.claim.job_id, attempt.claim.number, attempt.claim.fence) == (job_id, 1, 1)
    assert attempt.claim.model.kind == "local_folder"
    assert agent.http.get(f"/datasets/{attempt.claim.dataset.sha256}").content == ROWS
    again = agent.claim()
    assert again is not None
    assert again.claim == attempt.claim, "a lost answer is given again"

    assert attempt.started().status_code == 204
    assert attempt.started().status_code == 204
    assert state_of(admin, job_id) == "running"
    assert agent.claim() is None
    plan = attempt.event(
        "plan.made", num_parameters=808, num_partitions=1, total_steps=2, train_rows=18, eval_rows=2,
        state_bytes={"nvme": 6464}, limit_bytes={}, buffer_bytes=4096, schedule="plain",
        schedule_reason="", direct_io=True,
    )  # fmt: skip
    before = attempt.event("evaluation.completed", when="before", step=0, loss=3.0, rows=2)
    sample = attempt.event("sample.generated", when="before", index=0, prompt="What?", text="That.")
    first = [plan, before, sample, attempt.phase("train"), attempt.step(1, 2.5)]
    assert attempt.send(*first).json() == {"last_seq": 5}
    assert attempt.send(attempt.step(2, 2.25)).json() == {"last_seq": 6}
    job = admin.get(f"/jobs/{job_id}").json()
    assert (job["phase"], job["step"], job["total_steps"], job["last_loss"]) == ("train", 2, 2, 2.25)
    assert attempt.send(attempt.phase("export")).status_code == 200
    assert state_of(admin, job_id) == "saving"

    assert attempt.log(0, b"hello ").json() == {"size": 6}
    assert attempt.log(3, b"lo world").json() == {"size": 11}
    early = attempt.finish("succeeded")
    assert (early.status_code, early.json()["code"]) == (409, "manifest_missing")
    missing = attempt.manifest(**{"model.safetensors": b"weights"})
    assert (missing.status_code, missing.json()["code"]) == (409, "files_missing")
    assert missing.json()["errors"][0]["pointer"] == "model.safetensors"
    assert attempt.upload(b"weights").status_code == 204
    assert attempt.upload(b"weights").status_code == 204
    wrong = attempt.upload(b"other", sha256="0" * 64)
    assert (wrong.status_code, wrong.json()["code"]) == (422, "hash_mismatch")
    assert attempt.manifest(**{"model.safetensors": b"weights"}).status_code == 204
    assert admin.get(f"/jobs/{job_id}/artifacts").json()["complete"] is True
    done = attempt.event(
        "training.finished", steps=2, eval_loss_before=3.0, eval_loss_after=2.0, tokens_per_second=1024.0,
        seconds_to_first_step=1.0, overlap_share=0.75, peak_rss_bytes=10**9, state_bytes={"nvme": 6464},
    )  # fmt: skip
    assert attempt.send(done).status_code == 200
    assert attempt.finish("succeeded").status_code == 204
    assert attempt.finish("succeeded").status_code == 204, "repeating is fine"
    late = attempt.heartbeat()
    assert (late.status_code, late.json()["code"]) == (409, "stale_fence")

    job = admin.get(f"/jobs/{job_id}").json()
    assert (job["state"], job["eval_loss_before"], job["eval_loss_after"]) == ("succeeded", 3.0, 2.0)
    assert job["finished_at"].endswith("Z")
    moves = admin.get(f"/jobs/{job_id}/moves").json()["items"]
    assert [move["to_state"] for move in moves] == ["queued", "starting", "running", "saving", "succeeded"]
    snapshot = admin.get(f"/jobs/{job_id}/snapshot").json()
    assert snapshot["plan"]["total_steps"] == 2
    assert snapshot["last_step"]["loss"] == 2.25
    assert snapshot["result"]["eval_loss_after"] == 2.0
    assert snapshot["samples"][0]["text"] == "That."
    assert snapshot["attempt"]["state"] == "succeeded"
    assert snapshot["attempt"]["nvme_bytes"] == 808 * 8
    events = admin.get(f"/jobs/{job_id}/events").json()
    assert events["last_event_id"] == snapshot["last_event_id"]
    ids = [event["event_id"] for event in events["items"]]
    assert ids == sorted(ids)
    assert len(ids) == 8 + len(moves)
    download = admin.get(f"/jobs/{job_id}/artifacts/model.safetensors", headers={"Range": "bytes=2-"})
    assert (download.status_code, download.content) == (206, b"ights")
    assert "attachment" in download.headers["Content-Disposition"]
    assert admin.get(f"/jobs/{job_id}/log").content == b"hello world"
    assert list((api.data_dir / "parts").iterdir()) == []


def test_one_box_runs_one_job_and_the_queue_says_why(
    admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    agent.register()
    first, second = submit(admin, spec), submit(admin, spec | {"name": "second"})
    wait_until(lambda: state_of(admin, second) == "waiting", "the second waits")
    waiting = admin.get(f"/jobs/{second}").json()
    assert (waiting["reason"], waiting["queue_position"]) == ("box_busy", 1)
    assert first in waiting["message"]
    assert waiting["reason_text"]["next_step"]
    attempt = claim_next(agent)
    assert attempt.claim.job_id == first
    attempt.started()
    assert attempt.finish("failed", reason="diverged", message="loss is NaN at step 3").status_code == 204
    failed = admin.get(f"/jobs/{first}").json()
    assert (failed["state"], failed["reason"], failed["message"]) == ("failed", "diverged", "loss is NaN at step 3")
    assert claim_next(agent).claim.job_id == second


def test_a_state_that_no_box_has_room_for_waits_with_numbers(
    admin: httpx.Client, api: RunningApi, spec: dict[str, Any]
) -> None:
    full = [{"path": "/nvme", "total_bytes": 10**9, "free_bytes": 100, "filesystem": "ext4"}]
    with FakeAgent(api.url, api.box_token, nvme=full) as agent:
        agent.register()
        job_id = submit(admin, spec)
        wait_until(lambda: state_of(admin, job_id) == "waiting", "it waits")
        job = admin.get(f"/jobs/{job_id}").json()
        assert job["reason"] == "box_too_small"
        assert "6.31 KiB of NVMe" in job["message"]
        assert "100 B of NVMe free" in job["message"]
        # The disk was cleared.
        agent.state["nvme"][0]["free_bytes"] = 10**9
        assert claim_next(agent).claim.job_id == job_id
