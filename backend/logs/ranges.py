"""Answering a growing file by byte ranges."""

import re
from collections.abc import Iterator
from pathlib import Path

from fastapi import Response
from fastapi.responses import StreamingResponse

from backend.errors import AppError

MAX_RANGE_BYTES = 4 * 2**20
_PIECE_BYTES = 2**20
_RANGE = re.compile(r"bytes=(\d*)-(\d*)")
_TEXT = "text/plain; charset=utf-8"


class BeyondEndError(AppError):
    def __init__(self, asked: str, *, size: int) -> None:
        super().__init__(
            status=416,
            code="beyond_end",
            title="Beyond the end",
            detail=f"{asked!r} was asked for; the log has {size} bytes.",
            hint="A log grows while its run lives: ask again later from the same place.",
            headers={"Content-Range": f"bytes */{size}"},
        )


def answer_range(file: Path | None, range_header: str | None) -> Response:
    """200 with all of it, 206 with a part. No file yet is an empty one. Blocks for the disk. Raises BeyondEndError."""
    size = file.stat().st_size if file is not None and file.exists() else 0
    match = _RANGE.fullmatch(range_header.strip()) if range_header else None
    if match is None or match.groups() == ("", ""):
        # Piece by piece: a run that prints much must not fill the service's memory when somebody looks.
        headers = {"Accept-Ranges": "bytes", "Content-Length": str(size)}
        return StreamingResponse(_pieces(file, size), media_type=_TEXT, headers=headers)
    first, last = _bounds(match[1], match[2], size)
    if first >= size or last < first:
        raise BeyondEndError(range_header or "", size=size)
    last = min(last, size - 1, first + MAX_RANGE_BYTES - 1)
    return Response(
        _read(file, first, last + 1 - first),
        status_code=206,
        media_type=_TEXT,
        headers={"Content-Range": f"bytes {first}-{last}/{size}", "Accept-Ranges": "bytes"},
    )


def _bounds(first: str, last: str, size: int) -> tuple[int, int]:
    if first == "":
        return max(size - int(last), 0), size - 1
    return int(first), int(last) if last else size - 1


def _pieces(file: Path | None, size: int) -> Iterator[bytes]:
    """As many bytes as were announced, though the file grows meanwhile."""
    for offset in range(0, size, _PIECE_BYTES):
        yield _read(file, offset, min(_PIECE_BYTES, size - offset))


def _read(file: Path | None, offset: int, length: int) -> bytes:
    if file is None or length == 0:
        return b""
    with file.open("rb") as log:
        log.seek(offset)
        return log.read(length)
