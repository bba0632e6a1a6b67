"""Celery as a producer only: one short message by name, no result, no retry of its own."""

import time
from datetime import datetime
from pathlib import Path
from typing import Any

from contracts.broker import SOCKET_TIMEOUT_SECONDS, broker_options
from contracts.wire import TASK_WAKE, WAKE_EXPIRES_SECONDS


class BrokerUnreachableError(Exception):
    """The broker did not take the message within seconds."""


class WakeSender:
    """Each call blocks for at most a few seconds. Not for several threads at a time."""

    def __init__(self, broker_url: str) -> None:
        self._url, self._options = broker_options(broker_url)
        self._app: Any = None

    def send(self, queue: str, attempt_id: str, created_at: datetime) -> None:
        """Raises BrokerUnreachableError."""
        try:
            app = self._app = self._app or self._make_app()
            app.send_task(
                TASK_WAKE,
                [attempt_id],
                queue=queue,
                # From the moment it was written, not sent: a wake-up that is a minute late wakes nobody.
                expires=max(created_at.timestamp() + WAKE_EXPIRES_SECONDS - time.time(), 1.0),
                ignore_result=True,
                retry=False,
            )
        except Exception as error:
            # Transports raise what they like. A half-open connection is not tried again.
            self.close()
            raise BrokerUnreachableError(f"{type(error).__name__}: {error}") from error

    def close(self) -> None:
        if self._app is not None:
            self._app.close()
            self._app = None

    def _make_app(self) -> Any:
        # Here, in the relay's thread: the import takes a moment that the API's start need not wait for.
        from celery import Celery  # noqa: PLC0415

        folder = self._options.get("data_folder_out")
        if folder is not None:
            Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        # No fixups: the one for Django imports Celery's worker, which has no place in this process.
        app = Celery("spillway", broker=self._url, set_as_current=False, fixups=[])
        app.conf.update(
            broker_transport_options=self._options | {"max_retries": 1, "interval_start": 0, "interval_max": 0},
            broker_connection_timeout=SOCKET_TIMEOUT_SECONDS,
            broker_pool_limit=1,
            task_serializer="json",
            accept_content=["json"],
            task_ignore_result=True,
        )
        return app
