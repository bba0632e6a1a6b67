"""Answering a growing file by byte ranges."""

import re
from pathlib import Path

from fastapi import Response

MAX_RANGE_BYTES = 4 * 2**20
_RANGE = re.compile(r"bytes=(\d*)-(\d*)")
_TEXT = "text/plain; charset=utf-8"


def answer_range(file: Path | None, range_header: str | None) -> Response:
    """200 with all of it, 206 with a part, or 416 beyond the end. No file yet is an empty one. Blocks for the disk."""
    size = file.stat().st_size if file is not None and file.exists() else 0
    match = _RANGE.fullmatch(range_header.strip()) if range_header else None
    if match is None or match.groups() == ("", ""):
        return Response(_read(file, 0, size), media_type=_TEXT, headers={"Accept-Ranges": "bytes"})
    first, last = _bounds(match[1], match[2], size)
    if first >= size or last < first:
        return Response(status_code=416, headers={"Content-Range": f"bytes */{size}"})
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


def _read(file: Path | None, offset: int, length: int) -> bytes:
    if file is None or length == 0:
        return b""
    with file.open("rb") as log:
        log.seek(offset)
        return log.read(length)
