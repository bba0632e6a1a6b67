"""The agent's end of the spool: events in order, and the end of the log."""

from pathlib import Path

from pydantic import ValidationError

from contracts.events import EVENT, AnyEvent
from worker.errors import SpoolCorruptError

_BLOCK_BYTES = 1 << 20
_TAIL_BYTES = 1 << 17


class SpoolReader:
    """Reads an events file from the start, in batches, also while it grows."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._position = 0
        self._last_seq = 0

    def read_after(self, seq: int, limit: int) -> list[AnyEvent]:
        """Up to `limit` events that follow `seq`; empty: nothing more yet.

        The next call must pass the last seq of this answer, or an earlier one to read again from there.
        Raises SpoolCorruptError.
        """
        if seq < self._last_seq:
            self._position = self._last_seq = 0
        found: list[AnyEvent] = []
        while len(found) < limit and (lines := self._whole_lines()):
            for line in lines:
                event = self._parse(line)
                self._position += len(line)
                self._last_seq = event.seq
                if event.seq > seq:
                    found.append(event)
                if len(found) == limit:
                    break
        return found

    def _whole_lines(self) -> list[bytes]:
        if not self._file.exists():
            return []
        with self._file.open("rb") as file:
            file.seek(self._position)
            block = file.read(_BLOCK_BYTES)
        return block[: block.rfind(b"\n") + 1].splitlines(keepends=True)

    def _parse(self, line: bytes) -> AnyEvent:
        number = self._last_seq + 1
        try:
            event = EVENT.validate_json(line)
        except ValidationError as error:
            raise SpoolCorruptError(self._file, number, str(error.errors(include_url=False)[0]["msg"])) from error
        if event.seq != number:
            raise SpoolCorruptError(self._file, number, f"its seq is {event.seq}")
        return event


def last_events(file: Path) -> list[AnyEvent]:
    """The events at the file's end, oldest first; what could not be read is left out: the run is over."""
    events: list[AnyEvent] = []
    for line in _tail(file, _TAIL_BYTES).splitlines():
        try:
            events.append(EVENT.validate_json(line))
        except ValidationError:
            # The first line of the tail is cut, the last may be torn by a kill.
            continue
    return events


def last_lines(file: Path, count: int, max_bytes: int = 3000) -> str:
    lines = _tail(file, max_bytes).decode("utf-8", errors="replace").splitlines()
    return "\n".join(lines[-count:])


def _tail(path: Path, num_bytes: int) -> bytes:
    if not path.exists():
        return b""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - num_bytes))
        return file.read(num_bytes)
