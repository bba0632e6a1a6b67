"""A job written as YAML or JSON, and what of it lies on this machine."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from contracts.job import JobSpec
from spillway.errors import BadInputError


@dataclass(frozen=True, slots=True)
class JobFile:
    """A checked spec. `dataset_file` and `model_folder` are set where the spec names something on this machine."""

    spec: JobSpec
    dataset_file: Path | None
    model_folder: Path | None


def read_job_file(path: Path) -> JobFile:
    """Read and check. Raises BadInputError naming every fault by its field."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} cannot be read: {error}.", hint="Name a job file; see examples/jobs/.") from error
    try:
        raw = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise BadInputError(f"{path} is not YAML: {error}.") from error
    except RecursionError:
        raise BadInputError(f"{path} is nested too deeply for a job file.") from None
    spec = parse_spec(raw, str(path))
    return JobFile(
        spec=spec,
        dataset_file=_existing(path, spec.dataset, is_folder=False),
        model_folder=_existing(path, spec.model, is_folder=True),
    )


def parse_spec(raw: Any, where: str) -> JobSpec:
    try:
        return JobSpec.model_validate(raw)
    except ValidationError as error:
        raise BadInputError(
            f"{where} is not a job that can run.",
            details=tuple(
                f"{'.'.join(map(str, item['loc'])) or 'the file'}: {item['msg'].removeprefix('Value error, ')}"
                + (f" (got {item['input']!r})" if isinstance(item["input"], str | int | float) else "")
                for item in error.errors(include_url=False)
            ),
            hint="Correct the fields named above; `spillway submit --help` names an example.",
        ) from error


def _existing(job_file: Path, named: str, *, is_folder: bool) -> Path | None:
    # As typed from here first, then beside the job file, so that a job file can travel with its data.
    try:
        for candidate in (Path(named).expanduser(), job_file.parent / named):
            if candidate.is_dir() if is_folder else candidate.is_file():
                return candidate.resolve()
    except (OSError, RuntimeError) as error:
        # Longer than any file's name, closed to us, or in the home of a user who does not exist.
        raise BadInputError(f"{named[:100]} in {job_file} cannot be looked for: {error}.") from error
    looks_like_path = "/" in named or named.endswith((".jsonl", ".json", ".csv"))
    if looks_like_path and (named.startswith((".", "/", "~")) or not is_folder):
        what = "folder" if is_folder else "file"
        raise BadInputError(
            f"{named} in {job_file} is no {what} on this machine.",
            hint="Paths are taken from where you are, then from the job file's folder.",
        )
    return None
