"""The demo: a real model fine-tuned on real rows, with its optimizer state where it was asked to be."""

import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from contracts.attempts import LocalFolder
from contracts.job import JobSpec, JobState
from spillway.bundled_model import BUNDLED_MODEL, ensure_bundled_model
from spillway.client import SpillwayClient
from spillway.commands.artifacts import download_all
from spillway.demo_report import make_report, report_rows
from spillway.errors import FAILED, BadInputError, SpillwayError
from spillway.follow import follow_job
from spillway.job_file import parse_spec, read_job_file
from spillway.launcher.log_view import LogView
from spillway.launcher.task_thread import Running
from spillway.output import show_fields
from spillway.responses import JobRead

_DATASET = "jargon"


@dataclass(frozen=True, kw_only=True, slots=True)
class DemoOptions:
    steps: int | None = None
    placement: Literal["nvme", "host"] | None = None
    report_file: Path | None = None


def run_demo(running: Running, options: DemoOptions) -> int:
    """Bring model and data, submit the job, follow it, show the outcome. Returns the job's status.

    Raises SpillwayError when something that it needs cannot be had.
    """
    examples = find_examples()
    model_folder = ensure_bundled_model(
        running.data_dir.models, lambda text: running.view.say(text, name="demo", style="cyan")
    )
    with SpillwayClient(running.url, running.token) as client:
        model = client.add_model(BUNDLED_MODEL, LocalFolder(path=str(model_folder)))
        dataset = client.add_dataset(_DATASET, examples / "data" / "jargon.jsonl")
        spec = _job_spec(examples, options).model_copy(update={"model": model.model_id, "dataset": dataset.dataset_id})
        job = _submit_once(client, spec, running.view)
        final = follow_job(
            client, job.job_id, show_line=lambda text, style: running.view.say(text, name="demo", style=style)
        )
        return _show_outcome(client, final, running, options.report_file)


def find_examples() -> Path:
    """The example data and job: beside the package in a clone, inside it in a wheel."""
    here = Path(__file__).resolve().parent
    for folder in (here.parent / "examples", here / "examples"):
        if (folder / "data" / "jargon.jsonl").is_file() and (folder / "jobs" / "jargon.yaml").is_file():
            return folder
    raise BadInputError("The demo's data is not installed with this copy.", hint="Run `make demo` in a clone.")


def _job_spec(examples: Path, options: DemoOptions) -> JobSpec:
    spec = read_job_file(examples / "jobs" / "jargon.yaml").spec
    raw = spec.model_dump(mode="json")
    if options.steps is not None:
        raw["training"]["max_steps"] = options.steps
    if options.placement is not None:
        raw["placement"] = options.placement
    return parse_spec(raw, "the demo's job")


def _submit_once(client: SpillwayClient, spec: JobSpec, view: LogView) -> JobRead:
    """The same job from an interrupted start, if one is still to run; else a new one."""
    for summary in client.jobs():
        if summary.name == spec.name and not summary.state.is_final:
            job = client.job(summary.job_id)
            if job.spec == spec:
                view.say(f"going on with {job.job_id} from an earlier start", name="demo", style="cyan")
                return job
    job = client.submit_job(spec, idempotency_key=uuid.uuid4().hex)
    view.say(f"submitted {job.job_id}: {client.url}/jobs/{job.job_id}", name="demo", style="cyan")
    return job


def _show_outcome(client: SpillwayClient, final: JobRead, running: Running, report_file: Path | None) -> int:
    if final.state is not JobState.SUCCEEDED:
        text = f"{final.reason_text.sentence} {final.reason_text.next_step}" if final.reason_text else final.message
        running.view.say(f"{final.job_id} {final.state}: {text}", name="demo", style="red")
        return FAILED
    folder = running.data_dir.downloads / final.job_id
    download_all(client, final.job_id, folder)
    report = make_report(client.snapshot(final.job_id), running.url, str(folder))
    if report is None:
        raise SpillwayError(f"{final.job_id} succeeded, but the server knows no result of it.")
    show_fields("outcome", report_rows(report))
    if report_file is not None:
        report_file.parent.mkdir(parents=True, exist_ok=True)
        report_file.write_text(report.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return 0
