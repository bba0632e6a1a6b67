"""One attempt from claim to report, in a thread of its own. The API may be away for any time in between."""

import errno
import subprocess
import threading
import time

import structlog

from contracts.attempts import AttemptStarted, Claim, Outcome
from contracts.reasons import Reason
from contracts.spool import StopReason
from worker.attempt_folder import AttemptFolder
from worker.attempt_processes import AttemptProcesses, clear_stragglers
from worker.control_plane import ControlPlane, StaleFenceError
from worker.courier import Courier
from worker.errors import StartError
from worker.explain_exit import Ending, Verdict, explain_exit
from worker.process_tree import boot_id
from worker.reporter import Reporter, ReportLaterError
from worker.settings import WorkerSettings
from worker.shipper import Shipper
from worker.spool_reader import last_events, last_lines
from worker.start_attempt import prepare_order, start_shim
from worker.stop_ladder import StopLadder
from worker.wake_socket import poke_agent

_WATCH_SECONDS = 0.5
_START_SECONDS = 60.0
_START_ROUND_SECONDS = 0.02
_SECOND_SHIM_SECONDS = 2.0
_LOG_TAIL_LINES = 20
_MAX_MESSAGE = 4000
_AT_ONCE = StopLadder(stop_grace_seconds=0.0, kill_grace_seconds=5.0)


class _StopAskedError(Exception):
    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason)
        self.reason = reason


