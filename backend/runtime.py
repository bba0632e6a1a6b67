"""The running parts of one API process, built once and handed to whoever asks for them."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

from fastapi.concurrency import run_in_threadpool

from backend.blobs.store import BlobStore
from backend.db.session import READ_CONNECTIONS, Database, Signal
from backend.events.broadcast import Broadcast
from backend.events.stream import Live
from backend.folder import DataFolder
from backend.health.service import Pulse
from backend.outbox.relay import OutboxRelay
from backend.outbox.wake_sender import WakeSender
from backend.people.gate import Gate
from backend.scheduler.loop import SchedulerLoop
from backend.settings import Settings
from backend.spans.wanted import WantedSpans

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    return datetime.now(UTC)


class Runtime:
    def __init__(self, settings: Settings, database: Database, *, clock: Clock = system_clock) -> None:
        self.settings = settings
        self.database = database
        self.clock = clock
        self.folder = DataFolder(settings.data_dir)
        self.blobs = BlobStore(self.folder)
        self.gate = Gate(
            pepper=self.folder.pepper(),
            box_token=self.folder.box_token(settings),
            setup_code_file=self.folder.setup_code_file,
        )
        self.wanted_spans = WantedSpans()
        self.pulse = Pulse()
        # One request at a time waits for the writer, and no more read than there are connections: whoever waits
        # here holds no thread, so those who work always get one.
        self.write_turn = asyncio.Semaphore(1)
        self.read_turns = asyncio.Semaphore(READ_CONNECTIONS)
        self.live = Live(database=database, read_turns=self.read_turns, broadcast=Broadcast())
        self._scheduler = SchedulerLoop(database, self.pulse, clock)
        sender = WakeSender(settings.broker_url) if settings.broker_url else None
        self._relay = OutboxRelay(database, sender, clock)

    async def start(self) -> None:
        """From the event loop, once."""
        self.live.broadcast.attach()
        self.database.on_commit = self._committed
        self._scheduler.start()
        self._relay.start()

    def end_streams(self) -> None:
        """Open streams end within a second; a server that waits for its connections needs it first."""
        self.live.stopping.set()
        self.live.broadcast.notify()

    async def stop(self) -> None:
        self.end_streams()
        await run_in_threadpool(self._scheduler.stop)
        await run_in_threadpool(self._relay.stop)
        self.database.close()

    def _committed(self, signals: frozenset[Signal]) -> None:
        if Signal.EVENTS in signals:
            self.live.broadcast.notify()
        if Signal.QUEUE in signals:
            self._scheduler.wake()
        if Signal.OUTBOX in signals:
            self._relay.wake()
