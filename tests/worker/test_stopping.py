import signal
import time

import pytest

from contracts.attempts import Outcome
from contracts.reasons import Reason
from tests.worker.box import Box, is_running, wait_until
from tests.worker.fake_api import FakeApi
from worker.process_tree import marked_pids

PACED = ("--training-module", "worker.paced")
UNRULY = ("--training-module", "tests.worker.unruly", "--kill-grace-seconds", "0.5")
STEADY = "step_seconds=0.05"


def test_a_cancel_is_honoured_at_the_next_step_boundary(box: Box, api: FakeApi) -> None:
    box.start_agent(*PACED)
    stored = box.grant(STEADY, max_steps=1000)
    api.wait_for(lambda: len(stored.steps) >= 3)
    began = time.monotonic()
    with api.changed:
        stored.is_cancel_requested = True
    api.wait_for(lambda: stored.finished)
    print(f"cancelled and reported after {time.monotonic() - began:.2f} s")
    [finished] = stored.finished
    assert (finished.outcome, finished.reason) == (Outcome.CANCELLED, Reason.CANCELLED_BY_USER)
    assert finished.message == f"Stopped after step {stored.steps[-1]}."
    assert stored.events[-1].kind == "training.stopped"
    assert stored.manifest is None
    assert stored.living_at_finish == []


def test_a_cancel_is_heard_though_steps_are_faster_than_the_api_answers(busy_box: Box) -> None:
    api = busy_box.api
    api.answer_seconds = 0.05
    stored = busy_box.grant("step_seconds=0.005", max_steps=100_000)
    api.wait_for(lambda: len(stored.steps) >= 100)
    with api.changed:
        stored.is_cancel_requested = True
    wait_until(lambda: busy_box.attempt(stored).stop_reason() is not None, 4)
    api.wait_for(lambda: stored.finished)
    api.answer_seconds = 0.0
    assert stored.finished[0].outcome is Outcome.CANCELLED
    assert stored.seqs == list(range(1, len(stored.events) + 1))


def test_a_run_that_never_stops_is_killed_with_all_that_came_out_of_it(box: Box, api: FakeApi) -> None:
    box.start_agent(*UNRULY, "--stop-grace-seconds", "0.5")
    stored = box.grant("never stop")
    api.wait_for(lambda: stored.started)
    file = box.attempt(stored).path / "grandchild.pid"
    wait_until(file.exists)
    with api.changed:
        stored.is_cancel_requested = True
    box.poke()
    api.wait_for(lambda: stored.finished)
    [finished] = stored.finished
    assert (finished.outcome, finished.signal) == (Outcome.CANCELLED, signal.SIGKILL)
    assert "no step boundary came in time" in finished.message
    assert stored.living_at_finish == []
    assert not is_running(int(file.read_text()))


@pytest.mark.parametrize("way", ["leave a grandchild", "leave an unmarked grandchild"])
def test_a_process_left_behind_in_a_session_of_its_own_is_gone_before_the_report(
    box: Box, api: FakeApi, way: str
) -> None:
    box.start_agent(*UNRULY)
    stored = box.grant(way, max_steps=5)
    api.wait_for(lambda: stored.finished)
    assert stored.finished[0].outcome is Outcome.SUCCEEDED
    assert stored.living_at_finish == []
    assert not is_running(int((box.attempt(stored).path / "grandchild.pid").read_text()))


def test_a_cancel_that_was_faster_than_the_claim_starts_nothing(box: Box, api: FakeApi) -> None:
    stored = box.grant(STEADY)
    stored.is_cancel_requested = True
    box.start_agent(*PACED)
    api.wait_for(lambda: stored.finished)
    assert (stored.finished[0].outcome, stored.finished[0].message) == (
        Outcome.CANCELLED,
        "Cancelled before it started.",
    )
    assert stored.started == []
    assert not box.attempt(stored).events.exists()


def test_sigint_stops_the_runs_reports_them_as_interrupted_and_ends_the_agent(box: Box, api: FakeApi) -> None:
    box.start_agent(*PACED)
    stored = box.grant(STEADY, max_steps=1000)
    api.wait_for(lambda: len(stored.steps) >= 3)
    assert box.signal_agent(signal.SIGINT) == 0
    [finished] = stored.finished
    assert (finished.outcome, finished.reason) == (Outcome.INTERRUPTED, Reason.INTERRUPTED)
    assert stored.events[-1].kind == "training.stopped"
    assert stored.living_at_finish == []


def test_a_second_sigint_does_not_wait_for_a_step_boundary(box: Box, api: FakeApi) -> None:
    agent = box.start_agent(*UNRULY, "--stop-grace-seconds", "60")
    stored = box.grant("never stop")
    api.wait_for(lambda: stored.started)
    agent.send_signal(signal.SIGINT)
    wait_until(lambda: "asking the run to stop" in box.log.read_text())
    began = time.monotonic()
    assert box.signal_agent(signal.SIGINT) == 0
    assert time.monotonic() - began < 10
    assert stored.finished[0].outcome is Outcome.INTERRUPTED
    assert stored.living_at_finish == []


def test_an_interrupt_while_the_api_is_away_is_reported_at_the_next_start(box: Box, api: FakeApi) -> None:
    box.start_agent(*PACED, "--report-seconds", "1")
    stored = box.grant(STEADY, max_steps=1000)
    api.wait_for(lambda: len(stored.steps) >= 3)
    api.go_away()
    began = time.monotonic()
    assert box.signal_agent(signal.SIGINT) == 0
    assert time.monotonic() - began < 8
    assert marked_pids(stored.claim.attempt_id) == set()
    assert not stored.finished
    api.come_back()
    box.start_agent(*PACED)
    api.wait_for(lambda: stored.finished)
    assert stored.finished[0].outcome is Outcome.INTERRUPTED
    assert stored.seqs == list(range(1, len(stored.events) + 1))
    assert stored.events[-1].kind == "training.stopped"
