"""A run drawn for a terminal, or its events as JSON lines for a program."""

import sys
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from contracts.events import (
    AnyEvent,
    EvaluationCompleted,
    PhaseChanged,
    PlanMade,
    SampleGenerated,
    StepCompleted,
    TierBytes,
    TrainingFinished,
    TrainingStopped,
)
from contracts.sizes import format_bytes

_SAMPLE_CHARS = 160


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
        match event:
            case PhaseChanged():
                detail = f": {event.detail}" if event.detail else ""
                self._print(f"{event.phase.replace('_', ' ')}{detail}")
            case PlanMade():
                self._show_plan(event)
            case StepCompleted():
                self._show_step(event)
            case EvaluationCompleted():
                self._print(f"  loss on {event.rows} held-out rows: {_figure(event.loss)}")
            case SampleGenerated():
                self._print(f"  {_short(event.prompt)}\n    {_short(event.text)}")
            case TrainingStopped():
                self._print(f"stopped after step {event.step}; no artifact was written")
            case TrainingFinished():
                self._progress.stop()
                self._console.print(_result_table(event, self._output_dir))
            case _:
                # A failure: the command says it once the process has ended.
                pass

    def _show_plan(self, plan: PlanMade) -> None:
        self._total_steps = plan.total_steps
        self._bar = self._progress.add_task("", total=plan.total_steps)
        io = "" if plan.direct_io or not plan.state_bytes.nvme else "; no direct I/O here, the page cache is used"
        self._print(
            f"  {plan.num_parameters:,} parameters, optimizer state {_tiers(plan.state_bytes)} in "
            f"{plan.num_partitions} partitions{io}\n"
            f"  {plan.total_steps} steps over {plan.train_rows:,} rows; updates {plan.schedule}: {plan.schedule_reason}"
        )

    def _show_step(self, step: StepCompleted) -> None:
        if self._bar is not None:
            self._progress.update(self._bar, completed=step.step)
        overlap = "" if step.overlap_share is None else f"  overlap {step.overlap_share:.0%}"
        skipped = "  skipped: the gradient was not finite" if step.skipped else ""
        self._print(
            f"  step {step.step}/{self._total_steps}  loss {_figure(step.loss)}  {step.tokens_per_second:.0f} tokens/s"
            f"{overlap}{skipped}"
        )

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False)


def _result_table(result: TrainingFinished, output_dir: Path) -> Table:
    table = Table(show_header=False)
    for name, value in (
        ("eval loss before", _figure(result.eval_loss_before)),
        ("eval loss after", _figure(result.eval_loss_after)),
        ("steps", str(result.steps)),
        ("tokens/s", f"{result.tokens_per_second:.1f}"),
        ("optimizer state", _tiers(result.state_bytes)),
        ("overlap of transfers", "nothing moved" if result.overlap_share is None else f"{result.overlap_share:.0%}"),
        ("peak RSS while training", format_bytes(result.peak_rss_bytes)),
        ("time to first step", f"{result.seconds_to_first_step:.1f} s"),
        ("artifact", str(output_dir)),
    ):
        table.add_row(name, value)
    return table


def _tiers(tiers: TierBytes) -> str:
    held = (("device", tiers.device), ("host", tiers.host), ("nvme", tiers.nvme))
    return " + ".join(f"{format_bytes(value)} {tier}" for tier, value in held if value) or "none"


def _figure(loss: float | None) -> str:
    return "not finite" if loss is None else f"{loss:.4f}"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SAMPLE_CHARS else f"{flat[: _SAMPLE_CHARS - 1]}…"
