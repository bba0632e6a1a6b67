"""Ctrl-C and SIGTERM, counted: the first stops in good order, the second kills."""

import signal
from types import FrameType, TracebackType
from typing import Self

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequestedError(Exception):
    """A person or the system asked to stop while something was being waited for."""


class StopRequests:
    """Catches the stopping signals while it is entered. Enter it in the main thread."""

    def __init__(self) -> None:
        self.count = 0
        self.first_signal: signal.Signals | None = None
        self._before: dict[signal.Signals, signal._HANDLER] = {}

    def __enter__(self) -> Self:
        for caught in _SIGNALS:
            self._before[caught] = signal.signal(caught, self._note)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for caught, handler in self._before.items():
            signal.signal(caught, handler)

    def raise_if_requested(self) -> None:
        if self.count:
            raise StopRequestedError

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.count += 1
        self.first_signal = self.first_signal or signal.Signals(number)
