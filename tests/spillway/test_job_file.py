from pathlib import Path

import pytest

from spillway.errors import BadInputError
from spillway.job_file import read_job_file

JOB = "name: n\nmodel: {model}\ndataset: {dataset}\n"


def write(folder: Path, text: str) -> Path:
    path = folder / "job.yaml"
    path.write_text(text)
    return path


def test_names_of_the_server_stay_names(tmp_path: Path) -> None:
    job = read_job_file(write(tmp_path, JOB.format(model="smollm2", dataset="jargon")))
    assert (job.dataset_file, job.model_folder) == (None, None)


def test_a_hugging_face_id_is_no_folder(tmp_path: Path) -> None:
    assert read_job_file(write(tmp_path, JOB.format(model="org/model", dataset="jargon"))).model_folder is None


def test_files_are_found_beside_the_job_file(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").touch()
    (tmp_path / "model").mkdir()
    job = read_job_file(write(tmp_path, JOB.format(model="./model", dataset="./rows.jsonl")))
    assert job.dataset_file == (tmp_path / "rows.jsonl").resolve()
    assert job.model_folder == (tmp_path / "model").resolve()


def test_a_file_where_one_types_wins_over_one_beside_the_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "here"
    here.mkdir()
    for folder in (tmp_path, here):
        (folder / "rows.jsonl").touch()
    monkeypatch.chdir(here)
    assert (
        read_job_file(write(tmp_path, JOB.format(model="m", dataset="rows.jsonl"))).dataset_file == here / "rows.jsonl"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the job spec is empty"),
        ("name: [", "is not YAML"),
        ("- a\n- b\n", "the file"),
        ("name: n\nmodel: m\n", "dataset: Field required"),
        (JOB.format(model="m", dataset="d") + "training: {max_steps: none}\n", "training.max_steps"),
        (JOB.format(model="m", dataset="d") + "engine: {buffer_bytes: lots}\n", "'lots' is not a size"),
        (JOB.format(model="m", dataset="./gone.jsonl"), "./gone.jsonl"),
        (JOB.format(model="./gone", dataset="d"), "./gone"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(BadInputError) as raised:
        read_job_file(write(tmp_path, text))
    assert told in " ".join([raised.value.message, *raised.value.details])
    assert raised.value.exit_code == 2


def test_every_fault_is_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadInputError) as raised:
        read_job_file(write(tmp_path, "name: n\nmodel: m\ndataset: d\nlr: 1\ntraining: {batch_size: 0, epochs: x}\n"))
    assert len(raised.value.details) == 3
