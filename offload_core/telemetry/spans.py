"""Spans: what moved, what was computed and what waited, with monotonic times."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

Lane = Literal["compute", "nvme_read", "nvme_write", "update", "stall"]
TRANSFER_LANES: frozenset[Lane] = frozenset({"nvme_read", "nvme_write"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """One interval on one lane, in nanoseconds of `time.monotonic_ns`; `partition` is None where none is meant.

    `bytes` are those moved to or from disk for a transfer, of state touched for an update, and 0 otherwise.
    """

    lane: Lane
    start_ns: int
    end_ns: int
    partition: int | None = None
    num_bytes: int = 0


class SpanRecorder:
    """Collects spans from every thread until the window's report takes them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spans: list[Span] = []

    def add(self, span: Span) -> None:
        """Record a finished span."""
        with self._lock:
            self._spans.append(span)

    @contextmanager
    def stall(self) -> Iterator[None]:
        """Record the time inside as the training thread's wait."""
        start_ns = time.monotonic_ns()
        try:
            yield
        finally:
            self.add(Span(lane="stall", start_ns=start_ns, end_ns=time.monotonic_ns()))

    def take(self) -> list[Span]:
        """Return the spans that ended since the last call, and forget them."""
        with self._lock:
            spans, self._spans = self._spans, []
        return spans
