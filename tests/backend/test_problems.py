"""Whatever goes wrong has one shape, tells the next step, and shows nothing it should not."""

from typing import Any

import httpx
import pytest
from sqlalchemy import text

from contracts.problem import Problem
from tests.backend.agent import FakeAgent
from tests.backend.running import RunningApi
from tests.backend.test_flow import claim_next
from tests.services import wait_until

pytestmark = pytest.mark.parametrize("settings", ["sqlite"], indirect=True)


def problem_of(answer: httpx.Response, status: int, code: str) -> Problem:
    assert answer.headers["content-type"] == "application/problem+json"
    problem = Problem.model_validate_json(answer.content)
    assert (answer.status_code, problem.status, problem.code) == (status, status, code)
    assert problem.request_id == answer.headers["x-request-id"]
    return problem


def test_each_problem_has_the_one_shape(api: RunningApi, admin: httpx.Client) -> None:
    problem_of(admin.get("/nowhere"), 404, "not_found")
    problem_of(admin.get("/jobs/job_x"), 404, "not_found")
    not_allowed = admin.delete("/jobs")
    problem_of(not_allowed, 405, "method_not_allowed")
    assert not_allowed.headers["allow"]
    problem_of(admin.get("/jobs", params={"limit": "many"}), 422, "invalid_request")
    problem_of(admin.post("/jobs", content=b"{}"), 422, "invalid_request")
    problem_of(admin.post("/jobs", content=b" " * (2**20 + 1)), 413, "too_large")
    json_type = {"Content-Type": "application/json"}
    problem_of(admin.post("/jobs", content=iter([b" " * 2**19] * 3), headers=json_type), 413, "too_large")
    with api.client() as nobody:
        refused = nobody.get("/jobs")
        problem_of(refused, 401, "unauthenticated")
        assert refused.headers["www-authenticate"] == "Bearer"
        problem_of(nobody.get("/openapi.json"), 401, "unauthenticated")
    problem_of(httpx.get(f"{api.url}/internal/v1/nowhere", trust_env=False), 404, "not_found")
    problem_of(httpx.post(f"{api.url}/some/page", trust_env=False), 405, "method_not_allowed")


def test_a_failure_of_our_own_is_logged_and_not_shown(
    api: RunningApi, admin: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    with api.runtime.database.write() as session:
        session.execute(text("ALTER TABLE boxes RENAME TO secret_boxes"))
    answer = admin.get("/boxes", headers={"X-Request-ID": "look-for-me"})
    problem = problem_of(answer, 500, "internal")
    assert problem.request_id == "look-for-me"
    assert "boxes" not in answer.text
    record = next(record for record in caplog.records if record.getMessage() == "request.failed")
    assert record.exc_info
    assert record.request_id == "look-for-me"  # type: ignore[attr-defined]
    health = admin.get("/health")
    assert (health.status_code, health.json()["database"]) == (503, "unreachable")


def test_a_full_disk_is_told_as_such(
    api: RunningApi, admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    agent.register()
    assert admin.post("/jobs", json=spec).status_code == 201
    attempt = claim_next(agent)
    (api.data_dir / "logs" / f"{attempt.claim.attempt_id}.log").symlink_to("/dev/full")
    problem_of(attempt.log(0, b"no room for this"), 507, "disk_full")

    with api.runtime.database.write() as session:
        pages = session.connection().exec_driver_sql("PRAGMA page_count").scalar_one()
        session.connection().exec_driver_sql(f"PRAGMA max_page_count={pages}")
    answers = [admin.post("/jobs", json=spec) for _ in range(20)]
    assert "free" in problem_of(answers[-1], 507, "disk_full").detail
    assert len(admin.get("/jobs").json()["items"]) == 1 + [answer.status_code for answer in answers].count(201)


def test_every_answer_carries_what_browsers_need(api: RunningApi, admin: httpx.Client) -> None:
    for answer in (admin.get("/jobs"), admin.get("/nowhere"), httpx.get(api.url, trust_env=False)):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'self'")
        assert "unsafe" not in policy


def test_health_tells_when_the_scheduler_stands_still(api: RunningApi) -> None:
    with api.client() as client:
        wait_until(lambda: client.get("/health").status_code == 200, "the first round")
        health = client.get("/health").json()
        assert (health["status"], health["database"], health["outbox_pending"]) == ("ok", "ok", 0)
        assert health["scheduler_age_seconds"] < 5


def test_the_document_is_served_to_those_who_may_read(admin: httpx.Client) -> None:
    assert admin.get("/openapi.json").json()["info"]["title"] == "Spillway"
