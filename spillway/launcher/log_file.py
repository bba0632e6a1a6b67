"""A child's log: the child appends to the file itself, the launcher reads behind it.

So a child never blocks on, or dies with, the launcher; and the whole log is there after a crash.
"""

import os
from pathlib import Path
from typing import BinaryIO

_KEPT_FILES = 3
LARGEST_LOG_BYTES = 16 * 2**20
_READ_BYTES = 1 << 16


class LogFile:
    def __init__(self, path: Path, largest_bytes: int) -> None:
        self._path = path
        self._largest_bytes = largest_bytes
        self._offset = 0
        self._rest = b""
        self._begins_at = 0

    def open_for_child(self) -> BinaryIO:
        """The file to hand to a child. What was there stays; it is read no second time."""
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # O_APPEND: after the file is cut to nothing the child writes on at the new end.
        fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._begins_at = os.fstat(fd).st_size
        if self._offset == 0:
            self._offset = os.fstat(fd).st_size
        return os.fdopen(fd, "wb", buffering=0)

    def read_new_lines(self) -> list[str]:
        """Whole lines written since the last call. Rotates the file when it has grown too large."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                block = file.read(_READ_BYTES)
        except FileNotFoundError:
            return []
        self._offset += len(block)
        *lines, self._rest = (self._rest + block).split(b"\n")
        if self._offset >= self._largest_bytes and len(block) < _READ_BYTES:
            self._rotate()
        return [line.decode("utf-8", errors="replace") for line in lines]

    def says(self, text: str) -> bool:
        """Whether the child has written this since it was last started."""
        with self._path.open("rb") as file:
            file.seek(self._begins_at)
            return text.encode() in file.read()

    def last_lines(self, count: int) -> list[str]:
        """The newest lines, for the message about a child that did not come up."""
        with self._path.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _READ_BYTES))
            return [line.decode("utf-8", errors="replace") for line in file.read().splitlines()[-count:]]

    def _rotate(self) -> None:
        for number in reversed(range(1, _KEPT_FILES)):
            older = self._numbered(number)
            if older.exists():
                older.replace(self._numbered(number + 1))
        # Copied and cut, not renamed: the child keeps its descriptor. What it writes between the two calls is lost.
        with self._path.open("rb+") as file:
            self._numbered(1).write_bytes(file.read())
            file.truncate(0)
        self._offset = 0

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")
