"""Sizes, cuts and tiers: decided without torch, exact before anything is allocated."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offload_core.errors import PlacementError
from offload_core.planning.partitions import ParameterSpec, cut_partitions, state_bytes
from offload_core.planning.placement import NvmePath, Placement, assign_tiers
from offload_core.planning.sizes import format_bytes, parse_size

SPECS = st.lists(
    st.builds(
        ParameterSpec,
        name=st.just("p"),
        num_elements=st.integers(0, 5000),
        dtype=st.sampled_from(["float32", "bfloat16"]),
    ),
    max_size=12,
)


@pytest.mark.parametrize(("text", "size"), [(7, 7), ("7", 7), ("8GiB", 8 << 30), ("1.5 MiB", 3 << 19), ("2kb", 2000)])
def test_sizes_are_read_as_people_write_them(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "GiB", "-1", "1 parsec", -1, "1e9"])
def test_what_is_not_a_size_is_refused(text):
    with pytest.raises(PlacementError) as caught:
        parse_size(text)
    assert caught.value.code == "size_invalid"


def test_bytes_for_people():
    assert [format_bytes(size) for size in (12, 1536, 3 << 40)] == ["12 B", "1.5 KiB", "3.0 TiB"]


def test_state_takes_eight_bytes_a_float32_parameter_and_twelve_a_bfloat16_one():
    assert (state_bytes(10, "float32"), state_bytes(10, "bfloat16")) == (80, 120)


@given(specs=SPECS, partition_bytes=st.integers(768, 20000))
def test_partitions_cover_every_element_once_in_order_within_the_bound(specs, partition_bytes):
    partitions = cut_partitions(specs, partition_bytes)
    covered = [(piece.parameter, piece.start, piece.stop) for partition in partitions for piece in partition.pieces]
    assert covered == sorted(covered)
    for number, spec in enumerate(specs):
        pieces = [(start, stop) for parameter, start, stop in covered if parameter == number]
        assert all(stop == following for (_, stop), (following, _) in pairwise(pieces))
        assert sum(stop - start for start, stop in pieces) == spec.num_elements
        assert all(start % 64 == 0 for start, _ in pieces)
    for partition in partitions:
        assert 0 < partition.state_bytes <= partition_bytes
        offset = 0
        for piece in partition.pieces:
            assert piece.offset_bytes == offset
            offset += piece.state_bytes
    total = sum(state_bytes(spec.num_elements, spec.dtype) for spec in specs)
    assert sum(partition.state_bytes for partition in partitions) == total


def test_a_partition_that_holds_no_cut_is_refused():
    with pytest.raises(PlacementError) as caught:
        cut_partitions([], 767)
    assert (caught.value.needed_bytes, caught.value.available_bytes) == (768, 767)


def partitions_of(num_elements, partition_bytes=8192):
    return cut_partitions([ParameterSpec(name="w", num_elements=num_elements, dtype="float32")], partition_bytes)


def test_tiers_fill_in_order_and_paths_evenly():
    placement = Placement(device_bytes=8192, host_bytes="16KiB", nvme=[NvmePath("a"), NvmePath("b")])
    plan = assign_tiers(partitions_of(8 * 1024), placement)
    assert [residency.tier for residency in plan.residencies] == ["device", "host", "host"] + ["nvme"] * 5
    assert plan.tier_bytes() == {"device": 8192, "host": 16384, "nvme": 40960}
    assert plan.nvme_file_bytes() == (24576, 16384)
    assert plan.tier_limit_bytes()["nvme"] is None
    assert "nvme 40960 B" in plan.describe()


def test_a_placement_that_is_too_small_says_what_is_missing():
    placement = Placement(host_bytes=8192, nvme=[NvmePath("a", budget_bytes=8192)])
    with pytest.raises(PlacementError) as caught:
        assign_tiers(partitions_of(8 * 1024), placement)
    error = caught.value
    assert (error.code, error.needed_bytes, error.available_bytes) == ("state_does_not_fit", 65536, 16384)
    larger = Placement(host_bytes=8192 + error.needed_bytes - error.available_bytes + 8192)
    assert assign_tiers(partitions_of(8 * 1024), larger).tier_bytes()["host"] == 65536
