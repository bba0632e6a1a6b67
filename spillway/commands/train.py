"""spillway train: a run without a server."""

from pathlib import Path
from typing import Annotated

import typer

from spillway.commands.options import AsJson
from spillway.commands.services import DataDirOption, chosen_data_dir, require_extras
from spillway.job_file import read_job_file


def train(
    job_file: Annotated[Path, typer.Argument(metavar="JOB.YAML", help="The job; see examples/jobs/jargon.yaml.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder for the trained model; else JOB-trained, here.")
    ] = None,
    data_dir: DataDirOption = None,
    as_json: AsJson = False,
) -> None:
    """Train here and now, without a server; the same run as with one. Ctrl-C stops at the end of a step."""
    require_extras("worker", "engine")
    # Here, not above: it needs what may not be installed, and it keeps `spillway --help` quick.
    from worker.training.local_run import run_local  # noqa: PLC0415

    spec = read_job_file(job_file).spec
    target = output or Path(f"{job_file.stem}-trained")
    raise typer.Exit(run_local(spec, job_file.parent, chosen_data_dir(data_dir), target, as_json))
