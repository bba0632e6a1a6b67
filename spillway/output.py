"""How a command speaks: people's text on a terminal, plain lines into a pipe, JSON for programs."""

import json
import sys
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn
from rich.table import Table
from rich.text import Text

from spillway.errors import SpillwayError

# The terminal wraps, not we: a link stays whole when it is copied.
OUT = Console(highlight=False, soft_wrap=True)
ERR = Console(highlight=False, stderr=True, soft_wrap=True)

STATE_STYLES = {
    "running": "cyan", "starting": "cyan", "succeeded": "green", "failed": "red", "cancelled": "yellow",
    "cancelling": "yellow", "waiting": "magenta",
}  # fmt: skip


def write_json(value: Any) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(json.dumps(_plain(value), indent=2, ensure_ascii=False) + "\n")


def write_json_line(value: Any) -> None:
    """One JSON document on one line, at once: for streams."""
    sys.stdout.write(json.dumps(_plain(value), ensure_ascii=False) + "\n")
    sys.stdout.flush()


def say(text: str, style: str = "") -> None:
    """A line for people on standard output; text from elsewhere is never read as markup."""
    OUT.print(Text(text, style=style))


def note(text: str, style: str = "dim") -> None:
    """A line for people on standard error, so that it never mixes with a result."""
    ERR.print(Text(text, style=style))


def show_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str | Text]]) -> None:
    """A table on a terminal, tab-separated lines into a pipe."""
    if not rows:
        note("nothing there yet")
        return
    if not OUT.is_terminal:
        for row in rows:
            sys.stdout.write("\t".join(str(cell) for cell in row) + "\n")
        return
    table = Table(*columns, title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(cell) for cell in row))
    OUT.print(table, soft_wrap=False)


def show_fields(title: str, rows: Sequence[tuple[str, str]]) -> None:
    """Two columns for people, on a terminal and in a log alike."""
    width = max(len(label) for label, _ in rows) + 2
    OUT.print(Text(f"\n{title}", style="bold"))
    for label, value in rows:
        OUT.print(Text(f"  {label:<{width}}") + Text(value, style="bold"))
    OUT.print()


def show_error(error: SpillwayError, *, as_json: bool = False) -> None:
    """One message: what, the single faults, what to do."""
    if as_json:
        sys.stderr.write(
            json.dumps({"error": error.message, "hint": error.hint, "details": list(error.details)}, ensure_ascii=False)
            + "\n"
        )
        return
    ERR.print(Text("error: ", style="bold red") + Text(error.message, style="default"))
    for detail in error.details:
        ERR.print(Text(f"  {detail}"))
    if error.hint:
        ERR.print(Text("  hint: ", style="bold") + Text(error.hint))


def transfer_progress() -> Progress:
    """A bar for bytes; silent where there is no terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(binary_units=True),
        TransferSpeedColumn(),
        console=ERR,
        transient=True,
        disable=not ERR.is_terminal,
    )


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
