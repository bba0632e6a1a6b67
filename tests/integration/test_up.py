"""The one-machine server: how it starts, how it ends, what outlives what."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from contracts.job import JobState
from spillway.locations import read_server_record
from tests.integration.stack import Inputs, all_events, submit_tiny, wait_for, wait_for_end, wait_for_step
from tests.integration.up_process import UpProcess, alive

pytestmark = pytest.mark.slow


@pytest.fixture
def up(tmp_path: Path) -> Iterator[UpProcess]:
    process = UpProcess(tmp_path / "data", tmp_path / "up.log")
    yield process
    process.close()


def training_pids(data_dir: Path) -> set[int]:
    return {
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if {"worker.training", "worker.shim"} & set(process.info["cmdline"] or [])
        and str(data_dir) in " ".join(process.info["cmdline"])
    }


def test_interrupt_requeues_the_run_and_the_next_start_finishes_it(up: UpProcess, inputs: Inputs) -> None:
    record = up.start()
    with up.client() as client:
        job = submit_tiny(client, inputs, steps=400)
        wait_for_step(client, job.job_id, 3)
    assert up.end(signal.SIGINT) == 0, up.output
    assert alive(record.children) == []
    assert training_pids(up.data_dir.root) == set()
    assert read_server_record(up.data_dir) is None

    up.start()
    with up.client() as client:
        final = wait_for_end(client, job.job_id)
        assert final.state is JobState.SUCCEEDED
        assert final.attempt_number == 2
        states = [stored.event for stored in all_events(client, job.job_id) if stored.event.kind == "state.changed"]
    assert "interrupted" in {state.reason for state in states if state.to_state is JobState.QUEUED}  # type: ignore[union-attr]


def test_terminate_ends_it_in_the_same_good_order(up: UpProcess) -> None:
    record = up.start()
    assert up.end(signal.SIGTERM) == 0, up.output
    assert alive(record.children) == []


def test_second_start_on_the_same_folder_names_the_first(up: UpProcess) -> None:
    record = up.start()
    second = up.spillway("up", "--data-dir", str(up.data_dir.root))
    assert second.returncode == 1
    assert record.url in second.stderr
    assert "Traceback" not in second.stderr
    assert len(alive(record.children)) == len(record.children)


def test_killed_launcher_leaves_the_run_alone_and_no_service_behind(
    up: UpProcess, inputs: Inputs, tmp_path: Path
) -> None:
    fast = tmp_path / "fast"
    record = up.start("--nvme", str(fast))
    with up.client() as client:
        job = submit_tiny(client, inputs, steps=600)
        wait_for_step(client, job.job_id, 3)
    assert [path for path in fast.rglob("*") if path.is_file()], "the state lies where it was told to"
    before = training_pids(up.data_dir.root)
    assert before

    assert up.end(signal.SIGKILL) == -signal.SIGKILL
    wait_for(lambda: not alive(record.children), "the kernel ends API, Redis and agent", 15.0)
    assert training_pids(up.data_dir.root) == before

    up.start("--nvme", str(fast))
    with up.client() as client:
        wait_for_step(client, job.job_id, (client.job(job.job_id).step or 0) + 10)
        assert training_pids(up.data_dir.root) == before
        final = wait_for_end(client, job.job_id)
    assert final.state is JobState.SUCCEEDED
    assert final.attempt_number == 1


def test_dead_api_is_started_again_and_said(up: UpProcess) -> None:
    record = up.start()
    api = next(child for child in record.children if child.name == "api")
    os.kill(api.pid, signal.SIGKILL)
    wait_for(lambda: "api started again" in up.output, "the API is started again")
    assert "api ended by itself (SIGKILL)" in up.output

    def answers() -> bool:
        ran = up.spillway("jobs", "--json")
        return ran.returncode == 0 and ran.stdout.strip() == "[]"

    wait_for(answers, "the new API answers at the same address")
    assert read_server_record(up.data_dir) != record


def test_without_a_terminal_it_prints_plain_lines_and_the_one_time_link(up: UpProcess) -> None:
    record = up.start()
    assert "\x1b" not in up.output
    code = (up.data_dir.api / "setup-code").read_text().strip()
    assert f"{record.url}/setup#code={code}" in up.output
    for secret in (up.data_dir.cli_token_file, up.data_dir.box_token_file, up.data_dir.server_file):
        assert secret.stat().st_mode & 0o077 == 0
        if secret != up.data_dir.server_file:
            assert secret.read_text().strip() not in up.output


def test_taken_port_is_said_in_one_line(up: UpProcess, tmp_path: Path) -> None:
    record = up.start()
    port = record.url.rsplit(":", 1)[1]
    other = subprocess.run(
        [sys.executable, "-m", "spillway", "up", "--data-dir", str(tmp_path / "other"), "--port", port],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert other.returncode == 2
    assert f"Port {port} is taken." in other.stderr
    assert "Traceback" not in other.stderr
