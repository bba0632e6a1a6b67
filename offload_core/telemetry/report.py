"""The report of one step: what its window cost and hid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from offload_core.planning.placement import Tier
from offload_core.telemetry.intervals import Interval, difference, intersection, overlap_share, total, union
from offload_core.telemetry.spans import TRANSFER_LANES, Lane, Span

StallCause = Literal["update", "nvme_read", "nvme_write", "other"]
_NS = 1e-9


@dataclass(frozen=True, kw_only=True, slots=True)
class StepOutcome:
    """What `step()` itself decided."""

    step: int
    grad_norm: float | None
    clip_factor: float | None
    is_skipped: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class StepReport:
    """One window: from the start of `step()` number `step` to the start of the next (or the end of the run).

    Read-ahead for the next step and write-behind of this one land in it. `overlap_share` is None where nothing moved.
    A span belongs to the window in which it ended. `occupancy_limit_bytes` is None for a tier without a budget.
    """

    step: int
    start_ns: int
    end_ns: int
    duration_seconds: float
    stall_seconds: Mapping[StallCause, float]
    bytes_read: int
    bytes_written: int
    overlap_share: float | None
    occupancy_bytes: Mapping[Tier, int]
    occupancy_limit_bytes: Mapping[Tier, int | None]
    buffer_pool_bytes: int
    grad_norm: float | None
    clip_factor: float | None
    is_skipped: bool
    spans: tuple[Span, ...]

    def lane(self, lane: Lane) -> tuple[Span, ...]:
        """The spans of one lane, by start."""
        return tuple(sorted((span for span in self.spans if span.lane == lane), key=lambda span: span.start_ns))


def overall_overlap_share(reports: Iterable[StepReport]) -> float | None:
    """Return the overlap share of a whole run, every window's spans together; None where nothing moved. Pure."""
    spans = [span for report in reports for span in report.spans]
    return overlap_share(_intervals(spans, TRANSFER_LANES), _intervals(spans, {"stall"}))


def build_report(
    outcome: StepOutcome,
    spans: Sequence[Span],
    *,
    start_ns: int,
    step_end_ns: int,
    end_ns: int,
    occupancy_bytes: Mapping[Tier, int],
    occupancy_limit_bytes: Mapping[Tier, int | None],
    buffer_pool_bytes: int,
) -> StepReport:
    """Make the report of a window. Pure.

    The compute lane is what the training thread did after `step()` returned (`step_end_ns`) without waiting: the
    forward and backward passes, and whatever the loop does besides.
    """
    stalls = _intervals(spans, {"stall"})
    compute = [
        Span(lane="compute", start_ns=start, end_ns=end) for start, end in difference([(step_end_ns, end_ns)], stalls)
    ]
    return StepReport(
        step=outcome.step,
        start_ns=start_ns,
        end_ns=end_ns,
        duration_seconds=(end_ns - start_ns) * _NS,
        stall_seconds=_stall_seconds(spans, stalls),
        bytes_read=sum(span.num_bytes for span in spans if span.lane == "nvme_read"),
        bytes_written=sum(span.num_bytes for span in spans if span.lane == "nvme_write"),
        overlap_share=overlap_share(_intervals(spans, TRANSFER_LANES), stalls),
        occupancy_bytes=dict(occupancy_bytes),
        occupancy_limit_bytes=dict(occupancy_limit_bytes),
        buffer_pool_bytes=buffer_pool_bytes,
        grad_norm=outcome.grad_norm,
        clip_factor=outcome.clip_factor,
        is_skipped=outcome.is_skipped,
        spans=(*spans, *compute),
    )


def _intervals(spans: Sequence[Span], lanes: frozenset[Lane] | set[Lane]) -> list[Interval]:
    return union((span.start_ns, span.end_ns) for span in spans if span.lane in lanes)


def _stall_seconds(spans: Sequence[Span], stalls: Sequence[Interval]) -> dict[StallCause, float]:
    # A wait is blamed on the update that ran meanwhile, else on the read it needed, else on the write that kept a
    # buffer; what remains is the engine's own.
    causes: tuple[StallCause, ...] = ("update", "nvme_read", "nvme_write")
    seconds: dict[StallCause, float] = {}
    remaining = list(stalls)
    for cause in causes:
        busy = union((s.start_ns, s.end_ns) for s in spans if s.lane == cause and s.partition is not None)
        seconds[cause] = total(intersection(remaining, busy)) * _NS
        remaining = difference(remaining, busy)
    seconds["other"] = total(remaining) * _NS
    return seconds
