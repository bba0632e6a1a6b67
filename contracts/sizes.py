"""Sizes with units. On the wire a size is an integer number of bytes; people may write "8GiB"."""

import re
from math import isfinite
from typing import Annotated

from pydantic import BeforeValidator, Field

_UNITS = {
    "": 1, "B": 1,
    "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
    "KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40,
}  # fmt: skip
_PATTERN = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*$")


def parse_size(value: object) -> object:
    """Turn "8GiB", "1.5 GB" or "4096" into bytes; leave everything else to pydantic's own check.

    Raises ValueError with the accepted units when the text is not a size.
    """
    if not isinstance(value, str):
        return value
    match = _PATTERN.match(value)
    unit = match[2].upper() if match else None
    if match is None or unit not in _UNITS:
        msg = f"{value!r} is not a size; write bytes as an integer or a number with KB, MB, GB, TB, KiB, MiB, GiB, TiB"
        raise ValueError(msg)
    num_bytes = float(match[1]) * _UNITS[unit]
    if not isfinite(num_bytes):
        msg = "more bytes than any machine has"
        raise ValueError(msg)
    return int(num_bytes)


ByteSize = Annotated[int, BeforeValidator(parse_size), Field(ge=0, le=2**53, examples=["8GiB"])]
"""A number of bytes, at most 2**53 so that a browser reads it exactly."""


def format_bytes(num_bytes: int) -> str:
    """The size as people read it, in binary units with three figures: 1076120064 -> "1.00 GiB"."""
    value = float(num_bytes)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" else f"{_three_figures(value)} {unit}"
        value /= 1024
    return f"{_three_figures(value)} TiB"


def _three_figures(value: float) -> str:
    # From 1000 on `.3g` would write an exponent: 1007 GiB as 1.01e+03.
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
