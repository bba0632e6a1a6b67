"""`spillway demo` with the real model: SmolLM2 from the package index, the real rows, four steps."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from contracts.sizes import format_bytes

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "data"


def demo(data_dir: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "spillway", "demo", "--headless", "--data-dir", str(data_dir), *options],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=840,
    )


def test_four_steps_of_the_demo_end_with_a_table_a_report_and_a_model(data_dir: Path, tmp_path: Path) -> None:
    report_file = tmp_path / "report.json"
    ran = demo(data_dir, "--steps", "4", "--report", str(report_file))
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
    report = json.loads(report_file.read_text())
    assert set(report) >= {
        "eval_loss_before", "eval_loss_after", "tokens_per_second", "state_bytes_by_tier", "overlap_share",
        "peak_rss_bytes", "artifact_path", "seconds_to_first_step",
    }  # fmt: skip
    assert report["steps"] == 4
    assert report["eval_loss_after"] < report["eval_loss_before"]
    # Two fp32 moments a parameter, all of it on NVMe.
    assert report["state_bytes_by_tier"]["nvme"] == 134_515_008 * 8
    assert report["state_bytes_by_tier"]["host"] == report["state_bytes_by_tier"]["device"] == 0
    assert (Path(report["artifact_path"]) / "model.safetensors").stat().st_size > 5e8
    assert report["url"] in ran.stdout
    assert format_bytes(report["peak_rss_bytes"]) in ran.stdout

    # Which is the job's own status, too: a job that cannot run fails the command, at once this time.
    bad = demo(data_dir, "--steps", "4", "--placement", "moon")
    assert bad.returncode == 2
