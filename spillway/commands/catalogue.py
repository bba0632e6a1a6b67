"""spillway models, datasets: what jobs can name."""

from datetime import UTC
from pathlib import Path
from typing import Annotated

import typer

from contracts.attempts import HuggingFaceRepo, LocalFolder, ModelSource
from contracts.sizes import format_bytes
from spillway.bundled_model import BUNDLED_MODEL, ensure_bundled_model
from spillway.commands.options import AsJson, Token, Url, connect
from spillway.commands.services import require_extras
from spillway.errors import BadInputError
from spillway.locations import DataDir, default_data_dir
from spillway.output import note, say, show_table, transfer_progress, write_json

models = typer.Typer(no_args_is_help=True, help="Models that jobs can name.")
datasets = typer.Typer(no_args_is_help=True, help="Datasets that jobs can name.")


@models.command("add")
def add_model(
    source: Annotated[
        str, typer.Argument(help=f"A folder in Hugging Face layout, a Hugging Face id, or {BUNDLED_MODEL}.")
    ],
    name: Annotated[str | None, typer.Option("--name", help="Else the last part of SOURCE.")] = None,
    revision: Annotated[str, typer.Option("--revision", help="Of a Hugging Face id.")] = "main",
    as_json: AsJson = False,
    url: Url = None,
    token: Token = None,
) -> None:
    """Register a model."""
    model_source = _find_source(source, revision)
    with connect(url, token) as client:
        model = client.add_model(name or Path(source).name, model_source)
    if as_json:
        write_json(model)
    else:
        say(f"{model.model_id} {model.name}")


def _find_source(named: str, revision: str) -> ModelSource:
    folder = Path(named).expanduser()
    if folder.is_dir():
        return LocalFolder(path=str(folder.resolve()))
    if named == BUNDLED_MODEL:
        require_extras("worker", "engine")
        return LocalFolder(path=str(ensure_bundled_model(DataDir(default_data_dir()).models, note)))
    if named.startswith((".", "/", "~")):
        raise BadInputError(f"{named} is no folder on this machine.", hint="Check the path, or give a Hugging Face id.")
    try:
        return HuggingFaceRepo(repo=named, revision=revision)
    except ValueError as error:
        raise BadInputError(
            f"{named!r} is neither a folder nor a Hugging Face id.", hint="An id reads ORGANISATION/MODEL."
        ) from error


@models.command("list")
def list_models(as_json: AsJson = False, url: Url = None, token: Token = None) -> None:
    """List the models."""
    with connect(url, token) as client:
        found = list(client.models())
    if as_json:
        write_json(found)
        return
    columns = ("model", "name", "architecture", "parameters", "source")
    rows = [
        (
            model.model_id,
            model.name,
            model.architecture or "",
            f"{model.num_parameters:,}" if model.num_parameters else "",
            model.source.path if isinstance(model.source, LocalFolder) else model.source.repo,
        )
        for model in found
    ]
    show_table("", columns, rows)


@datasets.command("add")
def add_dataset(
    file: Annotated[Path, typer.Argument(help="A JSONL file of instruction rows.")],
    name: Annotated[str | None, typer.Option("--name", help="Else the file's name.")] = None,
    as_json: AsJson = False,
    url: Url = None,
    token: Token = None,
) -> None:
    """Upload a dataset; every line is checked."""
    if not file.is_file():
        raise BadInputError(f"{file} is no file on this machine.")
    with connect(url, token) as client, transfer_progress() as progress:
        task = progress.add_task(f"uploading {file.name}", total=file.stat().st_size)
        dataset = client.add_dataset(name or file.stem, file, lambda done, _: progress.update(task, completed=done))
    if as_json:
        write_json(dataset)
    else:
        say(f"{dataset.dataset_id} {dataset.name} {dataset.num_rows:,} rows")


@datasets.command("list")
def list_datasets(as_json: AsJson = False, url: Url = None, token: Token = None) -> None:
    """List the datasets."""
    with connect(url, token) as client:
        found = list(client.datasets())
    if as_json:
        write_json(found)
        return
    columns = ("dataset", "name", "rows", "size", "created")
    rows = [
        (
            dataset.dataset_id,
            dataset.name,
            f"{dataset.num_rows:,}",
            format_bytes(dataset.num_bytes),
            dataset.created_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%SZ"),
        )
        for dataset in found
    ]
    show_table("", columns, rows)
