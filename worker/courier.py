"""The thread of an attempt that talks while it runs: renews the lease and ships what is new."""

import threading
import time

import structlog

from contracts.attempts import Claim
from worker.control_plane import ControlPlane, RefusedError, StaleFenceError, UnreachableError
from worker.errors import SpoolCorruptError
from worker.reach import Backoff
from worker.shipper import Shipper

_SHIP_SECONDS = 0.5


class Courier(threading.Thread):
    """Its findings are plain attributes; `changed` is set when one of them turned true. Never stops training."""

    def __init__(
        self, *, claim: Claim, api: ControlPlane, shipper: Shipper, heartbeat_seconds: float,
        changed: threading.Event,
    ) -> None:  # fmt: skip
        super().__init__(name=f"courier-{claim.attempt_id}", daemon=True)
        self.is_cancel_requested = False
        self.is_stale = False
        self.corrupt_spool: SpoolCorruptError | None = None
        self._claim = claim
        self._api = api
        self._shipper = shipper
        self._heartbeat_seconds = heartbeat_seconds
        self._changed = changed
        self._wanted_spans: list[int] = []
        self._next_heartbeat = 0.0
        self._poked = threading.Event()
        self._ships = True
        self._is_done = False
        self._log = structlog.stdlib.get_logger(__name__, attempt_id=claim.attempt_id)

    def poke(self) -> None:
        """Send a heartbeat now: there may be news."""
        self._next_heartbeat = 0.0
        self._poked.set()

    def only_beat(self) -> None:
        """The run is over; its supervisor ships the rest. From here on this thread only renews the lease."""
        self._ships = False

    def end(self) -> None:
        self._is_done = True
        self._poked.set()

    def run(self) -> None:
        backoff = Backoff()
        refusal = ""
        while not self._is_done:
            self._poked.clear()
            pause_seconds = _SHIP_SECONDS
            try:
                self.beat()
                if self._ships and not self._ship():
                    pause_seconds = 0.0
                backoff.reset()
                refusal = ""
            except StaleFenceError:
                self.is_stale = True
                self._changed.set()
                return
            except UnreachableError:
                pause_seconds = backoff.next_seconds()
            except RefusedError as error:
                pause_seconds = backoff.next_seconds()
                if str(error) != refusal:
                    refusal = str(error)
                    self._log.error("the API refuses what the attempt sends; trying on", error=refusal)
            self._poked.wait(pause_seconds)

    def beat(self) -> None:
        """Renew the lease if it is time. Raises what `ControlPlane` raises."""
        if time.monotonic() < self._next_heartbeat:
            return
        answer = self._api.heartbeat(self._claim.attempt_id, self._claim.fence)
        self._next_heartbeat = time.monotonic() + self._heartbeat_seconds
        self._wanted_spans = answer.wanted_spans
        if answer.cancel_requested and not self.is_cancel_requested:
            self.is_cancel_requested = True
            self._changed.set()

    def _ship(self) -> bool:
        """False: more waits. A long log or story is sent in pieces: the lease must not run out over it."""
        until = time.monotonic() + self._heartbeat_seconds
        self._shipper.ship_started()
        self._shipper.ship_spans(self._wanted_spans)
        is_all = self._ship_events(until)
        return self._shipper.ship_log(until) and is_all

    def _ship_events(self, until: float) -> bool:
        if self.corrupt_spool is not None:
            return True
        try:
            return self._shipper.ship_events(until)
        except SpoolCorruptError as error:
            self.corrupt_spool = error
            self._log.error("the spool cannot be read on", error=str(error))
            return True
