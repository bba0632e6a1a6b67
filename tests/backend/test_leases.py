"""Boxes that fall silent: leases run out on the service's own clock."""

from typing import Any

import httpx
import pytest

from backend.attempts.ending import after_finish, after_loss
from backend.settings import Settings
from contracts.attempts import Outcome
from contracts.job import JobState
from contracts.reasons import Reason
from tests.backend.agent import FakeAgent
from tests.backend.running import RunningApi, run_api
from tests.backend.test_flow import claim_next, state_of, submit
from tests.services import wait_until


def test_a_lost_attempt_is_tried_again_twice_then_given_up(
    api: RunningApi, admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    agent.register()
    job_id = submit(admin, spec)
    for number in (1, 2, 3):
        attempt = claim_next(agent)
        assert (attempt.claim.number, attempt.claim.fence) == (number, number)
        attempt.started()
        attempt.send(attempt.step(1, 3.0))
        assert admin.get(f"/jobs/{job_id}").json()["last_loss"] == 3.0
        api.clock.advance(29)
        assert attempt.heartbeat().status_code == 200, "a heartbeat in time renews the lease"
        api.clock.advance(29)
        assert state_of(admin, job_id) == "running"
        api.clock.advance(2)
        wait_until(lambda: state_of(admin, job_id) != "running", "the lease runs out")
        for late in (
            attempt.heartbeat(),
            attempt.send(attempt.step(2)),
            attempt.log(0, b"x"),
            attempt.finish("failed"),
        ):
            assert (late.status_code, late.json()["code"]) == (409, "stale_fence")
        if number < 3:
            agent.register()
            wait_until(lambda: state_of(admin, job_id) == "starting", "it is granted again")
            fresh = admin.get(f"/jobs/{job_id}").json()
            assert (fresh["attempt_number"], fresh["step"], fresh["last_loss"]) == (number + 1, None, None)
            assert admin.get(f"/jobs/{job_id}/metrics").json()["last_step"] is None
    job = admin.get(f"/jobs/{job_id}").json()
    assert (job["state"], job["reason"]) == ("failed", "agent_lost")
    assert "Given up after 3 lost attempts" in job["message"]
    assert job["reason_text"]["sentence"]


def test_a_box_that_claims_again_and_again_but_never_begins_loses_the_attempt(
    api: RunningApi, admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    agent.register()
    job_id = submit(admin, spec)
    first = claim_next(agent).claim
    api.clock.advance(20)
    again = agent.claim()
    assert again is not None
    assert again.claim == first, "the answer may have been lost"
    api.clock.advance(11)
    wait_until(lambda: admin.get(f"/jobs/{job_id}").json()["attempt_number"] == 2, "the box gets another attempt")
    assert claim_next(agent).claim.fence == 2


def test_a_grant_that_no_box_takes_is_no_try(
    api: RunningApi, admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    agent.register()
    job_id = submit(admin, spec)
    wait_until(lambda: state_of(admin, job_id) == "starting", "it is granted")
    api.clock.advance(31)
    wait_until(lambda: state_of(admin, job_id) == "queued", "the grant is taken back")
    with api.runtime.database.read() as session:
        lost = session.connection().exec_driver_sql("SELECT num_lost FROM jobs").scalar_one()
    assert lost == 0


def test_after_a_start_every_lease_gets_a_full_period(settings: Settings, model_folder: Any) -> None:
    first = run_api(settings)
    with first.admin() as admin, FakeAgent(first.url, first.box_token) as agent:
        source = {"kind": "local_folder", "path": str(model_folder)}
        admin.post("/models", json={"name": "tiny", "source": source})
        row = b'{"instruction": "a", "output": "b"}\n'
        admin.post("/datasets", params={"name": "rows"}, content=row * 2)
        agent.register()
        job_id = submit(admin, {"name": "long", "model": "tiny", "dataset": "rows"})
        attempt = claim_next(agent)
        attempt.started()
        token = admin.headers["Authorization"].removeprefix("Bearer ")
    first.stop()
    second = run_api(settings)
    # As if the service had been away for an hour: the lease was long over when it came back.
    second.clock.advance(3600)
    second.stop()
    third = run_api(settings)
    third.clock.advance(3600)
    with third.client(token) as admin:
        wait_until(lambda: third.runtime.pulse.age_seconds is not None, "the scheduler has gone a round")
        assert state_of(admin, job_id) == "running"
        third.clock.advance(31)
        wait_until(lambda: state_of(admin, job_id) != "running", "now the lease runs out")
    third.stop()


def test_an_interrupted_job_is_queued_again_and_not_given_to_the_leaving_box(
    admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    agent.register()
    job_id = submit(admin, spec)
    attempt = claim_next(agent)
    attempt.started()
    assert attempt.finish("interrupted").status_code == 204
    job = admin.get(f"/jobs/{job_id}").json()
    assert job["state"] in {"queued", "waiting"}
    moved = admin.get(f"/jobs/{job_id}/moves").json()["items"]
    queued = next(move for move in reversed(moved) if move["to_state"] == "queued")
    assert (queued["reason"], queued["message"]) == ("interrupted", "The next attempt starts over at step 0.")
    assert admin.get("/boxes").json()["items"][0]["is_alive"] is False
    assert claim_next(agent).claim.number == 2, "once it is back"


@pytest.mark.parametrize(
    ("outcome", "reason", "cancelling", "state", "told"),
    [
        (Outcome.SUCCEEDED, None, False, JobState.SUCCEEDED, None),
        (Outcome.SUCCEEDED, None, True, JobState.SUCCEEDED, None),
        (Outcome.CANCELLED, None, True, JobState.CANCELLED, Reason.CANCELLED_BY_USER),
        (Outcome.FAILED, Reason.KILLED_BY_SIGNAL, True, JobState.CANCELLED, Reason.CANCELLED_BY_USER),
        (Outcome.INTERRUPTED, None, True, JobState.CANCELLED, Reason.CANCELLED_BY_USER),
        (Outcome.INTERRUPTED, None, False, JobState.QUEUED, Reason.INTERRUPTED),
        (Outcome.FAILED, Reason.HOST_RAM_EXHAUSTED, False, JobState.FAILED, Reason.HOST_RAM_EXHAUSTED),
        (Outcome.FAILED, None, False, JobState.FAILED, Reason.INTERNAL),
        (Outcome.FAILED, Reason.BOX_REBOOTED, False, JobState.QUEUED, Reason.BOX_REBOOTED),
    ],
)
def test_what_an_end_means_for_the_job(
    outcome: Outcome, reason: Reason | None, cancelling: bool, state: JobState, told: Reason | None
) -> None:
    decided = after_finish(outcome, reason, "", cancelling=cancelling, num_lost=1)
    assert (decided.state, decided.reason) == (state, told)


def test_a_box_at_fault_is_given_two_more_chances() -> None:
    rebooted = [after_finish(Outcome.FAILED, Reason.BOX_REBOOTED, "", cancelling=False, num_lost=n) for n in (1, 2, 3)]
    assert [decided.state for decided in rebooted] == [JobState.QUEUED, JobState.QUEUED, JobState.FAILED]
    assert after_loss(Reason.AGENT_LOST, "", cancelling=True, num_lost=1).state is JobState.CANCELLED
