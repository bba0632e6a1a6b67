"""Follow one job to its end: lines for people with a bar of steps, or one JSON event a line."""

from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from contracts.events import PlanMade, StepCompleted, TrainingFailed
from contracts.job import JobState
from spillway.client import SpillwayClient
from spillway.event_text import describe
from spillway.output import OUT, note, write_json_line
from spillway.responses import JobRead, StateChanged, StoredEvent

ShowLine = Callable[[str, str], None]
"""Prints one line in a style."""


def print_line(text: str, style: str) -> None:
    OUT.print(Text(text, style=style))


def follow_job(
    client: SpillwayClient, job_id: str, *, as_json: bool = False, show_line: ShowLine = print_line
) -> JobRead:
    """Blocks until the job is final and returns it. A server that goes away is waited for."""

    def lost(error: Exception) -> None:
        note(f"connection lost ({error}); the job goes on, trying again")

    events = client.follow_events(job_id, on_disconnect=lost)
    if as_json:
        for stored in events:
            write_json_line(stored)
    else:
        with _StepLines(show_line) as lines:
            for stored in events:
                lines.show(stored)
    return client.job(job_id)


class _StepLines:
    """Event lines above a bar of steps; without a terminal the lines alone."""

    def __init__(self, show_line: ShowLine) -> None:
        self._show_line = show_line
        self._total_steps: int | None = None
        self._task: TaskID | None = None
        self._progress = Progress(
            TextColumn("training"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=OUT,
            transient=True,
            disable=not OUT.is_terminal,
        )

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._progress.stop()

    def show(self, stored: StoredEvent) -> None:
        event = stored.event
        if isinstance(event, PlanMade):
            self._total_steps = event.total_steps
            self._task = self._progress.add_task("", total=event.total_steps)
        elif isinstance(event, StepCompleted) and self._task is not None:
            self._progress.update(self._task, completed=event.step)
        self._show_line(describe(stored, self._total_steps), _style(stored))


def _style(stored: StoredEvent) -> str:
    match stored.event:
        case TrainingFailed():
            return "red"
        case StateChanged(to_state=JobState.SUCCEEDED):
            return "green"
        case StateChanged(to_state=JobState.FAILED):
            return "red"
        case StepCompleted():
            return ""
        case _:
            return "cyan"
