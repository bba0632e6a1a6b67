"""Reading rows, and the split that the seed alone decides."""

import json
from pathlib import Path

import pytest

from contracts.dataset import InstructionRow
from worker.training.errors import DatasetInvalidError
from worker.training.rows import hold_out, read_rows

ROWS = [InstructionRow(instruction=f"q{i}", output=f"a{i}") for i in range(100)]


def test_each_row_is_in_exactly_one_part_in_its_old_order() -> None:
    split = hold_out(ROWS, wanted=7, seed=3)
    assert (len(split.training), len(split.evaluation)) == (93, 7)
    assert sorted([*split.training, *split.evaluation], key=ROWS.index) == ROWS
    for part in (split.training, split.evaluation):
        assert list(part) == sorted(part, key=ROWS.index)


def test_the_seed_decides_which_rows_are_held_out() -> None:
    assert hold_out(ROWS, wanted=7, seed=3) == hold_out(ROWS, wanted=7, seed=3)
    assert hold_out(ROWS, wanted=7, seed=3).evaluation != hold_out(ROWS, wanted=7, seed=4).evaluation


def test_copies_of_a_held_out_row_are_not_trained_on() -> None:
    rows = [*ROWS[:50], *ROWS[:50], *ROWS[50:]]
    split = hold_out(rows, wanted=10, seed=1)
    assert len(split.evaluation) == len(set(split.evaluation)) == 10
    assert not set(split.training) & set(split.evaluation)
    assert set(split.training) | set(split.evaluation) == set(ROWS)
    assert len(split.training) == len([row for row in rows if row not in split.evaluation])


def test_rows_that_are_all_alike_are_an_error() -> None:
    with pytest.raises(DatasetInvalidError, match="3 rows that are all alike"):
        hold_out(ROWS[:1] * 3, wanted=1, seed=0)


@pytest.mark.parametrize(("num_rows", "held_out"), [(100, 10), (25, 2), (9, 1), (2, 1)])
def test_at_most_a_tenth_is_held_out_but_at_least_one(num_rows: int, held_out: int) -> None:
    assert len(hold_out(ROWS[:num_rows], wanted=64, seed=0).evaluation) == held_out


def test_a_bad_line_is_named_with_its_field(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"instruction": "q", "output": "a"}) + '\n\n{"instruction": "q", "output": ""}\n')
    with pytest.raises(DatasetInvalidError, match="line 3, field output"):
        read_rows(file)


@pytest.mark.parametrize("content", ["", '{"instruction": "q", "output": "a"}\n'])
def test_too_few_rows_to_hold_one_out_are_an_error(tmp_path: Path, content: str) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(content)
    with pytest.raises(DatasetInvalidError, match="at least 2"):
        read_rows(file)
