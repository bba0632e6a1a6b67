"""What the demo shows at its end, as a table and as JSON."""

from pydantic import BaseModel

from contracts.events import TierBytes
from contracts.sizes import format_bytes
from spillway.event_text import describe_tiers
from spillway.responses import JobSnapshot


class DemoReport(BaseModel):
    job_id: str
    url: str
    steps: int
    eval_loss_before: float | None
    eval_loss_after: float | None
    tokens_per_second: float
    state_bytes_by_tier: TierBytes
    overlap_share: float | None
    peak_rss_bytes: int
    seconds_to_first_step: float
    artifact_path: str


def make_report(snapshot: JobSnapshot, url: str, artifact_path: str) -> DemoReport | None:
    """None when the run did not get to its end."""
    result = snapshot.result
    if result is None:
        return None
    return DemoReport(
        job_id=snapshot.job.job_id,
        url=f"{url}/jobs/{snapshot.job.job_id}",
        steps=result.steps,
        eval_loss_before=result.eval_loss_before,
        eval_loss_after=result.eval_loss_after,
        tokens_per_second=result.tokens_per_second,
        state_bytes_by_tier=result.state_bytes,
        overlap_share=result.overlap_share,
        peak_rss_bytes=result.peak_rss_bytes,
        seconds_to_first_step=result.seconds_to_first_step,
        artifact_path=artifact_path,
    )


def report_rows(report: DemoReport) -> list[tuple[str, str]]:
    return [
        ("eval loss before", _number(report.eval_loss_before)),
        ("eval loss after", _number(report.eval_loss_after) + _fall(report)),
        ("training speed", f"{report.tokens_per_second:.1f} tokens/s"),
        ("optimizer state", describe_tiers(report.state_bytes_by_tier)),
        (
            "transfer hidden by compute",
            "nothing moved" if report.overlap_share is None else f"{report.overlap_share:.0%}",
        ),
        ("peak memory of training", format_bytes(report.peak_rss_bytes)),
        ("time to the first step", f"{report.seconds_to_first_step:.1f} s"),
        ("trained model", report.artifact_path),
        ("page", report.url),
    ]


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.4f}"


def _fall(report: DemoReport) -> str:
    before, after = report.eval_loss_before, report.eval_loss_after
    return "" if not before or after is None else f" ({after / before - 1:+.1%})"
