"""spillway up, api, worker: the processes."""

import importlib.util
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from spillway.errors import BadInputError
from spillway.locations import default_data_dir

DataDirOption = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Where everything is kept; else SPILLWAY_DATA_DIR, else the XDG data home."),
]
PortOption = Annotated[int | None, typer.Option("--port", min=1, max=65535, help="Else 8321 or the next free one.")]
NvmeOption = Annotated[
    list[Path] | None,
    typer.Option("--nvme", help="A folder on an NVMe drive for optimizer state, or several; else in the data folder."),
]
HeadlessOption = Annotated[bool, typer.Option("--headless", help="Open no browser; so it is without a terminal.")]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Show every log line.")]

PASS_THROUGH = {"allow_extra_args": True, "ignore_unknown_options": True}


def up(
    data_dir: DataDirOption = None,
    port: PortOption = None,
    nvme: NvmeOption = None,
    headless: HeadlessOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Serve on this machine: API and page, worker, Redis. Ctrl-C ends it; runs are queued again."""
    from spillway.launcher.up import UpOptions, run_up  # noqa: PLC0415  keeps `spillway --help` quick

    require_extras("backend", "worker")
    folder = chosen_data_dir(data_dir)
    options = UpOptions(
        data_dir=folder,
        port=port,
        nvme_paths=tuple(nvme or ()),
        verbose=verbose,
        headless=headless or not sys.stdout.isatty(),
    )
    raise typer.Exit(run_up(options))


def api(context: typer.Context) -> None:
    """Run the API alone; options are those of `python -m backend serve`."""
    require_extras("backend")
    os.execv(sys.executable, [sys.executable, "-m", "backend", "serve", *context.args])


def worker(context: typer.Context) -> None:
    """Run the worker of a box; options are those of `python -m worker`."""
    require_extras("worker")
    os.execv(sys.executable, [sys.executable, "-m", "worker", *context.args])


def chosen_data_dir(given: Path | None) -> Path:
    return given.expanduser().absolute() if given else default_data_dir()


_EXTRA_NEEDS = {
    "backend": ("fastapi", "sqlalchemy", "uvicorn"),
    "worker": ("celery", "psutil"),
    "engine": ("torch", "trl", "numba"),
}


def require_extras(*extras: str) -> None:
    """Raises BadInputError naming the extras that are not installed."""
    missing = [extra for extra in extras if not all(importlib.util.find_spec(name) for name in _EXTRA_NEEDS[extra])]
    if missing:
        raise BadInputError(
            f"This needs parts of Spillway that are not installed: {', '.join(missing)}.",
            hint=f"pip install 'spillway[{','.join(extras)}]', or `make` in a clone.",
        )
