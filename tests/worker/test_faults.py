"""Agent, shim, training process and API die in turn; nothing is lost, nothing runs twice."""

import itertools
import os
import signal
import time
from pathlib import Path

from contracts.attempts import Outcome
from contracts.reasons import Reason
from contracts.spool import SHIM_FILE
from tests.worker.box import Box, is_running, wait_until
from tests.worker.fake_api import FakeApi, StoredAttempt
from worker.atomic_file import write_model
from worker.process_tree import marked_pids

PACED = ("--training-module", "worker.paced")
UNRULY = ("--training-module", "tests.worker.unruly", "--kill-grace-seconds", "0.5")
STEADY = "step_seconds=0.05"
SLOW = "step_seconds=0.1"


def training_pid(stored: StoredAttempt) -> int:
    training = stored.started[0].training
    assert training is not None
    return training.pid


def assert_whole(stored: StoredAttempt, steps: int) -> None:
    assert [one.outcome for one in stored.finished] == [Outcome.SUCCEEDED]
    assert stored.steps == list(range(1, steps + 1))
    assert stored.seqs == list(range(1, len(stored.events) + 1))
    assert stored.log.splitlines() == [f"step {step} of {steps}".encode() for step in range(1, steps + 1)]


def test_a_killed_agent_finds_its_run_again_with_the_same_process(box: Box, api: FakeApi) -> None:
    box.start_agent(*PACED)
    stored = box.grant(STEADY, max_steps=50)
    api.wait_for(lambda: len(stored.steps) >= 5)
    pid = training_pid(stored)
    box.signal_agent(signal.SIGKILL)
    steps_at_kill = len(stored.steps)
    assert is_running(pid)

    box.start_agent(*PACED)
    api.wait_for(lambda: len(stored.steps) > steps_at_kill)
    assert is_running(pid)
    assert stored.started[-1].training == stored.started[0].training
    api.wait_for(lambda: stored.finished)
    assert_whole(stored, 50)
    assert stored.doubled_events == 0
    assert stored.doubled_log_bytes == 0
    assert "adopted" in box.log.read_text()


def test_sigterm_ends_the_agent_at_once_and_the_run_lives_on(box: Box, api: FakeApi) -> None:
    box.start_agent(*PACED)
    stored = box.grant(STEADY, max_steps=40)
    api.wait_for(lambda: len(stored.steps) >= 3)
    began = time.monotonic()
    assert box.signal_agent(signal.SIGTERM) == 0
    assert time.monotonic() - began < 1.0
    assert is_running(training_pid(stored))
    box.start_agent(*PACED)
    api.wait_for(lambda: stored.finished)
    assert_whole(stored, 40)


def test_a_run_that_ended_while_no_agent_lived_is_reported_by_the_next(box: Box, api: FakeApi) -> None:
    box.start_agent(*PACED)
    stored = box.grant(STEADY, max_steps=20)
    api.wait_for(lambda: stored.steps)
    box.signal_agent(signal.SIGKILL)
    wait_until(lambda: not marked_pids(stored.claim.attempt_id))
    assert not stored.finished
    box.start_agent(*PACED)
    api.wait_for(lambda: stored.finished)
    assert_whole(stored, 20)


def test_a_killed_shim_takes_its_tree_along_and_is_told(box: Box, api: FakeApi) -> None:
    box.start_agent(*UNRULY)
    stored = box.grant("never stop")
    api.wait_for(lambda: stored.started)
    wait_until((box.attempt(stored).path / "grandchild.pid").exists)
    os.kill(stored.started[0].shim.pid, signal.SIGKILL)
    api.wait_for(lambda: stored.finished)
    [finished] = stored.finished
    assert (finished.outcome, finished.reason) == (Outcome.FAILED, Reason.KILLED_BY_SIGNAL)
    assert "2 processes it left were ended" in finished.message
    assert stored.living_at_finish == []


def test_stragglers_of_a_shim_that_died_with_the_agent_are_ended_by_the_next_agent(box: Box, api: FakeApi) -> None:
    box.start_agent(*UNRULY)
    stored = box.grant("never stop")
    api.wait_for(lambda: stored.started)
    box.signal_agent(signal.SIGKILL)
    os.kill(stored.started[0].shim.pid, signal.SIGKILL)
    assert is_running(training_pid(stored))
    box.start_agent(*UNRULY)
    api.wait_for(lambda: stored.finished)
    assert stored.finished[0].outcome is Outcome.FAILED
    assert not is_running(training_pid(stored))


def test_a_run_from_before_a_restart_of_the_box_is_told_as_such(box: Box, api: FakeApi) -> None:
    box.start_agent(*UNRULY)
    stored = box.grant("never stop")
    api.wait_for(lambda: stored.started)
    box.signal_agent(signal.SIGKILL)
    for identity in (stored.started[0].shim.pid, training_pid(stored)):
        os.kill(identity, signal.SIGKILL)
    wait_until(lambda: not is_running(training_pid(stored)))
    # As after a restart: the same files, another boot, and perhaps another process under the old pid.
    attempt = box.attempt(stored)
    old = attempt.started()
    assert old is not None
    elsewhere = old.shim.model_copy(update={"boot_id": "11111111-2222-3333-4444-555555555555", "pid": os.getpid()})
    write_model(attempt.path / SHIM_FILE, old.model_copy(update={"shim": elsewhere}))
    box.start_agent(*UNRULY)
    api.wait_for(lambda: stored.finished)
    assert (stored.finished[0].outcome, stored.finished[0].reason) == (Outcome.FAILED, Reason.BOX_REBOOTED)


