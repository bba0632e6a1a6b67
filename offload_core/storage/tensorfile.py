"""A safetensors file written and read in parts, so that tensors need not fit in memory.

The format is that of safetensors 0.6: a length, a JSON header with every tensor's place, then the bytes. Any reader of
safetensors opens the file.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from offload_core.errors import TransferError
from offload_core.storage.failures import raise_typed

_FLOAT_BYTES = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class TensorPlace:
    """Where a float32 tensor lies in the file."""

    shape: tuple[int, ...]
    offset_bytes: int


class TensorFile:
    """One open file of float32 tensors."""

    def __init__(self, path: Path, descriptor: int, places: Mapping[str, TensorPlace]) -> None:
        self.path = path
        self.places = places
        self._descriptor = descriptor

    @classmethod
    def create(cls, path: Path, shapes: Mapping[str, Sequence[int]]) -> Self:
        """Write the header and take the space. Raises DiskFullError or TransferError."""
        header: dict[str, object] = {"__metadata__": {"format": "pt"}}
        starts: dict[str, int] = {}
        end = 0
        for name, shape in shapes.items():
            starts[name], end = end, end + math.prod(shape) * _FLOAT_BYTES
            header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [starts[name], end]}
        text = json.dumps(header).encode()
        # Readers map the file: tensors start at a multiple of eight.
        text += b" " * (-len(text) % 8)
        data_start = 8 + len(text)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
            os.posix_fallocate(descriptor, 0, data_start + end)
        except OSError as error:
            raise_typed(error, path, data_start + end, "reserve")
        places = {
            name: TensorPlace(shape=tuple(shape), offset_bytes=data_start + starts[name])
            for name, shape in shapes.items()
        }
        file = cls(path, descriptor, places)
        file._move(memoryview(len(text).to_bytes(8, "little") + text), 0, is_write=True)
        return file

    @classmethod
    def open(cls, path: Path) -> Self:
        """Read the header. Raises TransferError where the file is missing or cut."""
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            length = int.from_bytes(os.pread(descriptor, 8, 0), "little")
            header = json.loads(os.pread(descriptor, length, 8))
        except OSError as error:
            raise_typed(error, path, 0, "read")
        places = {
            name: TensorPlace(shape=tuple(entry["shape"]), offset_bytes=8 + length + entry["data_offsets"][0])
            for name, entry in header.items()
            if name != "__metadata__"
        }
        return cls(path, descriptor, places)

    def write(self, name: str, start: int, values: memoryview) -> None:
        """Write float32 values as the tensor's elements from `start` on. Blocks."""
        self._move(values.cast("B"), self.places[name].offset_bytes + start * _FLOAT_BYTES, is_write=True)

    def read(self, name: str, start: int, values: memoryview) -> None:
        """Read float32 values, the tensor's elements from `start` on. Blocks."""
        self._move(values.cast("B"), self.places[name].offset_bytes + start * _FLOAT_BYTES, is_write=False)

    def _move(self, view: memoryview, offset: int, *, is_write: bool) -> None:
        done = 0
        while done < len(view):
            try:
                if is_write:
                    moved = os.pwritev(self._descriptor, [view[done:]], offset + done)
                else:
                    moved = os.preadv(self._descriptor, [view[done:]], offset + done)
            except OSError as error:
                raise_typed(error, self.path, len(view), "write" if is_write else "read")
            if moved == 0:
                raise TransferError(
                    "file_cut",
                    f"{self.path} ends {len(view) - done} bytes early.",
                    next_step="The file is incomplete: use another checkpoint.",
                    path=self.path,
                    num_bytes=len(view) - done,
                )
            done += moved

    def sync(self) -> None:
        """Return when the bytes are durable."""
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise_typed(error, self.path, 0, "write")

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self._descriptor)
