"""A real agent process on a folder of its own, for tests."""

import hashlib
import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from contracts.attempts import Claim, DatasetBlob, LocalFolder
from contracts.job import EvaluationSpec, JobSpec, TrainingSpec
from contracts.spool import RunOrder
from tests.worker.fake_api import TOKEN, FakeApi, StoredAttempt
from worker.attempt_folder import AttemptFolder
from worker.host_ram import OomKills
from worker.process_tree import marked_pids, read_stat, signal_pids
from worker.wake_socket import poke_agent

REPOSITORY = Path(__file__).parents[2]
ROWS = b'{"instruction": "What is a test?", "output": "A proof."}\n' * 3
_numbers = itertools.count(1)


def wait_until(condition: Callable[[], object], seconds: float = 15.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    stat = read_stat(pid)
    return stat is not None and stat.is_running


class Box:
    """The machine under test: its folders, its agent, and a claim to run."""

    def __init__(self, folder: Path, api: FakeApi) -> None:
        self.folder = folder
        self.api = api
        self.data_dir = folder / "box"
        self.log = folder / "agent.log"
        self.token_file = folder / "box-token"
        self.token_file.write_text(TOKEN + "\n")
        self.model = folder / "model"
        self.model.mkdir()
        (self.model / "config.json").write_text("{}")
        self.agent: subprocess.Popen[bytes] | None = None
        self._attempt_ids: list[str] = []

    def start_agent(self, *options: str, cgroup: Path | None = None, **environment: str) -> "subprocess.Popen[bytes]":
        enter = () if cgroup is None else ("sh", "-c", f'echo $$ > {cgroup}/cgroup.procs; exec "$@"', "enter")
        with self.log.open("ab") as log:
            self.agent = subprocess.Popen(
                [
                    *enter, sys.executable, "-m", "worker",
                    "--url", self.api.url, "--box-token-file", str(self.token_file),
                    "--data-dir", str(self.data_dir), "--name", "test-box", *options,
                ],
                stdout=log, stderr=log, env=dict(os.environ) | {"PYTHONPATH": str(REPOSITORY)} | environment,
            )  # fmt: skip
        return self.agent

    def signal_agent(self, number: signal.Signals) -> int:
        """Send it and wait for the end; the exit code."""
        assert self.agent is not None
        self.agent.send_signal(number)
        return self.agent.wait(30)

    def grant(self, *prompts: str, max_steps: int = 20, model: Path | None = None) -> StoredAttempt:
        number = next(_numbers)
        attempt_id = f"att_{os.getpid()}_{number}"
        self._attempt_ids.append(attempt_id)
        claim = Claim(
            attempt_id=attempt_id, job_id=f"job_{number}", project_id="prj_default", number=1, fence=7,
            spec=JobSpec(
                name="test", model="m", dataset="d", training=TrainingSpec(max_steps=max_steps),
                evaluation=EvaluationSpec(sample_prompts=list(prompts)),
            ),
            model=LocalFolder(path=str(model or self.model)),
            dataset=DatasetBlob(
                dataset_id="ds_1", name="rows", sha256=hashlib.sha256(ROWS).hexdigest(), num_bytes=len(ROWS)
            ),
            lease_seconds=30.0,
        )  # fmt: skip
        stored = self.api.grant(claim, ROWS)
        self.poke()
        return stored

    def poke(self) -> None:
        """As the Celery child does when something is new."""
        if (self.data_dir / "run").exists():
            poke_agent(self.data_dir / "run")

    def prepare(self, *prompts: str) -> AttemptFolder:
        """An attempt as the agent leaves it to the shim."""
        stored = self.grant(*prompts)
        folder = self.attempt(stored)
        folder.create(stored.claim)
        rows = self.folder / "rows.jsonl"
        rows.write_bytes(ROWS)
        order = RunOrder(
            attempt_id=stored.claim.attempt_id, spec=stored.claim.spec, model_path=str(self.model),
            dataset_path=str(rows), nvme_paths=[], artifact_path=str(folder.artifact),
        )  # fmt: skip
        folder.write_order(order, OomKills(host=0, cgroup=0))
        return folder

    def attempt(self, stored: StoredAttempt) -> AttemptFolder:
        return AttemptFolder(self.data_dir / "attempts" / stored.claim.attempt_id)

    def close(self) -> None:
        if self.agent is not None and self.agent.poll() is None:
            self.agent.kill()
            self.agent.wait()
        for attempt_id in self._attempt_ids:
            while pids := marked_pids(attempt_id):
                signal_pids(pids, signal.SIGKILL)
                time.sleep(0.02)