class Supervisor(threading.Thread):
    """Starts the attempt, or adopts it when its folder says that it was started before."""

    def __init__(self, *, folder: AttemptFolder, claim: Claim, api: ControlPlane, settings: WorkerSettings) -> None:
        super().__init__(name=f"attempt-{claim.attempt_id}", daemon=True)
        self.claim = claim
        self.is_over = False
        """True: nothing of the attempt is left to do here, and the agent was poked."""
        self._folder = folder
        self._api = api
        self._settings = settings
        self._changed = threading.Event()
        self._is_interrupted = False
        self._is_hurried = False
        self._processes: AttemptProcesses | None = None
        self._log = structlog.stdlib.get_logger(__name__, attempt_id=claim.attempt_id, job_id=claim.job_id)
        shipper = Shipper(folder, claim, api)
        self._courier = Courier(
            claim=claim, api=api, shipper=shipper,
            heartbeat_seconds=settings.heartbeat_seconds, changed=self._changed,
        )  # fmt: skip
        self._reporter = Reporter(
            folder=folder, claim=claim, api=api, shipper=shipper, settings=settings,
            check=self._check_report, is_cancelled=lambda: self._courier.is_cancel_requested,
        )  # fmt: skip
        self._report_deadline: float | None = None

    def interrupt(self) -> None:
        """The agent ends: stop at the next step boundary and report `interrupted`. A second time: at once."""
        self._is_hurried = self._is_interrupted
        self._is_interrupted = True
        self._changed.set()

    def poke(self) -> None:
        """There may be news at the API."""
        self._courier.poke()

    def run(self) -> None:
        try:
            self._reporter.report(self._attend())
        except StaleFenceError as error:
            self._abandon(str(error))
        except ReportLaterError:
            self._log.warning("the API is away; the end of this attempt is reported at the next start")
        except Exception as error:  # noqa: BLE001 - the thread's last line: an attempt is never left silently
            self._log.exception("supervising failed")
            self._fail(error)
        finally:
            self._courier.end()
            self.is_over = True
            poke_agent(self._settings.run_folder)

    def _attend(self) -> Verdict:
        """Until no process of the attempt lives; how it ended."""
        try:
            started = self._folder.started() or self._start()
        except StartError as error:
            return Verdict(outcome=Outcome.FAILED, reason=error.reason, message=str(error)[:_MAX_MESSAGE])
        except _StopAskedError as asked:
            return _not_started(asked.reason)
        if not self._courier.is_alive():
            self._log.info("adopted", shim_pid=started.shim.pid, training_pid=_training_pid(started))
            self._courier.start()
        self._watch(started)
        self._courier.only_beat()
        return self._explain(started, clear_stragglers(self.claim.attempt_id))

    def _start(self) -> AttemptStarted:
        """Raises StartError and _StopAskedError; then nothing of the attempt runs."""
        self._folder.create(self.claim)
        # One answered heartbeat before anything runs: a cancel may have been faster than the claim.
        self._reporter.until_heard(self._courier.beat, self._check_start)
        self._courier.start()
        self._reporter.until_heard(
            lambda: prepare_order(self.claim, self._folder, self._api, self._settings, self._check_start),
            self._check_start,
        )
        self._check_start()
        shim = start_shim(self.claim, self._folder, self._settings)
        threading.Thread(target=self._reap, args=(shim,), name=f"reap-{shim.pid}", daemon=True).start()
        deadline = time.monotonic() + _START_SECONDS
        while (started := self._folder.started()) is None and time.monotonic() < deadline:
            if shim.returncode:
                # It may have given way to a shim that an agent before us started a moment ago.
                deadline = min(deadline, time.monotonic() + _SECOND_SHIM_SECONDS)
            time.sleep(_START_ROUND_SECONDS)
        if started is None:
            clear_stragglers(self.claim.attempt_id)
            tail = last_lines(self._folder.output, _LOG_TAIL_LINES)
            raise StartError(Reason.INTERNAL, f"The shim did not start (exit code {shim.returncode}).\n{tail}")
        self._log.info("started", shim_pid=started.shim.pid, training_pid=_training_pid(started))
        return started

    def _reap(self, shim: "subprocess.Popen[bytes]") -> None:
        """Collect the shim's exit status, or it would stay a zombie; and be told at once."""
        shim.wait()
        self._changed.set()

    def _watch(self, started: AttemptStarted) -> None:
        settings = self._settings
        ladder = StopLadder(
            stop_grace_seconds=settings.stop_grace_seconds, kill_grace_seconds=settings.kill_grace_seconds
        )  # fmt: skip
        self._processes = AttemptProcesses(self._folder, self.claim.attempt_id, started, ladder)
        while self._processes.is_alive:
            self._check_fence()
            self._processes.look_at_ram()
            if (reason := self._stop_reason()) is not None:
                self._processes.press(reason, is_hurried=self._is_hurried)
            self._changed.wait(_WATCH_SECONDS)
            self._changed.clear()

    def _explain(self, started: AttemptStarted, stragglers: int) -> Verdict:
        processes = self._processes
        assert processes is not None  # noqa: S101 - set by _watch
        record = self._folder.exit_record()
        is_cancelled = self._courier.is_cancel_requested
        return explain_exit(
            Ending(
                record=record,
                last_events=last_events(self._folder.events),
                stop=StopReason.CANCEL if is_cancelled else self._folder.stop_reason(),
                ram=processes.ram_evidence(),
                log_tail=last_lines(self._folder.output, _LOG_TAIL_LINES),
                is_rebooted=record is None and started.shim.boot_id != boot_id(),
                stragglers=stragglers,
            )
        )

    def _stop_reason(self) -> StopReason | None:
        if self._courier.is_cancel_requested:
            return StopReason.CANCEL
        return StopReason.INTERRUPT if self._is_interrupted else self._folder.stop_reason()

    def _check_fence(self) -> None:
        if self._courier.is_stale:
            raise StaleFenceError(409, "stale_fence", "told by a heartbeat")

    def _check_start(self) -> None:
        self._check_fence()
        if (reason := self._stop_reason()) is not None:
            raise _StopAskedError(reason)

    def _check_report(self) -> None:
        """Between the steps of the report: is there still somebody to report to?"""
        self._check_fence()
        if self._is_interrupted:
            now = time.monotonic()
            self._report_deadline = self._report_deadline or now + self._settings.report_seconds
            if now > self._report_deadline:
                raise ReportLaterError

    def _abandon(self, cause: str) -> None:
        """Somebody else has this job now: end what runs here, send nothing more, keep the folder for a look."""
        self._log.warning("the attempt is no longer ours; ending its processes", cause=cause)
        started = self._folder.started()
        if started is not None:
            AttemptProcesses(self._folder, self.claim.attempt_id, started, _AT_ONCE).end_now(self._changed)
        clear_stragglers(self.claim.attempt_id)
        self._reporter.close("stale_fence")

    def _fail(self, error: Exception) -> None:
        """Our own failure: end what runs and say so; should even that fail, the next agent finds the folder."""
        started = self._folder.started()
        if started is not None:
            AttemptProcesses(self._folder, self.claim.attempt_id, started, _AT_ONCE).end_now(self._changed)
        clear_stragglers(self.claim.attempt_id)
        self._courier.only_beat()
        is_full = isinstance(error, OSError) and error.errno == errno.ENOSPC
        reason = Reason.DISK_FULL if is_full else Reason.INTERNAL
        message = f"The worker failed while it supervised the run: {type(error).__name__}: {error}"
        try:
            self._reporter.report(Verdict(outcome=Outcome.FAILED, reason=reason, message=message[:_MAX_MESSAGE]))
        except StaleFenceError:
            self._reporter.close("stale_fence")
        except (ReportLaterError, OSError):
            self._log.exception("the failure cannot be reported now; the next start does")


def _not_started(reason: StopReason) -> Verdict:
    if reason is StopReason.CANCEL:
        return Verdict(
            outcome=Outcome.CANCELLED, reason=Reason.CANCELLED_BY_USER, message="Cancelled before it started."
        )  # fmt: skip
    return Verdict(outcome=Outcome.INTERRUPTED, reason=Reason.INTERRUPTED, message="Stopped before it started.")


def _training_pid(started: AttemptStarted) -> int | None:
    return started.training.pid if started.training is not None else None
