"""The training process's end of the attempt's folder: events, spans and the wish to stop."""

import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from contracts.events import EVENT, AnyEvent, StepCompleted, StepSpans
from contracts.spool import EVENTS_FILE, KEPT_SPAN_STEPS, SPANS_FOLDER, STOP_FILE, StopReason, spans_file
from worker.span_retention import SpanRetention

E = TypeVar("E", bound=AnyEvent)


class SpoolWriter:
    """Appends events that survive this process, and keeps the span files within bounds.

    One writer a folder at a time. A second one, after a restart, goes on with the next `seq`.
    Safe to call from several threads. Every method may block for one small file write.
    """

    def __init__(
        self,
        attempt_folder: Path,
        *,
        kept_span_steps: int = KEPT_SPAN_STEPS,
        on_event: Callable[[AnyEvent], None] | None = None,
    ) -> None:
        """`on_event` is called with each event once it is in the file, on the thread that emitted it."""
        self._folder = attempt_folder
        (attempt_folder / SPANS_FOLDER).mkdir(exist_ok=True)
        self._file = os.open(attempt_folder / EVENTS_FILE, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        self._lock = threading.Lock()
        self._last_seq = _drop_torn_line_and_count(self._file)
        self._retention = SpanRetention(kept_span_steps)
        self._on_event = on_event

    @property
    def last_seq(self) -> int:
        return self._last_seq

    def emit(self, event_class: type[E], **fields: Any) -> E:
        """Append one event; `seq` and `time` are filled in here. Readable by the agent when this returns.

        Raises pydantic's ValidationError when the fields do not make the event; nothing is written then.
        """
        with self._lock:
            event = event_class(seq=self._last_seq + 1, time=datetime.now(UTC), **fields)
            line = event.model_dump_json().encode()
            # A NaN where the contract wants a number becomes null, which no reader takes: better to fail here.
            EVENT.validate_json(line)
            _write_all(self._file, line + b"\n")
            self._last_seq = event.seq
        if isinstance(event, StepCompleted) and (event.skipped or not event.finite):
            self._retention.mark(event.step)
        if self._on_event is not None:
            self._on_event(event)
        return event

    def write_spans(self, spans: StepSpans) -> None:
        """Keep the lanes of one step; older files go, except the slowest and those of skipped or non-finite steps."""
        path = self._folder / spans_file(spans.step)
        # Written aside: the agent may read the folder at any moment and must never see half a file.
        aside = path.with_suffix(".tmp")
        aside.write_text(spans.model_dump_json())
        aside.replace(path)
        with self._lock:
            dropped = self._retention.add(spans.step, spans.duration_seconds)
        for step in dropped:
            (self._folder / spans_file(step)).unlink(missing_ok=True)

    def stop_requested(self) -> StopReason | None:
        """Why the run should end at this step boundary, or None to go on."""
        try:
            text = (self._folder / STOP_FILE).read_text().strip()
        except FileNotFoundError:
            return None
        return StopReason(text) if text else StopReason.CANCEL

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _write_all(file: int, line: bytes) -> None:
    written = 0
    while written < len(line):
        written += os.write(file, line[written:])


def _drop_torn_line_and_count(file: int) -> int:
    """Cut what a killed writer left without a newline, and return how many whole lines there are."""
    lines = end = position = 0
    while block := os.pread(file, 1 << 20, position):
        lines += block.count(b"\n")
        if (newline := block.rfind(b"\n")) >= 0:
            end = position + newline + 1
        position += len(block)
    if end < position:
        os.ftruncate(file, end)
    return lines
