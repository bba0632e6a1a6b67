"""What a job file names, found on this machine before anything starts."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from rich.console import Console

from contracts.attempts import DatasetBlob, HuggingFaceRepo, LocalFolder, ModelSource
from contracts.dataset import InstructionRow, check_lines
from contracts.job import JobSpec
from worker.training.bundled_model import BUNDLED_MODEL, BundledModelError, ensure_bundled_model

_MAX_SHOWN_PROBLEMS = 10


class LocalInputError(Exception):
    """Something that the job names cannot be used; the message names it and the next step. Nothing was made."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LocalInputs:
    model: ModelSource
    dataset: DatasetBlob
    dataset_path: Path


def resolve_inputs(spec: JobSpec, spec_folder: Path, models_folder: Path, console: Console) -> LocalInputs:
    """Find and check both. Makes the bundled model if it is named and missing. Raises LocalInputError."""
    dataset_path = _find(spec.dataset, spec_folder)
    if dataset_path is None or not dataset_path.is_file():
        raise LocalInputError(
            f"dataset: there is no file {spec.dataset}, neither here nor beside the job file in {spec_folder}."
        )
    # Before the model, which may be a download: a bad row is found in no time.
    dataset = _checked_dataset(dataset_path, spec.dataset)
    return LocalInputs(
        model=_resolve_model(spec, spec_folder, models_folder, console), dataset=dataset, dataset_path=dataset_path
    )


def _resolve_model(spec: JobSpec, spec_folder: Path, models_folder: Path, console: Console) -> ModelSource:
    if spec.model == BUNDLED_MODEL:
        try:
            return LocalFolder(path=str(ensure_bundled_model(models_folder, console)))
        except BundledModelError as error:
            raise LocalInputError(f"model: {error}") from error
    folder = _find(spec.model, spec_folder)
    if folder is not None and folder.is_dir():
        if not (folder / "config.json").is_file():
            raise LocalInputError(f"model: {folder} holds no model: config.json is missing.")
        return LocalFolder(path=str(folder))
    is_path = spec.model.startswith((".", "/", "~"))
    try:
        if not is_path:
            return HuggingFaceRepo(repo=spec.model)
    except ValidationError:
        is_path = True
    raise LocalInputError(
        f"model: there is no folder {spec.model}, neither here nor beside the job file in {spec_folder}. Name a folder "
        f"in Hugging Face layout, a Hugging Face id, or {BUNDLED_MODEL}."
    )


def _find(name: str, spec_folder: Path) -> Path | None:
    """As typed from here first, then beside the job file, so that a job file can travel with its data."""
    candidates = (Path(name).expanduser(), spec_folder / name)
    return next((path.resolve() for path in candidates if path.exists()), None)


def _checked_dataset(path: Path, name: str) -> DatasetBlob:
    problems = []
    num_rows = 0
    with path.open("rb") as lines:
        for checked in check_lines(lines):
            if isinstance(checked, InstructionRow):
                num_rows += 1
            else:
                problems += checked
    if problems:
        shown = "\n".join(f"  {item.message}. {item.hint}" for item in problems[:_MAX_SHOWN_PROBLEMS])
        more = len(problems) - _MAX_SHOWN_PROBLEMS
        rest = f"\n  and {more} more" if more > 0 else ""
        raise LocalInputError(f"dataset: {path} has rows that cannot be used:\n{shown}{rest}")
    if num_rows < 2:
        raise LocalInputError(f"dataset: {path} has {num_rows} rows; at least 2 are needed.")
    with path.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    return DatasetBlob(dataset_id="local", name=name, sha256=digest, num_bytes=path.stat().st_size)
