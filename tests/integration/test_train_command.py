"""`spillway train`: the real engine and the tiny model, without a server."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from contracts.events import EVENT, StepCompleted, TrainingFinished
from tests.integration.stack import Inputs, tiny_spec

pytestmark = pytest.mark.slow


def train(folder: Path, raw: dict[str, object], *options: str) -> "subprocess.CompletedProcess[str]":
    (folder / "job.yaml").write_text(json.dumps(raw))
    return subprocess.run(
        [Path(sys.executable).with_name("spillway"), "train", "job.yaml", "--data-dir", folder / "data", *options],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )


def spec(inputs: Inputs) -> dict[str, object]:
    return tiny_spec("local", steps=3, model=str(inputs.model), dataset=str(inputs.rows)).model_dump(mode="json")


def test_train_writes_a_model_and_tells_each_step(inputs: Inputs, tmp_path: Path) -> None:
    # A person's own folder of that name, where they work, is not what is run.
    (tmp_path / "worker").mkdir()
    (tmp_path / "worker" / "__init__.py").write_text("raise SystemExit('the wrong worker')")
    ran = train(tmp_path, spec(inputs), "--json")
    assert ran.returncode == 0, ran.stderr
    events = [EVENT.validate_json(line) for line in ran.stdout.splitlines()]
    assert [event.step for event in events if isinstance(event, StepCompleted)] == [1, 2, 3]
    assert isinstance(events[-1], TrainingFinished)
    assert (tmp_path / "job-trained" / "model.safetensors").is_file()


def test_train_refuses_to_write_over_a_folder(inputs: Inputs, tmp_path: Path) -> None:
    (tmp_path / "job-trained").mkdir()
    (tmp_path / "job-trained" / "precious").touch()
    ran = train(tmp_path, spec(inputs))
    assert ran.returncode == 2
    assert "job-trained" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("change", "told"),
    [({"dataset": "./none.jsonl"}, "none.jsonl"), ({"training": {"max_steps": 0}}, "training.max_steps")],
)
def test_train_says_what_is_wrong_with_the_job(
    inputs: Inputs, tmp_path: Path, change: dict[str, object], told: str
) -> None:
    ran = train(tmp_path, spec(inputs) | change)
    assert ran.returncode == 2
    assert told in ran.stderr
    assert "Traceback" not in ran.stderr
