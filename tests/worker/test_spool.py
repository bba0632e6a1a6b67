import json
import math
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from contracts.events import EVENT, Phase, PhaseChanged, StallSeconds, StepCompleted, StepSpans, TierBytes
from contracts.spool import EVENTS_FILE, SPANS_FOLDER, STOP_FILE, StopReason
from contracts.wire import MAX_STEP_EVENT_BYTES
from worker.spool import SpoolWriter


def seqs(folder: Path) -> list[int]:
    return [json.loads(line)["seq"] for line in (folder / EVENTS_FILE).read_bytes().splitlines()]


def emit_step(writer: SpoolWriter, step: int, **changes: object) -> StepCompleted:
    fields: dict[str, object] = {
        "step": step, "loss": 12.345678901234567, "learning_rate": 1.2345678901234567e-05,
        "grad_norm": 1.2345678901234567, "step_seconds": 1.2345678901234567, "tokens": 2**40,
        "tokens_per_second": 12345.678901234567, "overlap_share": 0.12345678901234567,
        "stall_seconds": StallSeconds(nvme_read=0.12345678901234, nvme_write=0.12345678901234, update=0.1234567890123),
        "read_bytes": 2**53, "written_bytes": 2**53,
        "occupancy_bytes": TierBytes(device=2**53, host=2**53, nvme=2**53), "rss_bytes": 2**53,
    }  # fmt: skip
    return writer.emit(StepCompleted, **(fields | changes))


def spans(step: int, seconds: float = 1.0) -> StepSpans:
    return StepSpans(
        step=step, duration_seconds=seconds, overlap_share=None, stall_seconds=StallSeconds(), spans=[]
    )  # fmt: skip


def test_a_reopened_spool_goes_on_with_the_next_seq(tmp_path: Path) -> None:
    with SpoolWriter(tmp_path) as writer:
        writer.emit(PhaseChanged, phase=Phase.LOAD)
        emit_step(writer, 1)
    with SpoolWriter(tmp_path) as writer:
        assert emit_step(writer, 2).seq == 3
    assert seqs(tmp_path) == [1, 2, 3]


def test_a_torn_last_line_is_cut_when_the_spool_is_opened_again(tmp_path: Path) -> None:
    with SpoolWriter(tmp_path) as writer:
        emit_step(writer, 1)
    with (tmp_path / EVENTS_FILE).open("ab") as file:
        file.write(b'{"seq":2,"time":"2026')
    with SpoolWriter(tmp_path) as writer:
        assert emit_step(writer, 2).seq == 2
    assert seqs(tmp_path) == [1, 2]


def test_events_written_before_a_kill_are_all_there(tmp_path: Path) -> None:
    code = (
        "import os, sys, signal; from pathlib import Path; from worker.spool import SpoolWriter;"
        "from contracts.events import PhaseChanged\n"
        "w = SpoolWriter(Path(sys.argv[1]))\n"
        "for _ in range(50): w.emit(PhaseChanged, phase='train')\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False, timeout=30)
    assert done.returncode == -signal.SIGKILL
    assert seqs(tmp_path) == list(range(1, 51))


def test_a_step_event_with_large_numbers_stays_below_the_limit(tmp_path: Path) -> None:
    with SpoolWriter(tmp_path) as writer:
        emit_step(writer, 10_000_000)
    assert (tmp_path / EVENTS_FILE).stat().st_size <= MAX_STEP_EVENT_BYTES


def test_non_finite_numbers_travel_as_null(tmp_path: Path) -> None:
    with SpoolWriter(tmp_path) as writer:
        emit_step(writer, 1, loss=math.nan, grad_norm=math.inf, finite=False)
    event = EVENT.validate_json((tmp_path / EVENTS_FILE).read_bytes())
    assert isinstance(event, StepCompleted)
    assert event.loss is None
    assert event.grad_norm is None


def test_a_wrong_field_writes_nothing_and_uses_no_seq(tmp_path: Path) -> None:
    with SpoolWriter(tmp_path) as writer:
        with pytest.raises(ValidationError):
            writer.emit(PhaseChanged, phase="nowhere")
        with pytest.raises(ValidationError):
            emit_step(writer, 1, learning_rate=math.nan)
        assert writer.emit(PhaseChanged, phase=Phase.TRAIN).seq == 1


@pytest.mark.parametrize("reason", StopReason)
def test_the_stop_file_is_read_as_its_reason(tmp_path: Path, reason: StopReason) -> None:
    with SpoolWriter(tmp_path) as writer:
        assert writer.stop_requested() is None
        (tmp_path / STOP_FILE).write_text(reason)
        assert writer.stop_requested() is reason


def test_span_files_keep_the_last_the_slowest_and_the_marked(tmp_path: Path) -> None:
    with SpoolWriter(tmp_path, kept_span_steps=10) as writer:
        for step in range(1, 101):
            writer.write_spans(spans(step, seconds=5.0 + step if 20 <= step < 30 else 1.0))
            emit_step(writer, step, skipped=step == 3, finite=step != 4)
    kept = sorted(int(path.stem.removeprefix("step-")) for path in (tmp_path / SPANS_FOLDER).iterdir())
    assert kept == [3, 4, 25, 26, 27, 28, 29, *range(91, 101)]
