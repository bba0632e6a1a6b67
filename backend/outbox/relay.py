"""The relay's thread: sends wake-ups to the broker. A broker that is away costs nobody else anything."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from backend.db.models import OutboxRow
from backend.db.session import Database
from backend.outbox import repository
from backend.outbox.wake_sender import BrokerUnreachableError, WakeSender
from contracts.wire import WAKE_EXPIRES_SECONDS

TICK_SECONDS = 1.0
_FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 15.0
_BATCH = 100
_log = structlog.get_logger(__name__)


class OutboxRelay:
    """Without a broker the rows are dropped: boxes find their work by polling."""

    def __init__(self, database: Database, sender: WakeSender | None, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._sender = sender
        self._clock = clock
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._pause_seconds = 0.0
        self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """From any thread; returns at once."""
        self._wake.set()

    def stop(self) -> None:
        """Blocks until a message on its way is through, a few seconds at most."""
        self._stopping.set()
        self._wake.set()
        self._thread.join()
        if self._sender is not None:
            self._sender.close()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                self._round()
            except Exception:  # noqa: BLE001 - a thread that ends would end all wake-ups
                _log.exception("outbox.round_failed")
            if self._pause_seconds:
                self._stopping.wait(self._pause_seconds)
            else:
                self._wake.wait(TICK_SECONDS)

    def _round(self) -> None:
        with self._database.read() as session:
            pending = repository.pending(session, _BATCH)
        if not pending:
            return
        oldest_wanted = self._clock() - timedelta(seconds=WAKE_EXPIRES_SECONDS)
        done = [row.outbox_id for row in pending if row.created_at < oldest_wanted]
        fresh = [row for row in pending if row.created_at >= oldest_wanted]
        done += [row.outbox_id for row in fresh] if self._sender is None else self._send(self._sender, fresh)
        if done:
            with self._database.write() as session:
                repository.remove(session, done)

    def _send(self, sender: WakeSender, rows: list[OutboxRow]) -> list[int]:
        """The rows that were sent. After the first failure the others wait for the next round."""
        sent: list[int] = []
        for row in rows:
            try:
                sender.send(row.queue, row.attempt_id, row.created_at)
            except BrokerUnreachableError as error:
                if not self._pause_seconds:
                    _log.warning("broker.away", error=str(error), effect="boxes find their work by polling")
                self._pause_seconds = min(max(self._pause_seconds * 2, _FIRST_PAUSE_SECONDS), _LONGEST_PAUSE_SECONDS)
                return sent
            if self._pause_seconds:
                self._pause_seconds = 0.0
                _log.info("broker.back")
            sent.append(row.outbox_id)
        return sent
