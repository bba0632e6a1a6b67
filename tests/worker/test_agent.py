import hashlib
import json
import signal

import pytest

from contracts.attempts import Outcome
from contracts.reasons import Reason
from tests.worker.box import Box, wait_until
from tests.worker.fake_api import FakeApi, ProblemError

PACED = ("--training-module", "worker.paced")
FAST = "step_seconds=0.01"
STEADY = "step_seconds=0.1"


def test_a_granted_job_runs_and_everything_of_it_arrives(busy_box: Box) -> None:
    stored = busy_box.grant(FAST, "artifact_bytes=3000000", max_steps=30)
    busy_box.api.wait_for(lambda: stored.finished)

    [finished] = stored.finished
    assert finished.outcome is Outcome.SUCCEEDED
    assert finished.exit_code == 0
    assert stored.steps == list(range(1, 31))
    assert stored.seqs == list(range(1, len(stored.events) + 1))
    assert stored.doubled_events == 0
    assert stored.log.splitlines()[-1] == b"step 30 of 30"
    assert stored.doubled_log_bytes == 0
    assert sorted(stored.spans) == list(range(1, 31))
    assert stored.manifest is not None
    by_name = {file.name: file for file in stored.manifest.files}
    assert sorted(by_name) == ["config.json", "model.safetensors"]
    assert len(busy_box.api.files[by_name["model.safetensors"].sha256]) == 3_000_000
    assert stored.living_at_finish == []


def test_scratch_and_artifact_go_after_the_report_and_the_story_stays(busy_box: Box) -> None:
    nvme = busy_box.folder / "fast disk"
    stored = busy_box.grant("leave state")
    attempt = busy_box.attempt(stored)
    wait_until(lambda: attempt.is_reported and not (attempt.path / "state").exists() and not list(nvme.iterdir()))
    assert stored.finished[0].outcome is Outcome.SUCCEEDED
    assert [file.name for file in stored.manifest.files] == ["adapter/weights.safetensors"]
    assert not attempt.artifact.exists()
    assert attempt.events.exists()
    assert attempt.output.exists()


def test_the_training_process_sees_no_secret_and_has_a_session_without_us(busy_box: Box) -> None:
    stored = busy_box.grant("tell the environment")
    busy_box.api.wait_for(lambda: stored.finished)
    by_name = {file.name: busy_box.api.files[file.sha256] for file in stored.manifest.files}
    environment = json.loads(by_name["environment.json"])
    assert "secret" not in json.dumps(environment)
    assert {name for name in environment if name.startswith("SPILLWAY")} == {"SPILLWAY_ATTEMPT_ID"}
    assert environment["SPILLWAY_ATTEMPT_ID"] == stored.claim.attempt_id
    assert environment["HF_HOME"] == "/models"
    assert environment["NUMBA_NUM_THREADS"] == "2"
    session = json.loads(by_name["session.json"])
    shim = stored.started[0].shim.pid
    assert session["ppid"] == shim
    assert session["sid"] == shim
    assert session["pgid"] == session["pid"]


def test_a_missing_model_folder_fails_the_attempt_with_its_path(busy_box: Box) -> None:
    stored = busy_box.grant(model=busy_box.folder / "nowhere")
    busy_box.api.wait_for(lambda: stored.finished)
    [finished] = stored.finished
    assert (finished.outcome, finished.reason) == (Outcome.FAILED, Reason.MODEL_MISSING)
    assert str(busy_box.folder / "nowhere") in finished.message
    assert stored.started == []


def test_a_dataset_of_other_bytes_is_refused_and_not_kept(box: Box, api: FakeApi) -> None:
    stored = box.grant()
    api.datasets[stored.claim.dataset.sha256] = b"something else"
    box.start_agent(*PACED)
    api.wait_for(lambda: stored.finished)
    assert stored.finished[0].reason is Reason.INTERNAL
    assert hashlib.sha256(b"something else").hexdigest() in stored.finished[0].message
    assert list((box.data_dir / "cache" / "datasets").iterdir()) == []


def test_the_reason_told_by_the_training_process_is_the_reason_of_the_attempt(busy_box: Box) -> None:
    stored = busy_box.grant(FAST, "fail_at=3")
    busy_box.api.wait_for(lambda: stored.finished)
    [finished] = stored.finished
    assert (finished.outcome, finished.reason, finished.exit_code) == (Outcome.FAILED, Reason.DIVERGED, 1)
    assert finished.message == "The loss is NaN at step 3."


def test_an_unexpected_error_is_told_with_the_last_log_lines(busy_box: Box) -> None:
    stored = busy_box.grant("raise")
    busy_box.api.wait_for(lambda: stored.finished)
    [finished] = stored.finished
    assert (finished.outcome, finished.reason, finished.exit_code) == (Outcome.FAILED, Reason.USER_ERROR, 1)
    assert finished.message.endswith("RuntimeError: the recipe is broken")


def test_an_exit_without_finished_work_is_no_success(busy_box: Box) -> None:
    stored = busy_box.grant("exit silently")
    busy_box.api.wait_for(lambda: stored.finished)
    assert (stored.finished[0].outcome, stored.finished[0].exit_code) == (Outcome.FAILED, 0)
    assert stored.manifest is None


