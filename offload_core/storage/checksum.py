"""A checksum that costs less than the memory traffic it protects."""

from __future__ import annotations

import zlib

import numpy as np

_WORDS_A_BLOCK = 512


def checksum(view: memoryview) -> int:
    """Return 32 bits over a view whose length is a multiple of 4096. Releases the interpreter lock while it sums.

    A 64-bit sum of each 4 KiB block, then CRC-32 over the sums: any change of one word and any exchanged, missing or
    stale block shows. Several times the speed of CRC-32 over the bytes themselves.
    """
    words = np.frombuffer(view, np.uint64).reshape(-1, _WORDS_A_BLOCK)
    return zlib.crc32(words.sum(axis=1, dtype=np.uint64).tobytes())
