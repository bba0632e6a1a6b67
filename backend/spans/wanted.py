"""Which steps' lanes somebody waits for. In memory: after a restart the page simply asks again."""

import threading
from datetime import datetime, timedelta

FORGET_AFTER = timedelta(seconds=30)


class WantedSpans:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted: dict[str, dict[int, datetime]] = {}

    def ask(self, attempt_id: str, step: int, *, now: datetime) -> None:
        with self._lock:
            self._wanted.setdefault(attempt_id, {})[step] = now

    def of(self, attempt_id: str, *, now: datetime) -> list[int]:
        """Steps asked for lately."""
        with self._lock:
            wanted = self._wanted.get(attempt_id, {})
            for step in [step for step, asked in wanted.items() if now - asked > FORGET_AFTER]:
                del wanted[step]
            if not wanted:
                self._wanted.pop(attempt_id, None)
            return sorted(wanted)

    def has_come(self, attempt_id: str, step: int) -> None:
        with self._lock:
            self._wanted.get(attempt_id, {}).pop(step, None)
