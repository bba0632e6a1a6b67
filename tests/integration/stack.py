"""A whole Spillway of real processes, each of which a test may kill, stop and start again."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from contracts.attempts import LocalFolder
from contracts.events import StepCompleted
from contracts.job import JobSpec, JobState
from spillway.client import SpillwayClient
from spillway.errors import SpillwayError
from spillway.responses import JobRead, StoredEvent

READY_SECONDS = 60.0
JOB_SECONDS = 150.0
Found = TypeVar("Found")


def wait_for(look: Callable[[], Found | None], what: str, seconds: float = READY_SECONDS) -> Found:
    """What `look` finds, asked again and again until it finds something."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, f"not within {seconds:.0f} s: {what}"
        time.sleep(0.05)
    return found


@dataclass
class Stack:
    """API and agent as processes of their own, on a database and a broker that the caller brings."""

    folder: Path
    port: int
    broker_url: str
    database_url: str | None = None
    processes: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def api_folder(self) -> Path:
        return self.folder / "api"

    def start_api(self) -> None:
        database = ["--database-url", self.database_url] if self.database_url else []
        if self.database_url:
            run("backend", "migrate", "--data-dir", str(self.api_folder), *database)
        self._start(
            "api",
            "backend", "serve", "--data-dir", str(self.api_folder), "--port", str(self.port),
            "--broker-url", self.broker_url, "--local-cli-token", *database,
        )  # fmt: skip
        wait_for(self._api_answers, "the API answers")

    def start_agent(self) -> None:
        self._start(
            "agent",
            "worker", "--url", self.url, "--box-token-file", str(self.api_folder / "box-token"),
            "--data-dir", str(self.folder / "worker"), "--broker-url", self.broker_url, "--name", "box",
        )  # fmt: skip

    def kill(self, name: str) -> None:
        """kill -9."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def stop(self, name: str, how: signal.Signals) -> int:
        process = self.processes.pop(name)
        process.send_signal(how)
        return process.wait(60)

    def close(self) -> None:
        """In good order, so that no run outlives its test."""
        if "agent" in self.processes:
            agent = self.processes["agent"]
            agent.send_signal(signal.SIGINT)
            # A second one does not wait for step boundaries.
            agent.send_signal(signal.SIGINT)
            try:
                agent.wait(45)
            except subprocess.TimeoutExpired:
                agent.kill()
        for process in self.processes.values():
            process.kill()
            process.wait()

    @property
    def token(self) -> str:
        return (self.api_folder / "cli-token").read_text().strip()

    def client(self) -> SpillwayClient:
        return SpillwayClient(self.url, self.token)

    def logs(self) -> str:
        return "\n".join(f"== {log.name}\n{log.read_text(errors='replace')}" for log in self.folder.glob("*.log"))

    def _start(self, name: str, *module: str) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", *module],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _api_answers(self) -> bool:
        assert self.processes["api"].poll() is None, self.logs()
        try:
            with SpillwayClient(self.url, "") as client:
                client.health()
        except SpillwayError:
            return False
        return True


def run(*module: str) -> None:
    subprocess.run([sys.executable, "-m", *module], check=True, stdin=subprocess.DEVNULL)


@dataclass(frozen=True)
class Inputs:
    """The tiny model and its rows."""

    model: Path
    rows: Path


def tiny_spec(name: str, *, steps: int, model: str, dataset: str) -> JobSpec:
    return JobSpec.model_validate(
        {
            "name": name,
            "model": model,
            "dataset": dataset,
            "training": {"max_steps": steps, "batch_size": 2, "sequence_length": 64, "learning_rate": 1e-3},
            "evaluation": {"rows": 4, "sample_tokens": 4},
            "placement": "nvme",
        }
    )


def submit_tiny(client: SpillwayClient, inputs: Inputs, *, steps: int, name: str = "tiny") -> JobRead:
    model = client.add_model(inputs.model.name, LocalFolder(path=str(inputs.model)))
    dataset = client.add_dataset("rows", inputs.rows)
    spec = tiny_spec(name, steps=steps, model=model.model_id, dataset=dataset.dataset_id)
    return client.submit_job(spec, idempotency_key=f"{name}-{steps}-{time.monotonic_ns()}")


def all_events(client: SpillwayClient, job_id: str) -> list[StoredEvent]:
    events: list[StoredEvent] = []
    while page := client.events(job_id, after=events[-1].event_id if events else 0).items:
        events += page
    return events


def wait_for_step(client: SpillwayClient, job_id: str, step: int) -> None:
    def look() -> bool:
        job = client.job(job_id)
        assert not job.state.is_final, f"{job.state}: {job.message}"
        return (job.step or 0) >= step

    wait_for(look, f"step {step} of {job_id}", JOB_SECONDS)


def wait_for_end(client: SpillwayClient, job_id: str) -> JobRead:
    def look() -> JobRead | None:
        job = client.job(job_id)
        return job if job.state.is_final else None

    return wait_for(look, f"the end of {job_id}", JOB_SECONDS)


def assert_whole_run(client: SpillwayClient, job_id: str, steps: int) -> None:
    """It succeeded, in one attempt, and every event and step is there once and in order."""
    job = client.job(job_id)
    assert job.state is JobState.SUCCEEDED, f"{job.state}: {job.message}"
    assert job.attempt_number == 1
    told = [stored.event for stored in all_events(client, job_id) if stored.attempt_id and hasattr(stored.event, "seq")]
    assert [event.seq for event in told] == list(range(1, len(told) + 1))
    assert [event.step for event in told if isinstance(event, StepCompleted)] == list(range(1, steps + 1))
