"""A run drawn for a terminal, or its events as JSON lines for a program."""

import sys
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from contracts.events import AnyEvent, PlanMade, StepCompleted, TrainingFailed, TrainingFinished
from contracts.sizes import format_bytes
from worker.training.event_text import event_text, loss_text, tiers_text


class RunView(Protocol):
    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def show(self, event: AnyEvent) -> None: ...


class JsonLines:
    """Each event as one line on stdout, as it stands in the spool."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def show(self, event: AnyEvent) -> None:
        sys.stdout.write(event.model_dump_json() + "\n")
        sys.stdout.flush()


class TerminalView:
    """Lines above a bar of steps; the bar is for terminals only."""

    def __init__(self, name: str, output_dir: Path) -> None:
        self._console = Console(highlight=False, soft_wrap=True)
        self._name = name
        self._output_dir = output_dir
        self._total_steps = 0
        self._bar: TaskID | None = None
        self._progress = Progress(
            TextColumn("training"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )

    def __enter__(self) -> Self:
        self._print(self._name)
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def show(self, event: AnyEvent) -> None:
        if isinstance(event, TrainingFailed):
            return  # The command says it once the process has ended.
        if isinstance(event, TrainingFinished):
            self._progress.stop()
            self._console.print(_result_table(event, self._output_dir))
            return
        if isinstance(event, PlanMade):
            self._total_steps = event.total_steps
            self._bar = self._progress.add_task("", total=event.total_steps)
        if isinstance(event, StepCompleted) and self._bar is not None:
            self._progress.update(self._bar, completed=event.step)
        self._print(event_text(event, self._total_steps))

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False)


def _result_table(result: TrainingFinished, output_dir: Path) -> Table:
    table = Table(show_header=False)
    for name, value in (
        ("eval loss before", loss_text(result.eval_loss_before)),
        ("eval loss after", loss_text(result.eval_loss_after)),
        ("steps", str(result.steps)),
        ("tokens/s", f"{result.tokens_per_second:.1f}"),
        ("optimizer state", tiers_text(result.state_bytes)),
        ("overlap of transfers", "nothing moved" if result.overlap_share is None else f"{result.overlap_share:.0%}"),
        ("peak RSS while training", format_bytes(result.peak_rss_bytes)),
        ("time to first step", f"{result.seconds_to_first_step:.1f} s"),
        ("artifact", str(output_dir)),
    ):
        table.add_row(name, value)
    return table
