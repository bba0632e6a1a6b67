"""Wake-ups through a real broker, and without one nobody waits."""

import base64
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis as redis_client

from backend.settings import Settings
from contracts.broker import BrokerUrlError, broker_options
from tests.backend.agent import FakeAgent
from tests.backend.conftest import write_model
from tests.backend.running import ROWS, RunningApi, run_api
from tests.backend.test_flow import claim_next, state_of, submit
from tests.services import Redis, start_redis, wait_until


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Redis]:
    """Its own, because it is paused and killed."""
    server = start_redis(tmp_path)
    yield server
    server.resume()
    server.stop()


@pytest.fixture
def api(tmp_path: Path, broker: Redis) -> Iterator[RunningApi]:
    running = run_api(Settings(data_dir=tmp_path / "data", broker_url=broker.url))
    yield running
    running.stop()


def prepare_spec(admin: Any, folder: Path) -> dict[str, Any]:
    source = {"kind": "local_folder", "path": str(write_model(folder / "model"))}
    assert admin.post("/models", json={"name": "tiny", "source": source}).status_code == 201
    assert admin.post("/datasets", params={"name": "numbers"}, content=ROWS).status_code == 201
    return {"name": "first", "model": "tiny", "dataset": "numbers"}


def test_a_grant_sends_one_short_message_that_dies_in_a_minute(api: RunningApi, broker: Redis, tmp_path: Path) -> None:
    with api.admin() as admin, FakeAgent(api.url, api.box_token) as agent:
        spec = prepare_spec(admin, tmp_path)
        queue = agent.register()["queue"]
        submit(admin, spec)
        attempt = claim_next(agent)
        with redis_client.Redis(port=broker.port) as connection:
            wait_until(lambda: connection.llen(queue) == 1, "the wake-up is in the queue of the box")
            message = json.loads(connection.lindex(queue, 0))
        headers = message["headers"]
        assert (headers["task"], headers["ignore_result"]) == ("box.wake", True)
        assert headers["expires"]
        body = json.loads(base64.b64decode(message["body"]))
        assert body[0] == [attempt.claim.attempt_id]
        wait_until(lambda: admin.get("/health").json()["outbox_pending"] == 0, "the outbox is empty")


def test_a_broker_that_hangs_holds_nobody_up(api: RunningApi, broker: Redis, tmp_path: Path) -> None:
    with api.admin() as admin, FakeAgent(api.url, api.box_token) as agent:
        spec = prepare_spec(admin, tmp_path)
        agent.register()
        broker.pause()
        job_id = submit(admin, spec)
        attempt = claim_next(agent)
        assert attempt.claim.job_id == job_id
        began = time.monotonic()
        for _ in range(20):
            submit(admin, spec)
        assert time.monotonic() - began < 10
        wait_until(lambda: admin.get("/health").json()["outbox_pending"] == 1, "the wake-up waits for the broker")
        assert admin.get("/health").json()["status"] == "ok"
        # A minute later nobody needs it any more.
        api.clock.advance(61)
        wait_until(lambda: admin.get("/health").json()["outbox_pending"] == 0, "it is dropped", timeout_seconds=40)


def test_a_broker_that_comes_back_gets_what_waited(api: RunningApi, broker: Redis, tmp_path: Path) -> None:
    with api.admin() as admin, FakeAgent(api.url, api.box_token) as agent:
        spec = prepare_spec(admin, tmp_path)
        queue = agent.register()["queue"]
        broker.stop()
        job_id = submit(admin, spec)
        wait_until(lambda: state_of(admin, job_id) == "starting", "it is granted without a broker")
        wait_until(lambda: admin.get("/health").json()["outbox_pending"] == 1, "the wake-up waits")
        again = start_redis(tmp_path, port=broker.port)
        with redis_client.Redis(port=again.port) as connection:
            wait_until(lambda: connection.llen(queue) == 1, "it is sent after all", timeout_seconds=40)
        again.stop()


def test_urls_become_settings_for_both_ends() -> None:
    assert broker_options("redis://h:1/0")[0] == "redis://h:1/0"
    url, options = broker_options("redis+socket:///tmp/r.sock")
    assert url == "redis+socket:///tmp/r.sock"
    assert options["socket_timeout"] <= 2
    url, options = broker_options("filesystem:///var/spill%20way/queue/")
    assert url == "filesystem://"
    assert options["data_folder_in"] == options["data_folder_out"] == "/var/spill way/queue/"
    assert options["control_folder"] == "/var/spill way/queue/control"
    for wrong in ("amqp://h", "filesystem://", "filesystem:///", "filesystem://host/folder", "nonsense"):
        with pytest.raises(BrokerUrlError, match="redis://"):
            broker_options(wrong)
