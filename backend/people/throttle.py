"""Slows down guessing: after a few failures from one address for one name, wait. Kept in memory, bounded."""

import threading
from collections import OrderedDict
from datetime import datetime, timedelta

from backend.errors import AppError

FREE_FAILURES = 5
WINDOW = timedelta(minutes=15)
_MAX_ENTRIES = 10_000


class TooManyFailuresError(AppError):
    def __init__(self, *, wait_seconds: int) -> None:
        super().__init__(
            status=429,
            code="too_many_failures",
            title="Too many failed attempts",
            detail=f"More than {FREE_FAILURES} attempts failed; the next one is answered in {wait_seconds} s.",
            hint="Wait, then try again; an admin can set a new password.",
            headers={"Retry-After": str(wait_seconds)},
        )


class Throttle:
    def __init__(self) -> None:
        self._failures: OrderedDict[tuple[str, str], list[datetime]] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, *, address: str, username: str, now: datetime) -> None:
        """Raise TooManyFailuresError while this address has to wait for this name."""
        with self._lock:
            recent = [moment for moment in self._failures.get((address, username), []) if now - moment < WINDOW]
        if len(recent) < FREE_FAILURES:
            return
        wait_until = recent[-FREE_FAILURES] + WINDOW
        raise TooManyFailuresError(wait_seconds=max(1, round((wait_until - now).total_seconds())))

    def record_failure(self, *, address: str, username: str, now: datetime) -> None:
        with self._lock:
            recent = self._failures.setdefault((address, username), [])
            recent.append(now)
            del recent[:-FREE_FAILURES]
            self._failures.move_to_end((address, username))
            while len(self._failures) > _MAX_ENTRIES:
                self._failures.popitem(last=False)

    def forget(self, *, address: str, username: str) -> None:
        with self._lock:
            self._failures.pop((address, username), None)
