"""Appending pieces of a log that may come twice."""

import os
from pathlib import Path

from fastapi import Request

from backend.errors import ConflictError, TooLargeError

MAX_PIECE_BYTES = 8 * 2**20


class LogGapError(ConflictError):
    def __init__(self, *, size: int, offset: int) -> None:
        super().__init__(
            code="log_gap",
            title="A piece of the log is missing in between",
            detail=f"size is {size}; the piece begins at {offset}.",
            hint=f"Send the log from offset {size} on.",
        )


async def receive_piece(request: Request) -> bytes:
    """The body, before any database session is opened."""
    pieces: list[bytes] = []
    received = 0
    async for piece in request.stream():
        received += len(piece)
        if received > MAX_PIECE_BYTES:
            raise TooLargeError(what="piece of the log", limit_bytes=MAX_PIECE_BYTES)
        pieces.append(piece)
    return b"".join(pieces)


def append(file: Path, offset: int, piece: bytes) -> int:
    """Write what is new of the piece; the size then. Runs inside a write transaction, so never twice at a time.

    Raises LogGapError.
    """
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "ab") as log:
        size = os.fstat(log.fileno()).st_size
        if offset > size:
            raise LogGapError(size=size, offset=offset)
        fresh = piece[size - offset :]
        log.write(fresh)
    return size + len(fresh)
