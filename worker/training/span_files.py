"""The engine's spans of one step as the lanes a dashboard draws."""

from contracts.events import Span, StallSeconds, StepSpans
from offload_core.telemetry.intervals import total, union
from offload_core.telemetry.report import StepReport
from offload_core.telemetry.spans import TRANSFER_LANES

MAX_SPANS = 20_000
_NS = 1e-9


def transfer_seconds(report: StepReport) -> float:
    """How long anything was moving, however many transfers ran side by side."""
    moving = union((span.start_ns, span.end_ns) for span in report.spans if span.lane in TRANSFER_LANES)
    return total(moving) * _NS


def step_spans(report: StepReport) -> StepSpans:
    """The lanes by start; where there are more spans than a file may hold, the shortest are left out."""
    longest = sorted(report.spans, key=lambda span: span.start_ns - span.end_ns)[:MAX_SPANS]
    stall = report.stall_seconds
    return StepSpans(
        step=report.step,
        duration_seconds=report.duration_seconds,
        overlap_share=report.overlap_share,
        stall_seconds=StallSeconds(
            nvme_read=stall["nvme_read"], nvme_write=stall["nvme_write"], update=stall["update"] + stall["other"]
        ),
        spans=[
            Span(
                lane=span.lane,
                start_seconds=(span.start_ns - report.start_ns) * _NS,
                end_seconds=(span.end_ns - report.start_ns) * _NS,
                partition=span.partition,
                num_bytes=span.num_bytes,
            )
            for span in sorted(longest, key=lambda span: span.start_ns)
        ],
    )
