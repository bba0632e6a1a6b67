"""A run goes on while parts of the service die under it."""

import os
import signal
from pathlib import Path

import psutil
import pytest

from contracts.job import JobState
from spillway.client import SpillwayClient
from tests.integration.redis_server import RedisServer
from tests.integration.stack import (
    Inputs,
    Stack,
    all_events,
    assert_whole_run,
    submit_tiny,
    wait_for_end,
    wait_for_step,
)

pytestmark = pytest.mark.slow
STEPS = 300


def training_process(client: SpillwayClient, job_id: str) -> psutil.Process:
    """Of the job's running attempt, as the box told it."""
    attempt = client.snapshot(job_id).attempt
    assert attempt is not None
    assert attempt.training_pid is not None
    process = psutil.Process(attempt.training_pid)
    assert "worker.training" in process.cmdline()
    return process


def test_killed_agent_is_replaced_and_adopts_the_same_training_process(stack: Stack, inputs: Inputs) -> None:
    with stack.client() as client:
        job = submit_tiny(client, inputs, steps=STEPS)
        wait_for_step(client, job.job_id, 5)
        training = training_process(client, job.job_id)

        stack.kill("agent")
        assert training.is_running()
        stack.start_agent()

        wait_for_step(client, job.job_id, (client.job(job.job_id).step or 0) + 20)
        assert training_process(client, job.job_id) == training
        wait_for_end(client, job.job_id)
        assert_whole_run(client, job.job_id, STEPS)


def test_runs_start_and_go_on_without_redis_and_after_its_return(
    stack: Stack, inputs: Inputs, redis: RedisServer
) -> None:
    with stack.client() as client:
        running = submit_tiny(client, inputs, steps=STEPS, name="running")
        wait_for_step(client, running.job_id, 5)
        redis.stop()
        # Found by the agent's own poll: nobody can wake it.
        meanwhile = submit_tiny(client, inputs, steps=2, name="meanwhile")
        wait_for_end(client, running.job_id)
        wait_for_step(client, meanwhile.job_id, 1)
        redis.start()
        wait_for_end(client, meanwhile.job_id)
        assert_whole_run(client, running.job_id, STEPS)
        assert_whole_run(client, meanwhile.job_id, 2)


def test_api_killed_in_mid_run_loses_nothing(stack: Stack, inputs: Inputs) -> None:
    with stack.client() as client:
        job = submit_tiny(client, inputs, steps=STEPS)
        wait_for_step(client, job.job_id, 5)
        # Somebody watches the whole time; the client takes the stream up where it was cut.
        cuts: list[Exception] = []
        watched = client.follow_events(job.job_id, on_disconnect=cuts.append)
        seen = [next(watched).event_id for _ in range(5)]
        training = training_process(client, job.job_id)
        stack.kill("api")
        assert training.is_running()
        stack.start_api()
        seen += [stored.event_id for stored in watched]
        assert cuts
        assert seen == [stored.event_id for stored in all_events(client, job.job_id)]
        assert_whole_run(client, job.job_id, STEPS)


def test_cancel_ends_the_processes_before_it_says_cancelled(stack: Stack, inputs: Inputs) -> None:
    with stack.client() as client:
        job = submit_tiny(client, inputs, steps=100_000)
        wait_for_step(client, job.job_id, 3)
        training = training_process(client, job.job_id)
        shim = training.parent()
        assert shim is not None
        client.cancel_job(job.job_id)
        assert wait_for_end(client, job.job_id).state is JobState.CANCELLED
        assert not training.is_running()
        assert not shim.is_running()
        # The state's files are gone with the run: a cancelled job leaves no gigabytes behind.
        left = [path for path in (stack.folder / "worker" / "nvme").rglob("*") if path.is_file()]
        assert left == []


def test_training_killed_from_outside_fails_with_the_signals_name(stack: Stack, inputs: Inputs) -> None:
    with stack.client() as client:
        job = submit_tiny(client, inputs, steps=100_000)
        wait_for_step(client, job.job_id, 3)
        os.kill(training_process(client, job.job_id).pid, signal.SIGKILL)
        final = wait_for_end(client, job.job_id)
        assert final.state is JobState.FAILED
        assert final.reason == "killed_by_signal"
        assert final.reason_text is not None
        assert final.reason_text.next_step


def test_where_there_is_no_redis_at_all_folders_carry_the_wake_ups(
    inputs: Inputs, tmp_path: Path, free_port: int
) -> None:
    (tmp_path / "messages").mkdir()
    stack = Stack(folder=tmp_path, port=free_port, broker_url=f"filesystem://{tmp_path / 'messages'}")
    stack.start_api()
    stack.start_agent()
    try:
        with stack.client() as client:
            job = submit_tiny(client, inputs, steps=2)
            wait_for_end(client, job.job_id)
            assert_whole_run(client, job.job_id, 2)
    finally:
        stack.close()
