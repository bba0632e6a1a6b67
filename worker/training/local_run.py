"""`spillway train job.yaml`: one job on this machine, without a server, by the same processes as with one."""

import os
import secrets
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from rich.console import Console

from contracts.attempts import Claim, HuggingFaceRepo, Outcome
from contracts.job import JobSpec
from contracts.reasons import Reason
from contracts.spool import STATE_FOLDER, RunOrder, StopReason
from worker.attempt_folder import AttemptFolder
from worker.environment import scrubbed_environment
from worker.explain_exit import Ending, RamEvidence, Verdict, explain_exit
from worker.host_ram import read_host_ram, read_oom_kills
from worker.spool_reader import SpoolReader, last_events, last_lines
from worker.training.local_inputs import LocalInputError, LocalInputs, resolve_inputs
from worker.training.local_progress import JsonLines, RunView, TerminalView

SUCCEEDED, FAILED, BAD_INPUT, CANCELLED = 0, 1, 2, 130
_FAULTS_OF_INPUT = frozenset(
    {Reason.MODEL_MISSING, Reason.MODEL_UNSUPPORTED, Reason.DATASET_INVALID, Reason.PLACEMENT_IMPOSSIBLE}
)
"""The message says all there is to know; a log would add nothing."""
_TICK_SECONDS = 0.2
_KILL_GRACE_SECONDS = 1.0
_MAX_EVENTS_A_TICK = 500


def run_local(spec: JobSpec, spec_folder: Path, data_dir: Path, output_dir: Path, json_output: bool) -> int:  # noqa: FBT001  the command's own flag
    """Train, following the run until it ends; the artifact is then in `output_dir`. Returns the command's exit code.

    Ctrl-C (or a terminal that closes) asks the run to stop at its next step boundary, a second one kills it; output
    that nobody takes any more kills it too. Messages go to stderr; stdout gets the progress, or with `json_output` each
    event as a line. After a failure the attempt's folder with its log is kept below `data_dir`, and named; otherwise
    nothing stays but the artifact and a bundled model.
    """
    errors = Console(stderr=True, highlight=False, soft_wrap=True)
    try:
        _check_output(output_dir)
        inputs = resolve_inputs(spec, spec_folder, data_dir / "models", errors)
    except LocalInputError as error:
        errors.print(str(error), markup=False)
        return BAD_INPUT
    attempt_id = f"att_{secrets.token_hex(8)}"
    folder = AttemptFolder(data_dir / "local-runs" / attempt_id)
    _write_attempt(folder, attempt_id, spec, inputs, output_dir)
    view: RunView = JsonLines() if json_output else TerminalView(spec.name, output_dir)
    verdict = _supervise(folder, attempt_id, view, errors)
    if verdict.outcome is Outcome.FAILED:
        errors.print(f"{verdict.reason}: {verdict.message}", markup=False)
        if verdict.reason not in _FAULTS_OF_INPUT:
            errors.print(f"The log and the events are in {folder.path}", markup=False)
            return FAILED
    shutil.rmtree(folder.path)
    return {Outcome.SUCCEEDED: SUCCEEDED, Outcome.FAILED: BAD_INPUT}.get(verdict.outcome, CANCELLED)


def _check_output(output_dir: Path) -> None:
    if output_dir.exists() and (not output_dir.is_dir() or any(output_dir.iterdir())):
        raise LocalInputError(f"The output folder {output_dir} is there already and not empty. Name another one.")


def _write_attempt(
    folder: AttemptFolder, attempt_id: str, spec: JobSpec, inputs: LocalInputs, output_dir: Path
) -> None:
    claim = Claim(
        attempt_id=attempt_id,
        job_id="local",
        project_id="local",
        number=1,
        fence=1,
        spec=spec,
        model=inputs.model,
        dataset=inputs.dataset,
        lease_seconds=0,
    )
    model_path, revision = (
        (inputs.model.repo, inputs.model.revision)
        if isinstance(inputs.model, HuggingFaceRepo)
        else (inputs.model.path, None)
    )
    order = RunOrder(
        attempt_id=attempt_id,
        spec=spec,
        model_path=model_path,
        model_revision=revision,
        dataset_path=str(inputs.dataset_path),
        nvme_paths=[str((folder.path / STATE_FOLDER).resolve())],
        artifact_path=str(output_dir.resolve()),
    )
    folder.create(claim)
    folder.write_order(order, read_oom_kills())


def _supervise(folder: AttemptFolder, attempt_id: str, view: RunView, errors: Console) -> Verdict:
    with folder.output.open("ab") as output:
        shim = subprocess.Popen(
            [sys.executable, "-m", "worker.shim", str(folder.path), "--kill-grace-seconds", str(_KILL_GRACE_SECONDS)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=scrubbed_environment(os.environ, attempt_id),
            start_new_session=True,
        )
    reader = SpoolReader(folder.events)
    seq = 0
    ram_before = read_host_ram()
    with _interrupts(folder, shim, errors), _never_left_alone(shim, folder), view:
        is_over = False
        while not is_over:
            is_over = _has_ended(shim)
            # Read after the look, so that what was written before the end is shown.
            for event in reader.read_after(seq, _MAX_EVENTS_A_TICK):
                view.show(event)
                seq = event.seq
    kills_before = folder.oom_kills_before()
    return explain_exit(
        Ending(
            record=folder.exit_record(),
            last_events=last_events(folder.events),
            stop=folder.stop_reason(),
            ram=RamEvidence(
                total_bytes=ram_before.total_bytes,
                last_available_bytes=ram_before.available_bytes,
                oom_kills=read_oom_kills().since(kills_before) if kills_before else 0,
            ),
            log_tail=last_lines(folder.output, 20),
        )
    )


@contextmanager
def _never_left_alone(shim: "subprocess.Popen[bytes]", folder: AttemptFolder) -> Iterator[None]:
    """Where this process cannot go on (nobody takes its output, say) the run ends: nobody else would end it."""
    try:
        yield
    except BaseException:
        shim.terminate()
        shim.wait()
        shutil.rmtree(folder.path)
        raise


def _has_ended(shim: "subprocess.Popen[bytes]") -> bool:
    try:
        shim.wait(_TICK_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return True


@contextmanager
def _interrupts(folder: AttemptFolder, shim: "subprocess.Popen[bytes]", errors: Console) -> Iterator[None]:
    def ask_then_kill(_signal: int, _frame: FrameType | None) -> None:
        if folder.stop_reason() is None:
            folder.ask_stop(StopReason.CANCEL)
            errors.print("Stopping at the next step boundary; Ctrl-C again kills the run.")
        else:
            shim.terminate()

    # nohup wants the run to outlive the terminal.
    hangs_up = signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN
    asking = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hangs_up else []))
    before = {number: signal.signal(number, ask_then_kill) for number in asking}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