def test_the_log_of_a_killed_process_arrives_to_its_last_line(busy_box: Box) -> None:
    stored = busy_box.grant("log much and die")
    busy_box.api.wait_for(lambda: stored.finished)
    [finished] = stored.finished
    assert finished.reason is Reason.KILLED_BY_SIGNAL
    assert finished.signal == signal.SIGKILL
    assert "SIGKILL" in finished.message
    lines = stored.log.splitlines()
    assert len(lines) == 60_000
    assert lines[-1].startswith(b"line 059999 ")


def test_lanes_that_somebody_looks_at_are_sent_while_the_run_is_on(busy_box: Box) -> None:
    stored = busy_box.grant(STEADY, max_steps=100)
    busy_box.api.wait_for(lambda: len(stored.steps) > 3)
    assert stored.spans == {}
    stored.wanted_spans = [2, 99_999]
    busy_box.api.wait_for(lambda: stored.spans)
    assert list(stored.spans) == [2]
    assert not stored.finished


def test_a_second_agent_on_the_folder_is_refused_and_the_first_goes_on(box: Box, api: FakeApi) -> None:
    first = box.start_agent(*PACED)
    api.wait_for(lambda: api.claim_polls)
    second = box.start_agent(*PACED)
    try:
        assert second.wait(15) == 2
        assert f"Another agent (pid {first.pid}) works in {box.data_dir}" in box.log.read_text()
        polls = len(api.claim_polls)
        api.wait_for(lambda: len(api.claim_polls) > polls)
    finally:
        first.kill()
        first.wait()


def test_an_agent_keeps_its_id_over_restarts(box: Box, api: FakeApi) -> None:
    for _ in range(2):
        box.start_agent(*PACED)
        polls = len(api.claim_polls)
        api.wait_for(lambda polls=polls: len(api.claim_polls) > polls)
        box.signal_agent(signal.SIGTERM)
    assert len({state.agent_id for state in api.boxes}) == 1
    assert len(api.boxes[0].agent_id) == 32


def test_a_claim_that_cannot_be_read_keeps_the_box_from_nothing(box: Box, api: FakeApi) -> None:
    broken = box.data_dir / "attempts" / "att_broken"
    broken.mkdir(parents=True)
    (broken / "claim.json").write_text('{"of": "another version"}')
    box.start_agent(*PACED)
    stored = box.grant("step_seconds=0.01", max_steps=3)
    api.wait_for(lambda: stored.finished)
    assert "cannot be read" in box.log.read_text()
    assert (broken / "claim.json").exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--url", "127.0.0.1:8321"), "write http://HOST:PORT"),
        (("--name", "n" * 101), "has 101 characters"),
        (("--nvme", "/proc/nvme"), "The folder /proc/nvme cannot be made"),
        (("--box-token-file", "/proc/nothing"), "The box token cannot be read from /proc/nothing"),
        (("--box-token-file", "/bin/true"), "The box token cannot be read from /bin/true: it is not text"),
    ],
)
def test_a_wrong_option_ends_the_agent_with_a_word_about_it(box: Box, options: tuple[str, str], told: str) -> None:
    assert box.start_agent(*PACED, *options).wait(15) == 2
    assert told in box.log.read_text()
    assert "Traceback" not in box.log.read_text()


def test_a_wrong_token_is_told_and_ends_the_agent(box: Box, api: FakeApi) -> None:
    box.token_file.write_text("something else")
    assert box.start_agent(*PACED).wait(15) == 2
    assert "refused this box: 401 unauthenticated" in box.log.read_text()
    assert "something else" not in box.log.read_text()


def test_the_box_tells_its_disks_and_memory(box: Box, api: FakeApi) -> None:
    box.start_agent(*PACED, "--nvme", str(box.folder / "a"), "/dev/shm")
    api.wait_for(lambda: api.claim_polls)
    state = api.boxes[-1]
    assert state.name == "test-box"
    assert [path.path for path in state.nvme] == [str(box.folder / "a"), "/dev/shm"]
    assert state.nvme[1].filesystem == "tmpfs"
    assert 0 < state.host_ram_available_bytes <= state.host_ram_bytes
    assert state.cpu_cores >= 1


def test_a_refused_poll_is_tried_again_until_it_is_taken(box: Box, api: FakeApi) -> None:
    box.start_agent(*PACED)
    api.wait_for(lambda: api.claim_polls)
    api.refusal = ProblemError(401, "unauthenticated")
    wait_until(lambda: "the API refuses the poll" in box.log.read_text())
    stored = box.grant(FAST)
    api.refusal = None
    api.wait_for(lambda: stored.finished)
    assert box.log.read_text().count("the API refuses the poll") == 1


def test_only_this_user_may_enter_the_folders(busy_box: Box) -> None:
    stored = busy_box.grant(FAST)
    busy_box.api.wait_for(lambda: stored.finished)
    for folder in (busy_box.data_dir, busy_box.data_dir / "run", busy_box.attempt(stored).path):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_an_attempt_that_the_disk_cannot_hold_is_told_and_the_agent_goes_on(box: Box, api: FakeApi) -> None:
    first = box.grant(FAST)
    box.attempt(first).path.parent.mkdir(parents=True)
    box.attempt(first).path.write_text("in the way")
    box.start_agent(*PACED)
    api.wait_for(lambda: first.finished)
    assert (first.finished[0].outcome, first.finished[0].reason) == (Outcome.FAILED, Reason.INTERNAL)
    assert "FileExistsError" in first.finished[0].message
    second = box.grant(FAST, max_steps=3)
    api.wait_for(lambda: second.finished)
    assert second.finished[0].outcome is Outcome.SUCCEEDED
