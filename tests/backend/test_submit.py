"""Submitting jobs: what is checked before anything is kept."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from tests.backend.agent import GIB, FakeAgent
from tests.backend.running import ROWS, RunningApi
from tests.backend.test_flow import claim_next


def test_twenty_submits_with_one_key_are_one_job(admin: httpx.Client, spec: dict[str, Any]) -> None:
    ready = threading.Barrier(20)

    def submit(_number: int) -> httpx.Response:
        ready.wait(10)
        return admin.post("/jobs", json=spec, headers={"Idempotency-Key": "once"})

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(submit, range(20)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1, "every answer is the same in every byte"
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1
    assert len(admin.get("/jobs").json()["items"]) == 1


def test_a_key_belongs_to_one_body(admin: httpx.Client, spec: dict[str, Any]) -> None:
    key = {"Idempotency-Key": "mine"}
    assert admin.post("/jobs", json=spec, headers=key).status_code == 201
    reused = admin.post("/jobs", json=spec | {"name": "another"}, headers=key)
    assert (reused.status_code, reused.json()["code"]) == (422, "idempotency_key_reused")
    assert admin.post("/jobs", json=spec, headers={"Idempotency-Key": "other"}).status_code == 201
    assert len(admin.get("/jobs").json()["items"]) == 2


def test_unknown_names_are_told_with_what_there_is(admin: httpx.Client, spec: dict[str, Any]) -> None:
    answer = admin.post("/jobs", json=spec | {"model": "nope", "dataset": "neither"})
    assert (answer.status_code, answer.json()["code"]) == (422, "unknown_model")
    assert [item["pointer"] for item in answer.json()["errors"]] == ["/model", "/dataset"]
    assert "tiny" in answer.json()["errors"][0]["hint"]
    assert "numbers" in answer.json()["errors"][1]["hint"]
    assert admin.get("/jobs").json()["items"] == []


def test_a_dataset_name_means_its_newest_version(admin: httpx.Client, spec: dict[str, Any]) -> None:
    newer = admin.post("/datasets", params={"name": "numbers"}, content=ROWS * 2).json()
    assert admin.post("/jobs", json=spec).json()["dataset"]["dataset_id"] == newer["dataset_id"]


WRONG_FIELDS: list[tuple[dict[str, Any], str, str]] = [
    ({"training": {"batch_size": "many"}}, "/training/batch_size", "int_parsing"),
    ({"training": {"learning_rate": -1}}, "/training/learning_rate", "greater_than"),
    ({"placement": "cloud"}, "/placement", "value_error"),
    ({"placement": {"host_bytes": "8 bananas"}}, "/placement/host_bytes", "value_error"),
    ({"colour": "red"}, "/colour", "extra_forbidden"),
    ({"name": ""}, "/name", "string_too_short"),
    ({"version": 2}, "/version", "literal_error"),
]


def test_a_wrong_field_is_named(admin: httpx.Client, spec: dict[str, Any]) -> None:
    for change, pointer, code in WRONG_FIELDS:
        answer = admin.post("/jobs", json=spec | change)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
        assert [(item["pointer"], item["code"]) for item in answer.json()["errors"]] == [(pointer, code)]
    for body in (b"", b"{", b"null", b"[]", b'"x"'):
        answer = admin.post("/jobs", content=body, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
        assert answer.json()["errors"][0]["pointer"] == ""


def test_a_placement_that_cannot_hold_the_state_is_refused_with_numbers(
    admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    bounded = spec | {"placement": {"host_bytes": 1000, "nvme_bytes": 2000}}
    answer = admin.post("/jobs", json=bounded)
    assert (answer.status_code, answer.json()["code"]) == (422, "placement_impossible")
    assert answer.json()["errors"][0]["pointer"] == "/placement"
    assert "6464 bytes" in answer.json()["detail"]
    assert "3464 bytes" in answer.json()["hint"]

    agent.state["nvme"] = [{"path": "/nvme", "total_bytes": 4000, "free_bytes": 4000, "filesystem": "ext4"}]
    agent.register()
    too_large = admin.post("/jobs", json=spec)
    assert (too_large.status_code, too_large.json()["code"]) == (422, "placement_impossible")
    assert "box-1" in too_large.json()["detail"]
    assert admin.get("/jobs").json()["items"] == []


def test_a_plan_tells_where_the_state_goes_and_creates_nothing(
    admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    unknown = admin.post("/jobs/plan", json=spec).json()
    assert (unknown["fits"], unknown["state_bytes"], unknown["box"]) == (None, 6464, None)
    assert "No box is connected." in unknown["notes"][0]
    agent.register()
    half = spec | {"placement": {"host_bytes": 1000, "nvme_bytes": None}}
    plan = admin.post("/jobs/plan", json=half).json()
    assert plan["fits"] is True
    assert plan["state_bytes_by_tier"] == {"device": 0, "host": 1000, "nvme": 5464}
    assert plan["box"]["nvme_free_bytes"] == 400 * GIB
    bfloat16 = admin.post("/jobs/plan", json=spec | {"training": {"dtype": "bfloat16"}}).json()
    assert bfloat16["state_bytes"] == 808 * 12
    impossible = admin.post("/jobs/plan", json=spec | {"placement": {"host_bytes": 0, "nvme_bytes": 0}}).json()
    assert (impossible["fits"], impossible["problems"][0]["code"]) == (False, "placement_impossible")
    assert admin.get("/jobs").json()["items"] == []


def test_a_tmpfs_is_no_disk(admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]) -> None:
    agent.state["nvme"][0]["filesystem"] = "tmpfs"
    agent.register()
    assert admin.post("/jobs/plan", json=spec).json()["box"]["nvme_free_bytes"] == 0


def test_jobs_are_listed_newest_first_in_pages(admin: httpx.Client, spec: dict[str, Any]) -> None:
    for number in range(5):
        assert admin.post("/jobs", json=spec | {"name": f"run {number} of 100%"}).status_code == 201
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = admin.get("/jobs", params={"limit": 2} | cursor).json()
        seen += [job["name"] for job in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert seen == [f"run {number} of 100%" for number in (4, 3, 2, 1, 0)]
    assert [job["name"] for job in admin.get("/jobs", params={"q": "RUN 3"}).json()["items"]] == ["run 3 of 100%"]
    assert len(admin.get("/jobs", params={"q": "100%"}).json()["items"]) == 5
    assert admin.get("/jobs", params={"q": "run_"}).json()["items"] == []
    assert admin.get("/jobs", params={"state": "succeeded"}).json()["items"] == []
    assert admin.get("/jobs", params={"limit": 201}).json()["errors"][0]["pointer"] == "query limit"
    positions = [job["queue_position"] for job in admin.get("/jobs").json()["items"]]
    assert positions == [5, 4, 3, 2, 1]


def test_characters_and_numbers_no_database_holds_are_no_failure(
    admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    job = admin.post("/jobs", json=spec | {"name": "a\0b"}, headers={"Idempotency-Key": "k"})
    assert job.status_code == 201
    job_id = job.json()["job_id"]
    assert admin.get(f"/jobs/{job_id}").json()["name"] == "a\N{REPLACEMENT CHARACTER}b"
    assert admin.get("/jobs/job%00x").status_code == 404
    assert admin.get("/jobs", params={"q": "\0", "cursor": "\0"}).status_code == 200
    assert admin.post("/jobs", json=spec | {"model": "\0"}).json()["code"] == "unknown_model"
    for path in (f"/jobs/{job_id}/spans/{10**30}", f"/jobs/{job_id}/events?after={10**30}", f"/stream?after={10**30}"):
        answer = admin.get(path)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    agent.register()
    attempt = claim_next(agent)
    attempt.send(attempt.event("sample.generated", when="before", index=0, prompt="a\0", text="\N{GRINNING FACE}\0"))
    assert attempt.finish("failed", reason="user_error", message="died of \0").status_code == 204
    assert admin.get(f"/jobs/{job_id}").json()["message"] == "died of \N{REPLACEMENT CHARACTER}"
    assert admin.get(f"/jobs/{job_id}/snapshot").json()["samples"][0]["prompt"] == "a\0"


def test_another_projects_job_is_not_there(api: RunningApi, admin: httpx.Client) -> None:
    del api
    answer = admin.get("/jobs/job_of_somebody_else")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
