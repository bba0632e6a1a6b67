"""Sends what the folder holds and the API does not yet: the start, events, log bytes, spans."""

import math
import threading
import time
from collections.abc import Iterable
from pathlib import Path

from contracts.attempts import Claim, EventBatch
from contracts.events import AnyEvent, StepSpans
from contracts.spool import spans_file
from worker.attempt_folder import AttemptFolder
from worker.control_plane import ControlPlane, GapError
from worker.spool_reader import SpoolReader

_BATCH_EVENTS = 500
_BLOCK_BYTES = 1 << 20


class Shipper:
    """Safe to use from two threads. Methods block for network and raise what `ControlPlane` raises, and
    SpoolCorruptError; calling again goes on where it stopped."""

    def __init__(self, folder: AttemptFolder, claim: Claim, api: ControlPlane) -> None:
        self._folder = folder
        self._attempt_id = claim.attempt_id
        self._fence = claim.fence
        self._api = api
        self._lock = threading.Lock()
        self._reader = SpoolReader(folder.events)
        self._is_start_told = False
        self._stored_seq: int | None = None
        self._stored_log_bytes: int | None = None
        self._sent_spans: set[int] = set()

    def ship_started(self) -> None:
        """Once, as soon as the shim has written down its processes."""
        with self._lock:
            if not self._is_start_told and (started := self._folder.started()) is not None:
                self._api.started(self._attempt_id, started)
                self._is_start_told = True

    def ship_events(self, until: float = math.inf) -> bool:
        """All that are in the spool now; after `until` (monotonic) no more, but one batch always. False: more wait."""
        with self._lock:
            if self._stored_seq is None:
                self._stored_seq = self._send_events([])
            while batch := self._reader.read_after(self._stored_seq, _BATCH_EVENTS):
                try:
                    self._stored_seq = self._send_events(batch)
                except GapError:
                    self._stored_seq = self._send_events([])
                    continue
                # A full batch may hide more; to chase a run that writes faster than we send would never end.
                if len(batch) < _BATCH_EVENTS:
                    break
                if time.monotonic() > until:
                    return False
            return True

    def ship_log(self, until: float = math.inf) -> bool:
        """All bytes that are in the file now, bounded as `ship_events` is."""
        with self._lock:
            if self._stored_log_bytes is None:
                self._stored_log_bytes = self._send_log(0, b"")
            while block := _read(self._folder.output, self._stored_log_bytes):
                try:
                    self._stored_log_bytes = self._send_log(self._stored_log_bytes, block)
                except GapError:
                    self._stored_log_bytes = self._send_log(0, b"")
                    continue
                if len(block) < _BLOCK_BYTES:
                    break
                if time.monotonic() > until:
                    return False
            return True

    def ship_spans(self, steps: Iterable[int]) -> None:
        """Those of `steps` that are on the box and were not sent yet."""
        with self._lock:
            for step in sorted(set(steps) - self._sent_spans):
                spans = _read_spans(self._folder.path / spans_file(step))
                if spans is not None:
                    self._api.store_spans(self._attempt_id, self._fence, spans)
                    self._sent_spans.add(step)

    def ship_last_spans(self, count: int) -> None:
        """Of the newest `count` steps on the box."""
        steps = sorted(int(file.stem.removeprefix("step-")) for file in self._folder.spans.glob("step-*.json"))
        self.ship_spans(steps[-count:])

    def _send_events(self, events: list[AnyEvent]) -> int:
        return self._api.store_events(self._attempt_id, EventBatch(fence=self._fence, events=events))

    def _send_log(self, offset: int, block: bytes) -> int:
        return self._api.store_log(self._attempt_id, self._fence, offset, block)


def _read(file: Path, offset: int) -> bytes:
    if not file.exists():
        return b""
    with file.open("rb") as content:
        content.seek(offset)
        return content.read(_BLOCK_BYTES)


def _read_spans(file: Path) -> StepSpans | None:
    try:
        return StepSpans.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        # Never recorded, or dropped since somebody asked for it.
        return None
