"""A tiny model and dataset, and runs of the training process on them."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

from contracts.events import EVENT, AnyEvent, EvaluationCompleted, StepCompleted
from contracts.job import JobSpec
from contracts.spool import EVENTS_FILE, RUN_FILE, RunOrder
from tests.tiny_model import make_tiny_model, write_tiny_dataset
from worker.training.process import run_attempt


@pytest.fixture(scope="package", autouse=True)
def one_compute_thread() -> Iterator[None]:
    """A tiny model gains nothing from more, and on a loaded machine threads that wait for each other lose a lot."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        before = torch.get_num_threads()
        torch.set_num_threads(1)
        yield
        torch.set_num_threads(before)


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="session")
def tiny_dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_dataset(tmp_path_factory.mktemp("datasets") / "tiny.jsonl")


@dataclass(frozen=True)
class Attempt:
    """An attempt's folder, ready to be run or run already."""

    folder: Path
    order: RunOrder

    @property
    def artifact(self) -> Path:
        return Path(self.order.artifact_path)

    @property
    def nvme(self) -> Path:
        return Path(self.order.nvme_paths[0])

    def events(self) -> list[AnyEvent]:
        return [EVENT.validate_json(line) for line in (self.folder / EVENTS_FILE).read_bytes().splitlines()]

    def losses(self) -> list[float | None]:
        """Of every step and both evaluations, whole doubles."""
        return [event.loss for event in self.events() if isinstance(event, StepCompleted | EvaluationCompleted)]

    def start(self) -> "subprocess.Popen[bytes]":
        with (self.folder / "output.log").open("ab") as output:
            return subprocess.Popen(
                [sys.executable, "-m", "worker.training", str(self.folder)], stdout=output, stderr=output
            )

    def run(self) -> int:
        """In a process of its own, as the shim starts it."""
        return self.start().wait(timeout=120)

    def run_here(self) -> int:
        """In this process: seconds of imports are paid once."""
        before = dict(os.environ)
        try:
            return run_attempt(self.folder, started_at=0.0)
        finally:
            os.environ.clear()
            os.environ.update(before)


MakeAttempt = Callable[..., Attempt]


def attempt_below(
    root: Path, name: str, *, model: Path, dataset: Path, training: dict[str, Any] | None = None, **spec: Any
) -> Attempt:
    """An attempt's folder with its order: a sane tiny job, but for what is given."""
    folder = root / name
    folder.mkdir()
    settings = {"max_steps": 4, "batch_size": 4, "sequence_length": 96, "learning_rate": 1e-3} | (training or {})
    fields = {"evaluation": {"rows": 4, "sample_tokens": 8}, "placement": "nvme"} | spec
    order = RunOrder(
        attempt_id=f"att_{name}",
        spec=JobSpec.model_validate({"name": name, "model": "m", "dataset": "d", "training": settings} | fields),
        model_path=str(model),
        dataset_path=str(dataset),
        nvme_paths=[str(root / "nvme")],
        artifact_path=str(folder / "artifact"),
    )
    (folder / RUN_FILE).write_text(order.model_dump_json())
    return Attempt(folder, order)


@pytest.fixture
def make_attempt(tmp_path: Path, tiny_model: Path, tiny_dataset: Path) -> MakeAttempt:
    """make_attempt("name", training={...}, placement="host", model=PATH): what is not given is a sane tiny job."""

    def make(name: str, *, model: Path = tiny_model, dataset: Path = tiny_dataset, **changes: Any) -> Attempt:
        return attempt_below(tmp_path, name, model=model, dataset=dataset, **changes)

    return make
