"""From what is known of an attempt's end to its outcome and the words for it. Pure."""

import signal
from collections.abc import Sequence
from dataclasses import dataclass

from contracts.attempts import ExitRecord, Outcome
from contracts.events import AnyEvent, TrainingFailed, TrainingFinished, TrainingStopped
from contracts.reasons import Reason
from contracts.sizes import format_bytes
from contracts.spool import STOPPED_EXIT_CODE, StopReason

_LOW_RAM_SHARE = 0.03
"""Less than this left at the last look before a KILL, and RAM is the likely cause."""
_MAX_MESSAGE = 4000


@dataclass(frozen=True, kw_only=True, slots=True)
class RamEvidence:
    total_bytes: int
    last_available_bytes: int
    """At the last look before the end."""
    oom_kills: int
    """Processes the kernel killed for lack of memory since the attempt began."""

    @property
    def is_exhausted(self) -> bool:
        return self.oom_kills > 0 or self.last_available_bytes < self.total_bytes * _LOW_RAM_SHARE


@dataclass(frozen=True, kw_only=True, slots=True)
class Ending:
    """All that is known; parts may be missing after a crash."""

    record: ExitRecord | None
    """None: the shim is gone and left no word."""
    last_events: Sequence[AnyEvent]
    stop: StopReason | None
    ram: RamEvidence
    log_tail: str
    is_rebooted: bool = False
    stragglers: int = 0
    """Processes the agent itself had to kill after the shim was gone."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    outcome: Outcome
    reason: Reason | None = None
    message: str = ""


def explain_exit(ending: Ending) -> Verdict:
    """A cancel wins over all else: the person was told that the job ends as cancelled."""
    finished = any(isinstance(event, TrainingFinished) for event in ending.last_events)
    failure = next((event for event in reversed(ending.last_events) if isinstance(event, TrainingFailed)), None)
    if ending.stop is StopReason.CANCEL:
        return Verdict(
            outcome=Outcome.CANCELLED, reason=Reason.CANCELLED_BY_USER, message=_how_it_stopped(ending)
        )  # fmt: skip
    if finished and ending.record is not None and ending.record.exit_code == 0:
        return Verdict(outcome=Outcome.SUCCEEDED)
    if failure is not None:
        return _failed(failure.reason, failure.message)
    if ending.stop is StopReason.INTERRUPT:
        return Verdict(outcome=Outcome.INTERRUPTED, reason=Reason.INTERRUPTED, message=_how_it_stopped(ending))
    if ending.is_rebooted:
        return _failed(Reason.BOX_REBOOTED, "The box was restarted while the run was on.")
    return _unasked_end(ending)


def _unasked_end(ending: Ending) -> Verdict:
    record = ending.record
    if record is None:
        if ending.ram.is_exhausted:
            return _failed(Reason.HOST_RAM_EXHAUSTED, _ram_sentence("The run's shim was killed", ending))
        sentence = "The run's shim was killed from outside"
        rest = f", and {ending.stragglers} processes it left were ended" if ending.stragglers else ""
        return _failed(Reason.KILLED_BY_SIGNAL, f"{sentence}{rest}.", ending.log_tail)
    if record.signal is not None:
        name = _signal_name(record.signal)
        if record.signal == signal.SIGKILL and ending.ram.is_exhausted:
            return _failed(Reason.HOST_RAM_EXHAUSTED, _ram_sentence(f"The training process got {name}", ending))
        rss = format_bytes(record.peak_rss_bytes)
        return _failed(
            Reason.KILLED_BY_SIGNAL, f"The training process got {name}; its peak RSS was {rss}.", ending.log_tail
        )  # fmt: skip
    what = {
        0: "The training process ended without finishing its work",
        STOPPED_EXIT_CODE: "The training process stopped without being asked to",
    }.get(record.exit_code or 0, "The training process failed")
    return _failed(Reason.USER_ERROR, f"{what} (exit code {record.exit_code}).", ending.log_tail)


def _ram_sentence(what: str, ending: Ending) -> str:
    ram = ending.ram
    peak = f" Its peak RSS was {format_bytes(ending.record.peak_rss_bytes)}." if ending.record is not None else ""
    kills = f" Kills by the kernel for lack of memory since the start: {ram.oom_kills}." if ram.oom_kills else ""
    return (
        f"{what} while {format_bytes(ram.last_available_bytes)} of {format_bytes(ram.total_bytes)} host RAM were "
        f"available.{peak}{kills}"
    )


def _how_it_stopped(ending: Ending) -> str:
    stopped = next((event for event in reversed(ending.last_events) if isinstance(event, TrainingStopped)), None)
    if stopped is not None:
        return f"Stopped after step {stopped.step}."
    if ending.record is not None and ending.record.signal is not None:
        return f"Ended by {_signal_name(ending.record.signal)}: no step boundary came in time."
    return "Ended before a step boundary."


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _failed(reason: Reason, sentence: str, log_tail: str = "") -> Verdict:
    text = f"{sentence}\nLast log lines:\n{log_tail}" if log_tail else sentence
    return Verdict(outcome=Outcome.FAILED, reason=reason, message=text[:_MAX_MESSAGE])
