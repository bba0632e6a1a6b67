import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.sizes import format_bytes, parse_size

UNITS = {
    "": 1,
    "B": 1,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
    "TiB": 2**40,
}


@given(number=st.integers(0, 4096), unit=st.sampled_from(sorted(UNITS)), space=st.sampled_from(["", " ", "  "]))
def test_a_whole_number_with_a_unit_is_that_many_bytes(number: int, unit: str, space: str) -> None:
    assert parse_size(f"{number}{space}{unit}") == number * UNITS[unit]


@given(unit=st.sampled_from(sorted(UNITS)), number=st.integers(0, 100))
def test_units_are_read_in_any_case(unit: str, number: int) -> None:
    assert parse_size(f"{number}{unit.lower()}") == parse_size(f"{number}{unit.upper()}")


@given(st.integers(0, 2**53))
def test_what_people_read_names_the_size_to_one_percent(num_bytes: int) -> None:
    text = format_bytes(num_bytes)
    read = parse_size(text)
    assert isinstance(read, int)
    assert math.isclose(read, num_bytes, rel_tol=0.01, abs_tol=1)


@given(st.integers(0, 2**53))
def test_bytes_as_a_number_pass_unchanged(num_bytes: int) -> None:
    assert parse_size(num_bytes) == num_bytes


def test_more_than_a_number_holds_is_refused() -> None:
    with pytest.raises(ValueError, match="more bytes than any machine has"):
        parse_size("9" * 400 + "GB")


@pytest.mark.parametrize("text", ["", "8 gigs", "-1GiB", "GiB", "1.2.3 GB", "8GiB please", "٣ GB x"])
def test_what_is_no_size_is_refused_with_the_units(text: str) -> None:
    with pytest.raises(ValueError, match="KiB, MiB, GiB, TiB"):
        parse_size(text)
