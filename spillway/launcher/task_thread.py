"""Work that uses the running server while the main thread keeps it running."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from spillway.errors import FAILED
from spillway.launcher.log_view import LogView
from spillway.locations import DataDir


@dataclass(frozen=True, kw_only=True, slots=True)
class Running:
    """The server a task uses."""

    url: str
    token: str
    data_dir: DataDir
    view: LogView


Task = Callable[[Running], int]
"""Returns the exit status; what it raises ends the command."""


class TaskThread(threading.Thread):
    """A daemon: it never keeps the program alive after Ctrl-C."""

    def __init__(self, task: Task, running: Running) -> None:
        super().__init__(name="task", daemon=True)
        self._task = task
        self._running = running
        self._status = FAILED
        self._error: Exception | None = None

    def run(self) -> None:
        try:
            self._status = self._task(self._running)
        except Exception as error:  # noqa: BLE001  raised again in the main thread by `result`
            self._error = error

    def result(self) -> int:
        """Of a thread that has ended. Raises what the task raised."""
        if self._error is not None:
            raise self._error
        return self._status
