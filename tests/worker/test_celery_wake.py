"""The Celery child against a real broker: it makes claims faster and can cost nothing else."""

import os
import signal
import statistics
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery

from contracts.attempts import Outcome
from contracts.broker import broker_options
from contracts.wire import POLL_SECONDS, TASK_WAKE, WAKE_EXPIRES_SECONDS
from tests.worker.box import Box, is_running, wait_until
from tests.worker.fake_api import QUEUE, FakeApi
from worker.process_tree import descendant_pids

PACED = ("--training-module", "worker.paced")


class Redis:
    def __init__(self, folder: Path) -> None:
        self.socket = folder / "redis.sock"
        self.url = f"redis+socket://{self.socket}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", str(self.socket), "--save", "", "--appendonly", "no"],
            stdout=subprocess.DEVNULL,
        )
        wait_until(self.socket.exists)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self.socket.unlink(missing_ok=True)


@pytest.fixture
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    server = Redis(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.kill()


def send_wake(broker_url: str) -> None:
    url, options = broker_options(broker_url)
    with Celery("test", broker=url, set_as_current=False, broker_transport_options=options) as app:
        app.send_task(
            TASK_WAKE,
            args=["att_any"],
            queue=QUEUE,
            expires=WAKE_EXPIRES_SECONDS,
            ignore_result=True,
            serializer="json",
        )


def celery_pid(box: Box) -> int:
    assert box.agent is not None
    for pid in descendant_pids(box.agent.pid):
        if b"worker.celery_app" in Path(f"/proc/{pid}/cmdline").read_bytes():
            return pid
    return 0


def is_listening(broker_url: str, box: Box, api: FakeApi) -> bool:
    """Whether a wake-up is answered between two polls."""
    return wake_latency_seconds(broker_url, api, give_up_seconds=POLL_SECONDS / 2) is not None


def wake_latency_seconds(broker_url: str, api: FakeApi, *, give_up_seconds: float) -> float | None:
    """From sending to the poll it causes; None when none came early."""
    polls = len(api.claim_polls)
    api.wait_for(lambda: len(api.claim_polls) > polls)
    polls = len(api.claim_polls)
    began = time.monotonic()
    send_wake(broker_url)
    while time.monotonic() - began < give_up_seconds:
        if len(api.claim_polls) > polls:
            return api.claim_polls[polls] - began
        time.sleep(0.002)
    return None


def test_a_wake_up_through_redis_is_answered_long_before_the_next_poll(box: Box, api: FakeApi, redis: Redis) -> None:
    box.start_agent(*PACED, "--broker-url", redis.url)
    wait_until(lambda: is_listening(redis.url, box, api), 30)
    latencies = [wake_latency_seconds(redis.url, api, give_up_seconds=1.5) for _ in range(3)]
    print("seconds from wake-up to claim:", latencies)
    assert statistics.median(1.5 if one is None else one for one in latencies) < 0.5


def test_a_run_does_not_notice_that_redis_and_the_celery_child_die(box: Box, api: FakeApi, redis: Redis) -> None:
    box.start_agent(*PACED, "--broker-url", redis.url)
    wait_until(lambda: is_listening(redis.url, box, api), 30)
    redis.kill()
    stored = box.grant("step_seconds=0.02", max_steps=20)
    api.wait_for(lambda: stored.finished)
    assert stored.finished[0].outcome is Outcome.SUCCEEDED
    redis.start()
    wait_until(lambda: is_listening(redis.url, box, api), 30)

    first = celery_pid(box)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: celery_pid(box) not in {0, first})
    wait_until(lambda: is_listening(redis.url, box, api), 30)


def test_the_celery_child_dies_with_a_killed_agent(box: Box, api: FakeApi, redis: Redis) -> None:
    box.start_agent(*PACED, "--broker-url", redis.url)
    wait_until(lambda: is_listening(redis.url, box, api), 30)
    child = celery_pid(box)
    environment = Path(f"/proc/{child}/cmdline").read_bytes()
    assert str(redis.socket).encode() not in environment
    box.signal_agent(signal.SIGKILL)
    wait_until(lambda: not is_running(child))


def test_a_folder_serves_as_broker_where_there_is_no_redis(box: Box, api: FakeApi, tmp_path: Path) -> None:
    url = f"filesystem://{tmp_path}/messages"
    box.start_agent(*PACED, "--broker-url", url)
    wait_until((tmp_path / "messages").exists)
    assert (tmp_path / "messages").stat().st_mode & 0o777 == 0o700
    wait_until(lambda: is_listening(url, box, api), 30)
