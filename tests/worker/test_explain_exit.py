from datetime import UTC, datetime
from typing import Any

import pytest

from contracts.attempts import ExitRecord, Outcome
from contracts.events import AnyEvent, TierBytes, TrainingFailed, TrainingFinished, TrainingStopped
from contracts.reasons import Reason
from contracts.spool import StopReason
from worker.explain_exit import Ending, RamEvidence, explain_exit

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GIB = 2**30
FINISHED = TrainingFinished(
    seq=9, time=NOW, steps=3, eval_loss_before=None, eval_loss_after=None, tokens_per_second=1.0,
    seconds_to_first_step=1.0, overlap_share=None, peak_rss_bytes=1, state_bytes=TierBytes(),
)  # fmt: skip
STOPPED = TrainingStopped(seq=9, time=NOW, step=4)
FULL = TrainingFailed(seq=9, time=NOW, reason=Reason.DISK_FULL, message="No room on /fast: 3 bytes of 5 GiB left.")


def ending(
    exit_code: int | None = None, signal: int | None = None, *events: AnyEvent, available_bytes: int = 8 * GIB,
    oom_kills: int = 0, **changes: Any,
) -> Ending:  # fmt: skip
    record = ExitRecord(exit_code=exit_code, signal=signal, ended_at=NOW, peak_rss_bytes=6 * GIB)
    ram = RamEvidence(total_bytes=16 * GIB, last_available_bytes=available_bytes, oom_kills=oom_kills)
    known: dict[str, Any] = {"record": record, "stop": None, "log_tail": "last words"}
    return Ending(last_events=events, ram=ram, **(known | changes))


def test_finished_work_and_exit_0_is_success() -> None:
    assert explain_exit(ending(0, None, FINISHED)).outcome is Outcome.SUCCEEDED


def test_finished_work_survives_an_interrupt_that_came_too_late() -> None:
    assert explain_exit(ending(0, None, FINISHED, stop=StopReason.INTERRUPT)).outcome is Outcome.SUCCEEDED


def test_a_cancel_is_kept_even_when_the_work_was_finished() -> None:
    verdict = explain_exit(ending(0, None, FINISHED, stop=StopReason.CANCEL))
    assert (verdict.outcome, verdict.reason) == (Outcome.CANCELLED, Reason.CANCELLED_BY_USER)


def test_exit_0_without_finished_work_is_a_failure() -> None:
    verdict = explain_exit(ending(0))
    assert (verdict.outcome, verdict.reason) == (Outcome.FAILED, Reason.USER_ERROR)
    assert "without finishing" in verdict.message


def test_finished_work_with_a_crash_after_it_is_a_failure() -> None:
    assert explain_exit(ending(None, 11, FINISHED)).outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("stop", "outcome", "reason"),
    [
        (StopReason.CANCEL, Outcome.CANCELLED, Reason.CANCELLED_BY_USER),
        (StopReason.INTERRUPT, Outcome.INTERRUPTED, Reason.INTERRUPTED),
    ],
)
def test_a_stop_at_a_step_boundary_tells_the_step(stop: StopReason, outcome: Outcome, reason: Reason) -> None:
    verdict = explain_exit(ending(3, None, STOPPED, stop=stop))
    assert (verdict.outcome, verdict.reason, verdict.message) == (outcome, reason, "Stopped after step 4.")


def test_a_stop_that_took_a_kill_says_so() -> None:
    verdict = explain_exit(ending(None, 9, stop=StopReason.INTERRUPT))
    assert verdict.outcome is Outcome.INTERRUPTED
    assert verdict.message == "Ended by SIGKILL: no step boundary came in time."


def test_a_failure_of_its_own_is_told_though_an_interrupt_came_meanwhile() -> None:
    verdict = explain_exit(ending(1, None, FULL, stop=StopReason.INTERRUPT))
    assert (verdict.outcome, verdict.reason, verdict.message) == (Outcome.FAILED, Reason.DISK_FULL, FULL.message)


@pytest.mark.parametrize("evidence", [{"available_bytes": 100 * 2**20}, {"oom_kills": 1}])
def test_a_kill_with_ram_at_its_end_names_ram_and_the_numbers(evidence: dict[str, int]) -> None:
    verdict = explain_exit(ending(None, 9, **evidence))
    assert (verdict.outcome, verdict.reason) == (Outcome.FAILED, Reason.HOST_RAM_EXHAUSTED)
    assert "of 16 GiB host RAM" in verdict.message
    assert "peak RSS was 6 GiB" in verdict.message


def test_a_kill_with_ram_to_spare_is_a_signal_from_outside() -> None:
    verdict = explain_exit(ending(None, 9))
    assert verdict.reason is Reason.KILLED_BY_SIGNAL
    assert "SIGKILL" in verdict.message
    assert verdict.message.endswith("last words")


def test_a_crash_is_no_lack_of_ram_even_when_ram_is_low() -> None:
    verdict = explain_exit(ending(None, 11, available_bytes=0))
    assert verdict.reason is Reason.KILLED_BY_SIGNAL
    assert "SIGSEGV" in verdict.message


def test_a_signal_without_a_name_is_told_by_number() -> None:
    assert "signal 45" in explain_exit(ending(None, 45)).message


def test_a_lost_shim_with_low_ram_is_a_lack_of_ram() -> None:
    assert explain_exit(ending(record=None, oom_kills=2)).reason is Reason.HOST_RAM_EXHAUSTED


def test_a_lost_shim_is_told_with_what_it_left() -> None:
    verdict = explain_exit(ending(record=None, stragglers=3))
    assert verdict.reason is Reason.KILLED_BY_SIGNAL
    assert "3 processes it left were ended" in verdict.message


def test_another_boot_is_told_as_such() -> None:
    assert explain_exit(ending(record=None, is_rebooted=True)).reason is Reason.BOX_REBOOTED


def test_a_long_log_does_not_make_the_message_too_long() -> None:
    assert len(explain_exit(ending(1, log_tail="x" * 10_000)).message) == 4000
