import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.dataset import InstructionRow, check_line, check_lines
from contracts.problem import ProblemItem


def one_problem(line: bytes, number: int = 12) -> ProblemItem:
    found = check_line(number, line)
    assert isinstance(found, list)
    assert len(found) == 1
    return found[0]


def test_a_missing_field_is_named_with_its_line() -> None:
    item = one_problem(b'{"instruction": "What?"}')
    assert item.pointer == "line 12, field output"
    assert "line 12, field output" in item.message
    assert item.hint


def test_a_misspelt_field_is_named() -> None:
    assert one_problem(b'{"instruction": "a", "output": "b", "outptu": "c"}').pointer == "line 12, field outptu"


def test_broken_json_is_named_with_its_column() -> None:
    item = one_problem(b'{"instruction": "a", "output": }')
    assert (item.pointer, item.code) == ("line 12", "not_json")
    assert "column 32" in item.message


@pytest.mark.parametrize("value", [b"[" * 100_000, b"1" * 5000])
def test_json_that_no_parser_takes_is_named(value: bytes) -> None:
    item = one_problem(b'{"instruction": ' + value + b"}")
    assert (item.pointer, item.code) == ("line 12", "not_json")
    assert "too" in item.message


def test_bytes_that_are_no_utf8_are_named() -> None:
    assert one_problem(b'{"instruction": "\xff"}').code == "not_utf8"


def test_blank_lines_are_passed_over_but_counted() -> None:
    lines = [b'{"instruction": "a", "output": "b"}\n', b"\n", b"{}\n"]
    first, second = check_lines(lines)
    assert isinstance(first, InstructionRow)
    assert isinstance(second, list)
    assert {item.pointer for item in second} == {"line 3, field instruction", "line 3, field output"}


@given(st.binary(max_size=200))
def test_any_bytes_are_a_row_or_named_problems(line: bytes) -> None:
    found = check_line(1, line)
    assert isinstance(found, InstructionRow) or (found and all(item.pointer.startswith("line 1") for item in found))


@given(st.text(min_size=1), st.text(), st.text(min_size=1))
def test_a_whole_row_reads_back(instruction: str, more: str, output: str) -> None:
    raw = {"instruction": instruction, "input": more, "output": output}
    row = check_line(1, json.dumps(raw).encode())
    assert isinstance(row, InstructionRow)
    assert row.model_dump() == raw
