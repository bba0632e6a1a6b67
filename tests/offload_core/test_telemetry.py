"""Overlap and stalls are arithmetic on spans; reported bytes are those that the kernel counted."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from offload_core.telemetry.intervals import difference, intersection, overlap_share, total, union
from offload_core.telemetry.report import StepOutcome, build_report, overall_overlap_share
from offload_core.telemetry.spans import Span

INTERVALS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=8)


def covered(intervals):
    return {moment for start, end in intervals for moment in range(start, end)}


@given(left=INTERVALS, right=INTERVALS)
def test_interval_arithmetic_is_set_arithmetic(left, right):
    a, b = union(left), union(right)
    assert covered(a) == covered(left)
    assert covered(intersection(a, b)) == covered(left) & covered(right)
    assert covered(difference(a, b)) == covered(left) - covered(right)
    assert total(a) == len(covered(left))


@pytest.mark.parametrize(("transfers", "stalls", "share"), [
    ([], [(0, 5)], None),
    ([(0, 10)], [], 1.0),
    ([(0, 10)], [(0, 10)], 0.0),
    ([(0, 10), (5, 15)], [(10, 30)], 1 - 5 / 15),
    ([(0, 4), (6, 10)], [(2, 8), (3, 7)], 0.5),
])  # fmt: skip
def test_overlap_is_the_share_of_transfer_time_without_a_stall(transfers, stalls, share):
    assert overlap_share(transfers, stalls) == share


def test_a_report_blames_stalls_and_draws_the_compute_between_them():
    second = 10**9
    spans = [
        Span(lane="stall", start_ns=2 * second, end_ns=6 * second),
        Span(lane="update", start_ns=2 * second, end_ns=3 * second, partition=0, num_bytes=8),
        Span(lane="nvme_read", start_ns=0, end_ns=5 * second, partition=1, num_bytes=4096),
        Span(lane="nvme_write", start_ns=7 * second, end_ns=9 * second, partition=0, num_bytes=4096),
    ]
    report = build_report(
        StepOutcome(step=3, grad_norm=1.5, clip_factor=0.5, is_skipped=False),
        spans,
        start_ns=0,
        step_end_ns=second,
        end_ns=10 * second,
        occupancy_bytes={"nvme": 8192},
        occupancy_limit_bytes={"nvme": None},
        buffer_pool_bytes=4096,
    )
    assert report.stall_seconds == {"update": 1.0, "nvme_read": 2.0, "nvme_write": 0.0, "other": 1.0}
    assert [(span.start_ns, span.end_ns) for span in report.lane("compute")] == [
        (second, 2 * second),
        (6 * second, 10 * second),
    ]
    assert report.overlap_share == overall_overlap_share([report]) == 1 - 3 / 7
    assert (report.bytes_read, report.bytes_written, report.duration_seconds) == (4096, 4096, 10.0)


def disk_bytes():
    counted = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(counted["read_bytes"]), int(counted["write_bytes"])


@pytest.mark.parametrize("schedule", ["plain", "into_forward"])
def test_reported_bytes_are_those_the_kernel_counted(schedule, offloaded):
    # Large enough that what other files of the process cost stays below one percent.
    model = torch.nn.Sequential(*(torch.nn.Linear(512, 512) for _ in range(6)))
    reports = []
    optimizer = offloaded(
        model.parameters(), model=model, schedule=schedule, partition_bytes="1MiB", buffer_bytes="4MiB",
        on_step_report=reports.append,
    )  # fmt: skip
    before = disk_bytes()
    for _ in range(4):
        model(torch.ones(2, 512)).sum().backward()
        optimizer.step()
    optimizer.close()
    read, written = (after - start for after, start in zip(disk_bytes(), before, strict=True))
    assert [report.step for report in reports] == [1, 2, 3, 4]
    state = 6 * 512 * 513 * 8
    assert sum(report.bytes_written for report in reports) == pytest.approx(written, rel=0.01)
    assert sum(report.bytes_read for report in reports) == pytest.approx(read, rel=0.01)
    # A write that ends after the next step began counts there; over the run nothing is lost.
    assert sum(report.bytes_written for report in reports) == pytest.approx(4 * state, rel=0.01)
    for report in reports:
        assert report.occupancy_bytes == {"device": 0, "host": 0, "nvme": state}
        assert report.buffer_pool_bytes <= 4 << 20
        assert report.overlap_share is not None
        assert sum(report.stall_seconds.values()) <= report.duration_seconds
