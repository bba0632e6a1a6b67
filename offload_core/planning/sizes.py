"""Sizes that people write ("8GiB") and read."""

from __future__ import annotations

import re

from offload_core.errors import PlacementError

_UNITS = {
    "": 1,
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
    "tib": 2**40,
}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]*)\s*")


def parse_size(size: int | str) -> int:
    """Return bytes for an int or a text such as "8GiB", "500MB" or "1048576".

    Raises PlacementError (`size_invalid`) for anything else, negative numbers included.
    """
    if isinstance(size, int):
        if size >= 0:
            return size
    elif (match := _SIZE.fullmatch(size)) and (unit := _UNITS.get(match[2].lower())):
        return int(float(match[1]) * unit) if "." in match[1] else int(match[1]) * unit
    raise PlacementError(
        "size_invalid",
        f"{size!r} is not a size.",
        next_step='Write a whole number of bytes, or a number with KiB, MiB, GiB, TiB, KB, MB, GB or TB, as in "8GiB".',
    )


def format_bytes(num_bytes: int) -> str:
    """Return a short text for people, such as "1.5 GiB"; exact numbers travel as ints."""
    value = float(num_bytes)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} TiB"