def test_an_agent_killed_before_the_shim_started_starts_it_at_its_next_start(box: Box, api: FakeApi) -> None:
    stored = box.grant(STEADY, max_steps=5)
    attempt = box.attempt(stored)
    attempt.create(stored.claim)
    box.start_agent(*PACED)
    api.wait_for(lambda: stored.finished)
    assert_whole(stored, 5)
    assert len({one.shim.pid for one in stored.started}) == 1


def test_training_goes_on_while_the_api_is_away_and_all_arrives_later(box: Box, api: FakeApi) -> None:
    box.start_agent(*PACED)
    stored = box.grant(STEADY, max_steps=40)
    api.wait_for(lambda: len(stored.steps) >= 3)
    api.go_away()
    # Until the run has ended without an API.
    wait_until(lambda: not marked_pids(stored.claim.attempt_id))
    time.sleep(1.0)
    assert not stored.finished
    began = time.monotonic()
    api.come_back()
    api.wait_for(lambda: stored.finished)
    print(f"caught up {time.monotonic() - began:.2f} s after the API came back")
    assert_whole(stored, 40)
    assert stored.doubled_events == 0
    log = box.log.read_text()
    assert log.count("the API does not answer") == 1
    assert log.count("the API answers again") == 1


def test_the_lease_is_renewed_while_a_long_log_is_sent_over_a_slow_line(box: Box, api: FakeApi) -> None:
    box.start_agent(*PACED)
    stored = box.grant(STEADY, max_steps=10_000)
    api.wait_for(lambda: stored.steps)
    box.signal_agent(signal.SIGKILL)
    backlog_bytes = 24 << 20
    os.truncate(box.attempt(stored).output, backlog_bytes)
    heartbeats_before = len(stored.heartbeats)
    api.answer_seconds = 0.2

    box.start_agent(*PACED)
    api.wait_for(lambda: len(stored.log) >= backlog_bytes, 60)
    beats = stored.heartbeats[heartbeats_before:]
    assert len(beats) >= 2
    assert max(after - before for before, after in itertools.pairwise(beats)) < 5.0
    assert box.signal_agent(signal.SIGINT) == 0


def test_an_agent_started_without_an_api_adopts_and_reports_when_it_comes(box: Box, api: FakeApi) -> None:
    box.start_agent(*PACED)
    stored = box.grant(STEADY, max_steps=40)
    api.wait_for(lambda: stored.steps)
    box.signal_agent(signal.SIGKILL)
    api.go_away()
    box.start_agent(*PACED)
    wait_until(lambda: "adopted" in box.log.read_text())
    api.come_back()
    api.wait_for(lambda: stored.finished)
    assert_whole(stored, 40)


def test_a_stale_fence_ends_the_processes_and_nothing_is_written_after_it(box: Box, api: FakeApi) -> None:
    box.start_agent(*UNRULY)
    stored = box.grant("never stop")
    api.wait_for(lambda: stored.started)
    wait_until((box.attempt(stored).path / "grandchild.pid").exists)
    with api.changed:
        stored.fence += 1
        events = len(stored.events)
    box.poke()
    attempt = box.attempt(stored)
    wait_until(lambda: attempt.is_reported)
    assert marked_pids(stored.claim.attempt_id) == set()
    assert attempt.events.exists()
    assert len(stored.events) == events
    assert stored.finished == []

    box.signal_agent(signal.SIGKILL)
    polls = len(api.claim_polls)
    box.start_agent(*UNRULY)
    api.wait_for(lambda: len(api.claim_polls) > polls)
    assert "adopted" not in box.log.read_text()


def test_the_next_attempt_waits_for_the_processes_of_a_stale_one(box: Box, api: FakeApi) -> None:
    box.start_agent("--training-module", "tests.worker.unruly", "--kill-grace-seconds", "3")
    stale = box.grant("never stop")
    api.wait_for(lambda: stale.events)
    stale.fence += 1
    fresh = box.grant(STEADY, max_steps=5)
    api.wait_for(lambda: fresh.started)
    assert not marked_pids(stale.claim.attempt_id)
    api.wait_for(lambda: fresh.finished)
    assert_whole(fresh, 5)


def test_an_attempt_the_api_has_forgotten_is_ended(box: Box, api: FakeApi) -> None:
    box.start_agent(*UNRULY)
    stored = box.grant("never stop")
    api.wait_for(lambda: stored.started)
    with api.changed:
        del api.attempts[stored.claim.attempt_id]
    box.poke()
    wait_until(lambda: box.attempt(stored).is_reported)
    assert not is_running(training_pid(stored))


def test_an_api_that_lost_events_and_log_gets_them_again(box: Box, api: FakeApi) -> None:
    box.start_agent(*PACED)
    stored = box.grant(SLOW, max_steps=25)
    api.wait_for(lambda: len(stored.steps) >= 5)
    with api.changed:
        # As after a restore from a backup.
        del stored.events[3:]
        stored.log = stored.log[:10]
    api.wait_for(lambda: stored.finished)
    assert_whole(stored, 25)


def test_a_killed_training_process_leaves_nobody_behind(box: Box, api: FakeApi) -> None:
    box.start_agent(*UNRULY)
    stored = box.grant("never stop")
    api.wait_for(lambda: stored.started)
    file: Path = box.attempt(stored).path / "grandchild.pid"
    wait_until(file.exists)
    os.kill(training_pid(stored), signal.SIGKILL)
    api.wait_for(lambda: stored.finished)
    assert stored.finished[0].reason is Reason.KILLED_BY_SIGNAL
    assert stored.living_at_finish == []
    assert not is_running(int(file.read_text()))
