"""Opaque ids: a prefix that says what it names, then 26 characters that sort by the time they were made."""

import secrets
import threading
import time
from typing import Literal

Prefix = Literal["job", "ds", "mdl", "att", "box", "tok", "usr", "prj"]
DEFAULT_PROJECT = "prj_default"
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_RANDOM_BITS = 80
_lock = threading.Lock()
_last = 0


def new_id(prefix: Prefix) -> str:
    """Unique, and larger as text than every id this process made before: lists and queues sort by it."""
    global _last  # noqa: PLW0603
    with _lock:
        fresh = (time.time_ns() // 1_000_000 << _RANDOM_BITS) | secrets.randbits(_RANDOM_BITS)
        # Within one millisecond, or when the clock steps back, only counting up keeps the order.
        _last = fresh if fresh > _last else _last + 1
        number = _last
    return f"{prefix}_" + "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))
