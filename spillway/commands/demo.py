"""spillway demo."""

import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from spillway.commands.services import (
    DataDirOption,
    HeadlessOption,
    NvmeOption,
    PortOption,
    VerboseOption,
    chosen_data_dir,
    require_extras,
)
from spillway.errors import BadInputError


def demo(
    steps: Annotated[int | None, typer.Option("--steps", min=1, help="Training steps; else the job file's.")] = None,
    placement: Annotated[
        Literal["nvme", "host"] | None, typer.Option("--placement", help="Where the optimizer state lies.")
    ] = None,
    report: Annotated[Path | None, typer.Option("--report", help="Write the outcome there as JSON.")] = None,
    keep_running: Annotated[
        bool | None,
        typer.Option("--keep-running/--end", help="Serve on after the job; the default on a terminal."),
    ] = None,
    data_dir: DataDirOption = None,
    port: PortOption = None,
    nvme: NvmeOption = None,
    headless: HeadlessOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Fine-tune a real model on this machine, start to end, in the browser. Exits with the job's status."""
    # Here, not above: they keep `spillway --help` quick.
    from spillway.demo import DemoOptions, run_demo  # noqa: PLC0415
    from spillway.launcher.instance import AlreadyRunningError  # noqa: PLC0415
    from spillway.launcher.up import UpOptions, join_running, run_up  # noqa: PLC0415

    require_extras("backend", "worker", "engine")
    headless = headless or not sys.stdout.isatty()
    folder = chosen_data_dir(data_dir)
    if report is not None:
        # Before minutes of training, not after them.
        report.parent.mkdir(parents=True, exist_ok=True)
        if report.is_dir():
            raise BadInputError(f"--report {report} is a folder.", hint="Name the file to write.")
    task = partial(run_demo, options=DemoOptions(steps=steps, placement=placement, report_file=report))
    options = UpOptions(
        data_dir=folder,
        port=port,
        nvme_paths=tuple(nvme or ()),
        verbose=verbose,
        headless=headless,
        keep_running=not headless if keep_running is None else keep_running,
    )
    try:
        status = run_up(options, task)
    except AlreadyRunningError as error:
        # Somebody serves on this data folder already: the demo is one more job there.
        running = join_running(options, error)
        status = task(running)
    raise typer.Exit(status)
