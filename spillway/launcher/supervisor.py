"""Keeps the children running, shows their logs, stops them in order."""

import time
from collections.abc import Callable

from spillway.errors import SpillwayError
from spillway.launcher.child import Child
from spillway.launcher.log_view import LogView
from spillway.launcher.stop_requests import StopRequests

_TICK_SECONDS = 0.1
_LAST_LINES = 8


class ChildNotReadyError(SpillwayError):
    def __init__(self, child: Child, seconds: float, last_lines: list[str]) -> None:
        super().__init__(
            f"{child.name} was not ready after {seconds:.0f} s.",
            hint=f"Its whole log: {child.plan.log_path}",
            details=tuple(last_lines),
        )


class Supervisor:
    """Belongs to the main thread: the kernel ends the children with the thread that started them."""

    def __init__(self, view: LogView, stops: StopRequests) -> None:
        self.children: list[Child] = []
        self._view = view
        self._stops = stops

    def start(self, child: Child) -> None:
        child.start()
        self.children.append(child)

    def tick(self) -> None:
        """Show what the children wrote, start again what has died, then wait a moment."""
        for child in self.children:
            self._view.pass_on(child.name, child.log.read_new_lines())
            text = child.look_after()
            if text is not None:
                self._view.say(f"{child.name} {text}", style="yellow")
        time.sleep(_TICK_SECONDS)

    def wait_until_ready(self, child: Child, is_ready: Callable[[], bool], *, seconds: float) -> None:
        """Keep ticking until `is_ready`.

        Raises ChildNotReadyError when it takes longer or the child ends instead, StopRequestedError on Ctrl-C.
        """
        started = time.monotonic()
        while not is_ready():
            self._stops.raise_if_requested()
            waited = time.monotonic() - started
            if waited > seconds or not child.is_running:
                raise ChildNotReadyError(child, waited, child.log.last_lines(_LAST_LINES))
            self._view.pass_on(child.name, child.log.read_new_lines())
            time.sleep(_TICK_SECONDS)

    def stop_all(self) -> None:
        """Stop the children, the last started first, each given its time; a further request hurries, then kills."""
        for child in reversed(self.children):
            self._stop(child)

    def _stop(self, child: Child) -> None:
        seconds = child.plan.stop_seconds
        deadline = time.monotonic() + seconds
        answered, is_hurried = self._stops.count, False
        child.ask_to_stop()
        while child.is_running:
            self._view.pass_on(child.name, child.log.read_new_lines())
            if self._stops.count > answered:
                answered = self._stops.count
                if child.plan.hurry_seconds and not is_hurried:
                    is_hurried, seconds = True, child.plan.hurry_seconds
                    deadline = time.monotonic() + seconds
                    child.ask_to_stop()
                else:
                    child.kill_at_once()
            elif time.monotonic() > deadline:
                self._view.say(f"{child.name} did not stop in {seconds:.0f} s; killing it", style="yellow")
                child.kill_at_once()
            time.sleep(_TICK_SECONDS)
        self._view.pass_on(child.name, child.log.read_new_lines())
