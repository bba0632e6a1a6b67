"""The end of an attempt: what is left of it goes to the API, in the order that makes a crash in between harmless."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import structlog

from contracts.attempts import AttemptFinished, Claim, Outcome
from contracts.reasons import Reason
from worker.artifact_upload import read_artifact, upload_artifact
from worker.attempt_folder import AttemptFolder, prune_reported
from worker.control_plane import ControlPlane, RefusedError, StaleFenceError, UnreachableError
from worker.errors import SpoolCorruptError
from worker.explain_exit import Verdict
from worker.reach import Backoff
from worker.settings import WorkerSettings
from worker.shipper import Shipper

T = TypeVar("T")
Check = Callable[[], None]

_ALL_SPANS = 10_000
_STOPPED_SPANS = 20
"""Somebody waits for a stop to be confirmed; hundreds of small files over a slow line would take a minute."""

log = structlog.stdlib.get_logger(__name__)


class ReportLaterError(Exception):
    """The agent ends before the API came back; the folder stays unreported and the next agent goes on."""


class _CancelledError(Exception):
    pass


@dataclass(frozen=True, kw_only=True, slots=True)
class Reporter:
    """Every step is repeatable. Methods block until the API has heard, or `check` raises."""

    folder: AttemptFolder
    claim: Claim
    api: ControlPlane
    shipper: Shipper
    settings: WorkerSettings
    check: Check
    """Called between steps and tries; raises to give up."""
    is_cancelled: Callable[[], bool]
    _pause: threading.Event = field(default_factory=threading.Event)

    def report(self, verdict: Verdict) -> None:
        """Only when no process of the attempt lives. Raises StaleFenceError, and what `check` raises."""
        is_stopped = verdict.outcome in {Outcome.CANCELLED, Outcome.INTERRUPTED}
        spans = _STOPPED_SPANS if is_stopped else _ALL_SPANS
        for ship in (self.shipper.ship_started, self.shipper.ship_log, lambda: self.shipper.ship_last_spans(spans)):
            self._ship(ship)
        try:
            self._ship(self.shipper.ship_events)
        except SpoolCorruptError as error:
            if verdict.outcome is Outcome.SUCCEEDED:
                verdict = _internal(str(error))
        if verdict.outcome is Outcome.SUCCEEDED:
            verdict = self._store_artifact()
        self._finish(verdict)

    def until_heard(self, call: Callable[[], T], check: Check) -> T:
        """Repeat `call` until the API answers."""
        backoff = Backoff()
        while True:
            check()
            try:
                return call()
            except UnreachableError:
                self._pause.wait(backoff.next_seconds())

    def close(self, how: str) -> None:
        """Nothing more to do for this attempt: drop its scratch, and old folders with it."""
        # The mark comes last: after a crash in between the next agent comes by here again.
        self.folder.drop_scratch(self.claim.attempt_id, self.settings.nvme_paths)
        self.folder.mark_reported(how)
        prune_reported(self.settings.attempts_folder)

    def _ship(self, ship: Callable[[], object]) -> None:
        try:
            self.until_heard(ship, self.check)
        except StaleFenceError:
            raise
        except RefusedError as error:
            # The end of the attempt must be told even when a part of its story cannot be.
            self._log.error("a part of the attempt was refused and is missing", error=str(error))

    def _store_artifact(self) -> Verdict:
        try:
            files = read_artifact(self.folder.artifact, self._check_upload)
            self.until_heard(
                lambda: upload_artifact(self.api, self.claim, self.folder.artifact, files, self._check_upload),
                self._check_upload,
            )
        except StaleFenceError:
            raise
        except RefusedError as error:
            return _internal(f"The API did not take the artifact: {error}.")
        except _CancelledError:
            message = "Cancelled while its outcome was uploaded."
            return Verdict(outcome=Outcome.CANCELLED, reason=Reason.CANCELLED_BY_USER, message=message)
        self._log.info("artifact stored", files=len(files), num_bytes=sum(file.num_bytes for file in files))
        return Verdict(outcome=Outcome.SUCCEEDED)

    def _check_upload(self) -> None:
        self.check()
        if self.is_cancelled():
            raise _CancelledError

    def _finish(self, verdict: Verdict) -> None:
        record = self.folder.exit_record()
        finished = AttemptFinished(
            fence=self.claim.fence,
            outcome=verdict.outcome,
            reason=verdict.reason,
            message=verdict.message,
            exit_code=record.exit_code if record is not None else None,
            signal=record.signal if record is not None else None,
        )
        how = str(verdict.outcome)
        try:
            self.until_heard(lambda: self.api.finish(self.claim.attempt_id, finished), self.check)
        except StaleFenceError:
            raise
        except RefusedError as error:
            self._log.error("the API refused the end of the attempt", error=str(error))
            how = f"refused: {error}"
        else:
            self._log.info("reported", outcome=how, reason=verdict.reason and str(verdict.reason))
            self.folder.drop_artifact()
        self.close(how)

    @property
    def _log(self) -> structlog.stdlib.BoundLogger:
        bound: structlog.stdlib.BoundLogger = log.bind(attempt_id=self.claim.attempt_id, job_id=self.claim.job_id)
        return bound


def _internal(message: str) -> Verdict:
    return Verdict(outcome=Outcome.FAILED, reason=Reason.INTERNAL, message=message)
