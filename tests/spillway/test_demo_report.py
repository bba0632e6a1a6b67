from contracts.events import TierBytes
from spillway.demo_report import DemoReport, report_rows


def report(**changes: object) -> DemoReport:
    raw = {
        "job_id": "job_1", "url": "http://127.0.0.1:8321/jobs/job_1", "steps": 40, "eval_loss_before": 4.0,
        "eval_loss_after": 3.0, "tokens_per_second": 88.04, "state_bytes_by_tier": TierBytes(nvme=1076120064),
        "overlap_share": 0.707, "peak_rss_bytes": 3 * 2**30, "seconds_to_first_step": 21.04, "artifact_path": "/a",
    }  # fmt: skip
    return DemoReport.model_validate(raw | changes)


def test_the_table_tells_the_fall_of_the_loss_and_the_bytes_of_each_tier() -> None:
    rows = dict(report_rows(report()))
    assert rows["eval loss after"] == "3.0000 (-25.0%)"
    assert rows["optimizer state"] == "1 GiB nvme"
    assert rows["transfer hidden by compute"] == "71%"


def test_what_was_not_measured_is_said_so() -> None:
    rows = dict(report_rows(report(eval_loss_after=None, overlap_share=None)))
    assert rows["eval loss after"] == "none"
    assert rows["transfer hidden by compute"] == "nothing moved"
