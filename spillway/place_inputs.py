"""What a job file names and the server does not have yet is brought there before the job is submitted."""

from pydantic import ValidationError

from contracts.attempts import HuggingFaceRepo, LocalFolder
from contracts.job import JobSpec
from spillway.bundled_model import BUNDLED_MODEL, ensure_bundled_model
from spillway.client import SpillwayClient
from spillway.job_file import JobFile
from spillway.locations import DataDir, default_data_dir, read_server_record
from spillway.output import note, transfer_progress


def place_inputs(client: SpillwayClient, job: JobFile) -> JobSpec:
    """Register the model and upload the dataset where they are not there; the spec that names them by id."""
    # The model first: a name that means nothing is found before anything is uploaded.
    changes = {"model": _place_model(client, job)}
    if job.dataset_file is not None:
        with transfer_progress() as progress:
            task = progress.add_task(f"uploading {job.dataset_file.name}", total=job.dataset_file.stat().st_size)
            dataset = client.add_dataset(
                job.dataset_file.stem, job.dataset_file, lambda done, _: progress.update(task, completed=done)
            )
        changes["dataset"] = dataset.dataset_id
    return job.spec.model_copy(update=changes)


def _place_model(client: SpillwayClient, job: JobFile) -> str:
    named = job.spec.model
    if job.model_folder is not None:
        return client.add_model(job.model_folder.name, LocalFolder(path=str(job.model_folder))).model_id
    if any(named in {model.model_id, model.name} for model in client.models()):
        return named
    data_dir = DataDir(default_data_dir())
    record = read_server_record(data_dir)
    if named == BUNDLED_MODEL and record is not None and record.url == client.url:
        folder = ensure_bundled_model(data_dir.models, note)
        return client.add_model(BUNDLED_MODEL, LocalFolder(path=str(folder))).model_id
    if "/" not in named:
        # Nothing we can bring; the server says what it has.
        return named
    try:
        source = HuggingFaceRepo(repo=named)
    except ValidationError:
        return named
    return client.add_model(named, source).model_id
