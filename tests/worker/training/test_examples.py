"""The example data and jobs that the repository carries, and the script that made the data."""

import json
from pathlib import Path

import pytest
import yaml

from contracts.dataset import InstructionRow, check_lines
from contracts.job import JobSpec
from tools.make_jargon_rows import answer_of, clean, is_only_reference

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_every_jargon_row_is_a_row_of_sensible_length_and_no_question_comes_twice() -> None:
    file = EXAMPLES / "data" / "jargon.jsonl"
    rows = list(check_lines(file.read_bytes().splitlines()))
    assert all(isinstance(row, InstructionRow) for row in rows)
    assert len(rows) > 1800
    assert len({row.instruction for row in rows}) == len(rows)
    assert all(40 <= len(row.output) <= 1200 for row in rows)
    assert file.stat().st_size < 1_400_000


@pytest.mark.parametrize("file", sorted((EXAMPLES / "jobs").glob("*.yaml")), ids=lambda file: file.name)
def test_every_example_job_is_a_job_whose_data_is_there(file: Path) -> None:
    spec = JobSpec.model_validate(yaml.safe_load(file.read_text()))
    assert (file.parent / spec.dataset).is_file()


def test_the_host_example_differs_from_the_demo_only_in_its_placement() -> None:
    demo, host = (
        yaml.safe_load((EXAMPLES / "jobs" / name).read_text()) | {"name": ""}
        for name in ("jargon.yaml", "jargon-host.yaml")
    )
    assert demo.pop("placement") == "nvme"
    assert host.pop("placement") == "host"
    assert json.dumps(demo) == json.dumps(host)


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("See { bit bucket}, {spam}.", "See bit bucket, spam."),
        ("[Usenet; from x] A thing.", "A thing."),
        ("2. [prob.] A “ thing” (alt.: ‘b’ /b´uh/) .", "2. A “thing” (alt.: ‘b’)."),
        ("n. A word. [It was. —ESR]", "A word."),
        ("Write to J. <j@example.org>}, ok.", "Write to J., ok."),
    ],
)
def test_markup_of_the_jargon_file_is_taken_out(raw: str, cleaned: str) -> None:
    assert clean(raw) == cleaned


def test_an_answer_ends_before_a_figure_and_at_a_sentence() -> None:
    paragraphs = [["    One.", "    Two."], ["    As drawn:"], ["        ####"], ["    Gone."]]
    assert answer_of(paragraphs) == "One. Two."
    assert len(answer_of([["    " + "A sentence. " * 200]])) <= 1200


def test_a_mere_reference_is_no_answer() -> None:
    assert is_only_reference("See spam.")
    assert not is_only_reference("See spam. It is bad.")
