"""The agent of a box: registers it, polls for claims, and gives each attempt a supervisor of its own."""

import os
import shutil
import signal
from types import FrameType

import structlog
from pydantic import ValidationError

from contracts.attempts import BoxRegistered, Claim
from worker.attempt_folder import AttemptFolder, unreported_folders
from worker.box_state import read_box_state
from worker.celery_child import CeleryChild
from worker.control_plane import ControlPlane, RefusedError, UnreachableError
from worker.errors import AgentRunningError, BoxRefusedError
from worker.file_lock import try_lock
from worker.reach import Backoff, Reach
from worker.settings import WorkerSettings
from worker.supervisor import Supervisor
from worker.wake_socket import WakeSocket

_LOCK_FILE = "agent.lock"
_POLLED_FILE = "last-poll"
"""Touched after each completed poll; its age is the agent's health."""
_CHECK_ACCESS = "Check --url, and that --box-token-file holds the token of this API."

log = structlog.stdlib.get_logger(__name__)


class Agent:
    """One a data folder. `run` belongs into the main thread: it takes the signals."""

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings
        self._api = ControlPlane(settings.url, settings.box_token, Reach())
        self._supervisors: dict[str, Supervisor] = {}
        self._interrupts = 0

    def run(self) -> int:
        """Until SIGINT; SIGTERM ends the process here and now. Raises WorkerError when it cannot begin."""
        settings = self._settings
        settings.make_folders()
        lock = try_lock(settings.run_folder / _LOCK_FILE)
        if lock is None:
            pid = (settings.run_folder / _LOCK_FILE).read_text().strip()
            raise AgentRunningError(settings.data_dir, pid)
        wake = WakeSocket(settings.run_folder)
        signal.signal(signal.SIGTERM, _leave)
        signal.signal(signal.SIGINT, self._on_interrupt)
        self._adopt()
        registered = self._register(wake)
        if registered is not None:
            self._poll_until_interrupted(wake)
        self._stop_runs(wake)
        wake.close()
        os.close(lock)
        return 0

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - signal handler's shape
        self._interrupts += 1

    def _adopt(self) -> None:
        """Take up what an earlier agent left, before the API is even asked."""
        for folder in unreported_folders(self._settings.attempts_folder):
            try:
                claim = folder.claim()
            except ValidationError as error:
                # One folder of another version, or a damaged one, must not keep the box from its work.
                log.error(  # noqa: TRY400
                    "an attempt's claim cannot be read; its folder is left alone",
                    folder=str(folder.path),
                    error=str(error),
                )
                continue
            if claim is None:
                # Nothing ran in it yet; the API still has the claim and gives it again.
                shutil.rmtree(folder.path)
            else:
                self._supervise(folder, claim)

    def _register(self, wake: WakeSocket) -> BoxRegistered | None:
        """None: interrupted before the API answered."""
        backoff = Backoff()
        while not self._interrupts:
            try:
                registered = self._api.register(read_box_state(self._settings))
            except UnreachableError:
                wake.wait(backoff.next_seconds())
            except RefusedError as error:
                # The API's own hint to someone without the right token is for people, not for boxes.
                is_token = error.status in {401, 403} or not error.hint
                raise BoxRefusedError(
                    self._settings.url, str(error), _CHECK_ACCESS if is_token else error.hint
                ) from error
            else:
                log.info("registered", box=self._settings.name, box_id=registered.box_id, url=self._settings.url)
                if self._settings.broker_url is not None:
                    CeleryChild(self._settings, self._settings.broker_url, registered.queue).start()
                return registered
        return None

    def _poll_until_interrupted(self, wake: WakeSocket) -> None:
        backoff = Backoff()
        refusal = ""
        pause_seconds = 0.0
        while not self._interrupts:
            if wake.wait(pause_seconds):
                for supervisor in self._supervisors.values():
                    supervisor.poke()
            try:
                is_new = self._poll()
            except UnreachableError:
                pause_seconds = backoff.next_seconds()
            except RefusedError as error:
                pause_seconds = backoff.next_seconds()
                if str(error) != refusal:
                    refusal = str(error)
                    log.error("the API refuses the poll; trying on", error=refusal)  # noqa: TRY400
            else:
                backoff.reset()
                refusal = ""
                # Where one was granted there may be another.
                pause_seconds = 0.0 if is_new else self._settings.poll_seconds

    def _poll(self) -> bool:
        """Whether a new attempt came of it."""
        self._supervisors = {name: found for name, found in self._supervisors.items() if not found.is_over}
        claim = self._ask_for_claim()
        (self._settings.run_folder / _POLLED_FILE).touch()
        if claim is None:
            return False
        folder = AttemptFolder(self._settings.attempts_folder / claim.attempt_id)
        if folder.is_reported:
            # Its end was refused; the API will take it for lost.
            return False
        log.info("claimed", attempt_id=claim.attempt_id, job_id=claim.job_id, number=claim.number)
        self._supervise(folder, claim)
        return True

    def _ask_for_claim(self) -> Claim | None:
        state = read_box_state(self._settings)
        if self._supervisors:
            # The API may have given up on a run whose processes are still ending here, with their memory and disk:
            # the next one is taken when they are gone. Until then only say that the box lives.
            self._api.register(state)
            return None
        return self._api.claim(state)

    def _supervise(self, folder: AttemptFolder, claim: Claim) -> None:
        supervisor = Supervisor(
            folder=folder, claim=claim, api=self._api, settings=self._settings
        )  # fmt: skip
        self._supervisors[claim.attempt_id] = supervisor
        supervisor.start()

    def _stop_runs(self, wake: WakeSocket) -> None:
        """Wait until every run has stopped and is reported; a second SIGINT stops waiting for step boundaries."""
        told = 0
        while living := [one for one in self._supervisors.values() if one.is_alive()]:
            if told < self._interrupts:
                log.info("stopping runs", attempts=len(living), at_once=told > 0)
                for supervisor in living:
                    supervisor.interrupt()
                told += 1
            wake.wait(0.1)


def _leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - signal handler's shape
    """At once: whatever is worth keeping is on the disk, and the runs live on under their shims."""
    log.info("leaving; runs go on under their shims")
    os._exit(0)
