"""Tells waiting streams that something was committed. The table stays the truth: a missed call costs a second."""

import asyncio


class Broadcast:
    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()

    def attach(self) -> None:
        """From the event loop, once, before anybody waits."""
        self._loop = asyncio.get_running_loop()

    def notify(self) -> None:
        """From any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    def current(self) -> asyncio.Event:
        """Take it before reading the table and wait for it after: what is committed in between is not missed."""
        return self._changed

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
