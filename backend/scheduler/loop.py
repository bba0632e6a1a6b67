"""The scheduler's thread: a round each second, and at once when the queue changed."""

import threading
import time
from collections.abc import Callable
from datetime import datetime

import structlog

from backend.attempts import ending
from backend.db.session import Database
from backend.events import service as events
from backend.health.service import Pulse
from backend.scheduler import service
from backend.scheduler.lease import LoopLease

TICK_SECONDS = 1.0
SETTLE_SECONDS = 6.0
"""Boxes poll every two seconds, and back off to five while the service is away."""
PRUNE_EVERY_SECONDS = 3600.0
_log = structlog.get_logger(__name__)


class SchedulerLoop:
    def __init__(self, database: Database, pulse: Pulse, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._pulse = pulse
        self._clock = clock
        self._lease = LoopLease("scheduler")
        self._wake = threading.Event()
        self._stopping = False
        self._began_at: float | None = None
        self._prune_at = 0.0
        self._thread = threading.Thread(target=self._run, name="scheduler", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """From any thread; returns at once."""
        self._wake.set()

    def stop(self) -> None:
        """Let the round end and give the lease back. Blocks for it."""
        self._stopping = True
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        if self._database.is_sqlite:
            # The data folder's lock makes this the only process, so a holder in the table is a dead one.
            with self._database.write() as session:
                self._lease.break_in(session)
        while not self._stopping:
            self._wake.clear()
            try:
                self._round()
            except Exception:  # noqa: BLE001 - a thread that ends would end all scheduling
                # The next round starts from the database again; health tells if rounds keep failing.
                _log.exception("scheduler.round_failed")
            self._wake.wait(TICK_SECONDS)
        with self._database.write() as session:
            self._lease.release(session)

    def _round(self) -> None:
        now = self._clock()
        with self._database.write() as session:
            if not self._lease.hold(session, now=now):
                self._began_at = None
                self._pulse.beat()
                return
            if self._began_at is None:
                self._began_at = time.monotonic()
                ending.grant_grace(session, now=now)
            is_settled = time.monotonic() - self._began_at > SETTLE_SECONDS
            service.tick(session, is_settled=is_settled, now=now)
        self._prune(now)
        self._pulse.beat()

    def _prune(self, now: datetime) -> None:
        """One batch a round, so that nobody's write waits for a long one."""
        if time.monotonic() < self._prune_at:
            return
        with self._database.write() as session:
            if not events.prune(session, now=now):
                self._prune_at = time.monotonic() + PRUNE_EVERY_SECONDS
