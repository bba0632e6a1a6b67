"""spillway artifacts: what a job made."""

from pathlib import Path
from typing import Annotated

import typer

from contracts.sizes import format_bytes
from spillway.client import SpillwayClient
from spillway.commands.options import AsJson, Token, Url, connect
from spillway.errors import SpillwayError
from spillway.output import say, show_table, transfer_progress, write_json

artifacts = typer.Typer(no_args_is_help=True, help="What a job made: the trained model's files.")


@artifacts.command("list")
def list_artifacts(
    job_id: Annotated[str, typer.Argument(metavar="JOB")],
    as_json: AsJson = False,
    url: Url = None,
    token: Token = None,
) -> None:
    """List a job's files."""
    with connect(url, token) as client:
        found = client.artifacts(job_id)
    if as_json:
        write_json(found)
    else:
        rows = [(item.name, format_bytes(item.num_bytes), item.sha256[:12]) for item in found.items]
        show_table("", ("file", "size", "sha256"), rows)


@artifacts.command("get")
def get_artifacts(
    job_id: Annotated[str, typer.Argument(metavar="JOB")],
    folder: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to; else a folder named like the job.")
    ] = None,
    as_json: AsJson = False,
    url: Url = None,
    token: Token = None,
) -> None:
    """Download a job's files and check their hashes; files that are there already are kept."""
    target = folder or Path(job_id)
    with connect(url, token) as client:
        paths = download_all(client, job_id, target)
    if as_json:
        write_json({"folder": str(target.resolve()), "files": [str(path.resolve()) for path in paths]})
    else:
        say(f"{len(paths)} files in {target.resolve()}")


def download_all(client: SpillwayClient, job_id: str, folder: Path) -> list[Path]:
    """Fetch every file of a finished job. Raises SpillwayError when there is none or they are not all there yet."""
    found = client.artifacts(job_id)
    if not found.complete:
        raise SpillwayError(
            f"{job_id} has no complete artifact.",
            hint=f"Files are there once the job has succeeded; see `spillway jobs {job_id}`.",
        )
    paths: list[Path] = []
    with transfer_progress() as progress:
        for item in found.items:
            task = progress.add_task(item.name, total=item.num_bytes)
            paths.append(
                client.download_artifact(
                    job_id,
                    item,
                    folder,
                    lambda done, _, task=task: progress.update(task, completed=done),  # type: ignore[misc]
                )
            )
    return paths
