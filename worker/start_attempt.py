"""From a claim to a living shim."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from contracts.attempts import Claim, HuggingFaceRepo
from contracts.reasons import Reason
from contracts.spool import RunOrder
from worker.attempt_folder import AttemptFolder
from worker.control_plane import ControlPlane, RefusedError, StaleFenceError
from worker.dataset_cache import fetch_dataset
from worker.environment import scrubbed_environment
from worker.errors import StartError
from worker.host_ram import read_oom_kills
from worker.settings import WorkerSettings


def prepare_order(
    claim: Claim, folder: AttemptFolder, api: ControlPlane, settings: WorkerSettings, check: Callable[[], None]
) -> None:
    """Bring the data here and write the run's order. Safe to repeat; blocks for the transfer.

    Raises StartError when the attempt cannot run on this box, and what `check` and `ControlPlane` raise.
    """
    model_path, model_revision = _resolve_model(claim)
    try:
        dataset = fetch_dataset(api, claim.dataset, settings.datasets_folder, check)
    except StaleFenceError:
        raise
    except RefusedError as error:
        message = f"The API does not give out the dataset {claim.dataset.name}: {error}."
        raise StartError(Reason.INTERNAL, message) from error
    order = RunOrder(
        attempt_id=claim.attempt_id,
        spec=claim.spec,
        model_path=model_path,
        model_revision=model_revision,
        dataset_path=str(dataset),
        nvme_paths=[str(path) for path in settings.nvme_paths],
        artifact_path=str(folder.artifact),
    )
    folder.write_order(order, read_oom_kills())


def start_shim(claim: Claim, folder: AttemptFolder, settings: WorkerSettings) -> "subprocess.Popen[bytes]":
    """Detached: it lives on when we die. A second shim for the same folder ends by itself."""
    with folder.output.open("ab") as output:
        return subprocess.Popen(
            [
                sys.executable, "-m", "worker.shim", str(folder.path),
                "--training-module", settings.training_module,
                "--kill-grace-seconds", str(settings.kill_grace_seconds),
            ],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=scrubbed_environment(os.environ, claim.attempt_id),
            start_new_session=True,
        )  # fmt: skip


def _resolve_model(claim: Claim) -> tuple[str, str | None]:
    if isinstance(claim.model, HuggingFaceRepo):
        return claim.model.repo, claim.model.revision
    folder = Path(claim.model.path)
    if not (folder / "config.json").is_file():
        message = f"There is no model at {folder} on this box: config.json is missing."
        raise StartError(Reason.MODEL_MISSING, message, "Put the model's folder there, or register another path.")
    return str(folder), None
