"""The command line against a running server: the straight way, and what is wrong with what was typed."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.job import JobState
from tests.integration.stack import Inputs, tiny_spec, wait_for_end, wait_for_step
from tests.integration.up_process import UpProcess

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[UpProcess]:
    folder = tmp_path_factory.mktemp("commands")
    process = UpProcess(folder / "data", folder / "up.log")
    process.start()
    yield process
    process.close()


def job_file(folder: Path, inputs: Inputs, *, steps: int = 4, **changes: object) -> Path:
    raw = tiny_spec("by command", steps=steps, model=str(inputs.model), dataset=str(inputs.rows)).model_dump(
        mode="json"
    )
    path = folder / "job.yaml"
    # JSON is YAML.
    path.write_text(json.dumps(raw | changes))
    return path


def test_submit_follow_then_list_logs_and_artifacts(up: UpProcess, inputs: Inputs, tmp_path: Path) -> None:
    followed = up.spillway("submit", str(job_file(tmp_path, inputs)), "--follow", "--json")
    assert followed.returncode == 0, followed.stderr
    events = [json.loads(line) for line in followed.stdout.splitlines()]
    assert [event["event"]["step"] for event in events if event["event"]["kind"] == "step.completed"] == [1, 2, 3, 4]
    assert events[-1]["event"]["to_state"] == "succeeded"
    job_id = events[0]["job_id"]

    listed = json.loads(up.spillway("jobs", "--json").stdout)
    assert job_id in [job["job_id"] for job in listed]
    assert json.loads(up.spillway("jobs", job_id, "--json").stdout)["state"] == "succeeded"
    assert f"{job_id}\tby command\tsucceeded\t4/4" in up.spillway("jobs").stdout

    logs = up.spillway("logs", job_id, "--follow")
    assert logs.returncode == 0
    too_late = up.spillway("cancel", job_id)
    assert too_late.returncode == 2
    assert "hint:" in too_late.stderr

    target = tmp_path / "got"
    got = up.spillway("artifacts", "get", job_id, "-o", str(target), "--json")
    assert got.returncode == 0, got.stderr
    items = json.loads(up.spillway("artifacts", "list", job_id, "--json").stdout)["items"]
    assert "model.safetensors" in {item["name"] for item in items}
    for item in items:
        assert hashlib.sha256((target / item["name"]).read_bytes()).hexdigest() == item["sha256"]

    # A damaged file is fetched again, the others are kept.
    kept, damaged = target / "model.safetensors", target / "config.json"
    before = kept.stat().st_mtime_ns
    damaged.write_bytes(b"{}")
    assert up.spillway("artifacts", "get", job_id, "-o", str(target)).returncode == 0
    assert kept.stat().st_mtime_ns == before
    assert damaged.read_bytes() != b"{}"


def test_cancel(up: UpProcess, inputs: Inputs, tmp_path: Path) -> None:
    submitted = up.spillway("submit", str(job_file(tmp_path, inputs, steps=100_000)), "--json")
    job_id = json.loads(submitted.stdout)["job_id"]
    with up.client() as client:
        wait_for_step(client, job_id, 2)
        assert up.spillway("cancel", job_id).returncode == 0
        assert wait_for_end(client, job_id).state is JobState.CANCELLED
    # Asked for once more it stays what it is.
    assert json.loads(up.spillway("cancel", job_id, "--json").stdout)["state"] == "cancelled"


def test_token_works_until_it_is_revoked(up: UpProcess) -> None:
    made = json.loads(up.spillway("token", "create", "a script", "--expires-in-days", "2", "--json").stdout)
    assert up.spillway("jobs", "--token", made["token"]).returncode == 0
    assert made["token"] not in up.spillway("token", "list", "--json").stdout
    assert up.spillway("token", "revoke", made["token_id"]).returncode == 0
    refused = up.spillway("jobs", "--token", made["token"])
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr


def test_hugging_face_id_in_a_job_file_is_registered_on_the_way(up: UpProcess, inputs: Inputs, tmp_path: Path) -> None:
    submitted = up.spillway("submit", str(job_file(tmp_path, inputs, model="no-such-org/no-such-model")), "--json")
    assert submitted.returncode == 0, submitted.stderr
    assert up.spillway("cancel", json.loads(submitted.stdout)["job_id"]).returncode == 0
    models = json.loads(up.spillway("models", "list", "--json").stdout)
    source = next(model["source"] for model in models if model["name"] == "no-such-org/no-such-model")
    assert source == {"kind": "hugging_face", "repo": "no-such-org/no-such-model", "revision": "main"}


def counts(up: UpProcess) -> tuple[int, int, int]:
    with up.client() as client:
        return len(list(client.jobs())), len(list(client.datasets())), len(list(client.models()))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"model": "no-such-model"}, "no-such-model"),
        ({"dataset": "no-such-dataset"}, "no-such-dataset"),
        ({"training": {"batch_size": "many"}}, "training.batch_size"),
        ({"placement": "moon"}, "'moon' is not a placement"),
        ({"placement": {"host_bytes": 0, "nvme_bytes": 4096}}, "4096"),
        ({"learning_rate": 1}, "learning_rate"),
    ],
)
def test_bad_job_file_is_one_clear_message_and_nothing_half_made(
    up: UpProcess, inputs: Inputs, tmp_path: Path, changes: dict[str, object], told: str
) -> None:
    good = job_file(tmp_path, inputs)
    assert up.spillway("datasets", "add", str(inputs.rows)).returncode == 0
    assert up.spillway("models", "add", str(inputs.model)).returncode == 0
    before = counts(up)
    good.write_text(json.dumps(json.loads(good.read_text()) | changes))
    ran = up.spillway("submit", str(good))
    assert ran.returncode == 2, ran.stderr
    assert told in ran.stderr
    assert "hint:" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert counts(up) == before


def test_broken_dataset_names_line_and_field_and_leaves_nothing(up: UpProcess, tmp_path: Path) -> None:
    rows = tmp_path / "broken.jsonl"
    rows.write_text('{"instruction": "a", "output": "b"}\n{"instruction": "a"}\nnot json\n')
    before = counts(up)
    ran = up.spillway("datasets", "add", str(rows))
    assert ran.returncode == 2
    assert "line 2, field output" in ran.stderr
    assert "line 3" in ran.stderr
    assert counts(up) == before
    assert list((up.data_dir.api / "parts").iterdir()) == []


def test_wrong_token_and_wrong_address_are_told_apart(up: UpProcess) -> None:
    wrong_token = up.spillway("jobs", "--token", "spw_wrong", "--json")
    assert wrong_token.returncode == 1
    assert json.loads(wrong_token.stderr)["hint"]
    nobody = up.spillway("jobs", "--url", "http://127.0.0.1:9", "--token", "spw_x")
    assert nobody.returncode == 1
    assert "No answer from http://127.0.0.1:9" in nobody.stderr
    no_token = up.spillway("jobs", "--url", "http://127.0.0.1:9")
    assert no_token.returncode == 2
    assert "token is needed" in no_token.stderr


def test_unknown_job_is_bad_input(up: UpProcess) -> None:
    ran = up.spillway("jobs", "job_nonexistent")
    assert ran.returncode == 2
    assert "hint:" in ran.stderr
