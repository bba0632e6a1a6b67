"""Cancelling a job in each of its states."""

from typing import Any

import httpx

from tests.backend.agent import FakeAgent
from tests.backend.test_flow import claim_next, state_of, submit
from tests.services import wait_until


def cancel(admin: httpx.Client, job_id: str) -> dict[str, Any]:
    answer = admin.post(f"/jobs/{job_id}/cancel")
    assert answer.status_code == 202, answer.text
    return dict(answer.json())


def test_a_waiting_job_is_cancelled_at_once(admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]) -> None:
    agent.register()
    submit(admin, spec)
    waiting = submit(admin, spec)
    wait_until(lambda: state_of(admin, waiting) == "waiting", "it waits for the box")
    job = cancel(admin, waiting)
    assert (job["state"], job["reason"], job["queue_position"]) == ("cancelled", "cancelled_by_user", None)
    assert cancel(admin, waiting)["finished_at"] == job["finished_at"], "repeating changes nothing"


def test_a_granted_job_that_no_box_has_taken_is_cancelled_at_once(
    admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    agent.register()
    job_id = submit(admin, spec)
    wait_until(lambda: state_of(admin, job_id) == "starting", "it is granted")
    assert cancel(admin, job_id)["state"] == "cancelled"
    assert agent.claim() is None
    assert claim_next_after(admin, agent, spec) is not None, "the box is free again"


def claim_next_after(admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]) -> Any:
    submit(admin, spec)
    return claim_next(agent)


def test_a_running_job_is_cancelling_until_its_processes_are_gone(
    admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    agent.register()
    job_id = submit(admin, spec)
    attempt = claim_next(agent)
    assert attempt.heartbeat().json() == {"cancel_requested": False, "wanted_spans": []}
    # Asked for between claim and start: the start changes nothing of it.
    assert cancel(admin, job_id)["state"] == "cancelling"
    assert attempt.started().status_code == 204
    assert state_of(admin, job_id) == "cancelling"
    assert attempt.heartbeat().json()["cancel_requested"] is True
    assert attempt.send(attempt.step(1), attempt.phase("export")).status_code == 200
    assert cancel(admin, job_id)["state"] == "cancelling"
    assert attempt.finish("cancelled", message="stopped at step 1").status_code == 204
    job = admin.get(f"/jobs/{job_id}").json()
    assert (job["state"], job["reason"], job["message"]) == ("cancelled", "cancelled_by_user", "stopped at step 1")
    moves = admin.get(f"/jobs/{job_id}/moves").json()["items"]
    assert [(move["actor"], move["to_state"]) for move in moves[-2:]] == [("ada", "cancelling"), ("agent", "cancelled")]


def test_a_job_that_was_done_first_has_succeeded(admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]) -> None:
    agent.register()
    job_id = submit(admin, spec)
    attempt = claim_next(agent)
    attempt.started()
    cancel(admin, job_id)
    attempt.upload(b"weights")
    attempt.manifest(**{"model.safetensors": b"weights"})
    assert attempt.finish("succeeded").status_code == 204
    assert state_of(admin, job_id) == "succeeded"
    final = admin.post(f"/jobs/{job_id}/cancel")
    assert (final.status_code, final.json()["code"]) == (409, "job_final")
