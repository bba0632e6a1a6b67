"""Waiting for an API that is away: ever longer, never long, and told once instead of at each try."""

import random
import threading
import time

import structlog

_FIRST_SECONDS = 0.25
_LONGEST_SECONDS = 5.0

log = structlog.stdlib.get_logger(__name__)


class Backoff:
    """Doubles from a quarter of a second to five seconds, each a little different so that boxes spread out."""

    def __init__(self) -> None:
        self._seconds = _FIRST_SECONDS

    def next_seconds(self) -> float:
        seconds, self._seconds = self._seconds, min(self._seconds * 2, _LONGEST_SECONDS)
        return seconds * random.uniform(0.8, 1.0)  # noqa: S311 - spreads load, guards nothing

    def reset(self) -> None:
        self._seconds = _FIRST_SECONDS


class Reach:
    """Whether the API answers, shared by all threads of the agent, so that the log says it once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._away_since: float | None = None

    def lost(self, error: str) -> None:
        with self._lock:
            if self._away_since is not None:
                return
            self._away_since = time.monotonic()
        log.warning("the API does not answer; runs go on and everything is sent later", error=error)

    def found(self) -> None:
        with self._lock:
            if self._away_since is None:
                return
            away_seconds, self._away_since = time.monotonic() - self._away_since, None
        log.info("the API answers again", away_seconds=round(away_seconds, 1))
