"""spillway submit, jobs, logs, cancel."""

import sys
import time
import uuid
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from contracts.job import JobState
from spillway.client import SpillwayClient
from spillway.commands.options import AsJson, Token, Url, connect
from spillway.errors import FAILED, INTERRUPTED
from spillway.follow import follow_job
from spillway.job_file import read_job_file
from spillway.output import STATE_STYLES, note, say, show_fields, show_table, write_json
from spillway.place_inputs import place_inputs
from spillway.responses import JobRead, JobSummary

_LOG_POLL_SECONDS = 0.5


def submit(
    job_file: Annotated[Path, typer.Argument(metavar="JOB.YAML", help="The job; see examples/jobs/jargon.yaml.")],
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Stay until the job ends; exit with its status.")
    ] = False,
    as_json: AsJson = False,
    url: Url = None,
    token: Token = None,
) -> None:
    """Submit a job. A dataset file is uploaded first; a model folder or Hugging Face id is registered."""
    job = read_job_file(job_file)
    with connect(url, token) as client:
        spec = place_inputs(client, job)
        submitted = client.submit_job(spec, idempotency_key=uuid.uuid4().hex)
        if not follow:
            if as_json:
                write_json(submitted)
            else:
                say(f"{submitted.job_id} {submitted.state}: {client.url}/jobs/{submitted.job_id}")
            return
        note(f"{submitted.job_id}: {client.url}/jobs/{submitted.job_id}")
        end_with_job(client, submitted.job_id, as_json=as_json)


def end_with_job(client: SpillwayClient, job_id: str, *, as_json: bool) -> None:
    """Follow the job and exit with its status. Ctrl-C stops following, not the job."""
    try:
        final = follow_job(client, job_id, as_json=as_json)
    except KeyboardInterrupt:
        note(f"The job goes on. See it by `spillway jobs {job_id}`, end it by `spillway cancel {job_id}`.")
        raise typer.Exit(INTERRUPTED) from None
    if final.state is not JobState.SUCCEEDED:
        if final.reason_text:
            note(f"{final.reason_text.sentence} {final.reason_text.next_step}", style="")
        raise typer.Exit(FAILED)


def jobs(
    job_id: Annotated[str | None, typer.Argument(metavar="[JOB]", help="One job in full.")] = None,
    state: Annotated[JobState | None, typer.Option("--state", help="Only jobs in this state.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many, newest first.")] = 20,
    as_json: AsJson = False,
    url: Url = None,
    token: Token = None,
) -> None:
    """List jobs, or show one."""
    with connect(url, token) as client:
        if job_id is not None:
            job = client.job(job_id)
            if as_json:
                write_json(job)
            else:
                _show_job(job)
            return
        found = list(islice(client.jobs(state), limit))
    if as_json:
        write_json(found)
        return
    columns = ("job", "name", "state", "step", "loss", "eval loss", "model", "created")
    show_table("", columns, [_row(job) for job in found])


def logs(
    job_id: Annotated[str, typer.Argument(metavar="JOB")],
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until the job ends.")] = False,
    url: Url = None,
    token: Token = None,
) -> None:
    """Print the log of a job's newest attempt; followed, of those that come after it too."""
    with connect(url, token) as client:
        attempt_id, offset = "", 0
        while True:
            # The state first: a line written between the two requests is read in the next round.
            seen = client.snapshot(job_id)
            newest = seen.attempt.attempt_id if seen.attempt else ""
            if newest != attempt_id:
                if attempt_id:
                    _print_log(client, job_id, attempt_id, offset)
                attempt_id, offset = newest, 0
            if attempt_id:
                offset = _print_log(client, job_id, attempt_id, offset)
            if seen.job.state.is_final or not follow:
                return
            time.sleep(_LOG_POLL_SECONDS)


def _print_log(client: SpillwayClient, job_id: str, attempt_id: str, offset: int) -> int:
    """Where to go on."""
    while block := client.read_log(job_id, attempt_id, offset):
        sys.stdout.buffer.write(block)
        offset += len(block)
    sys.stdout.flush()
    return offset


def cancel(
    job_id: Annotated[str, typer.Argument(metavar="JOB")],
    as_json: AsJson = False,
    url: Url = None,
    token: Token = None,
) -> None:
    """Cancel a job; it stops at the end of its step."""
    with connect(url, token) as client:
        job = client.cancel_job(job_id)
    if as_json:
        write_json(job)
    else:
        say(f"{job.job_id} {job.state}")


def _show_job(job: JobRead) -> None:
    lines = {
        "job": job.job_id,
        "state": str(job.state) + (f" ({job.reason_text.sentence})" if job.reason_text else ""),
        "next step": job.reason_text.next_step if job.reason_text else "",
        "message": job.message,
        "queue": f"place {job.queue_position}" if job.queue_position is not None else "",
        "model": job.model.name,
        "dataset": job.dataset.name,
        "attempt": str(job.attempt_number or ""),
        "phase": job.phase or "",
        "step": _steps(job),
        "loss": _number(job.last_loss),
        "eval loss": _eval(job),
        "created": _time(job.created_at),
        "started": _time(job.started_at),
        "finished": _time(job.finished_at),
    }
    show_fields(job.name, [(label, value) for label, value in lines.items() if value])


def _row(job: JobSummary) -> list[str | Text]:
    state = Text(job.state.value, style=STATE_STYLES.get(job.state.value, ""))
    return [
        job.job_id,
        job.name,
        state,
        _steps(job),
        _number(job.last_loss),
        _eval(job),
        job.model.name,
        _time(job.created_at),
    ]


def _steps(job: JobSummary) -> str:
    return "" if job.step is None else f"{job.step}/{job.total_steps}" if job.total_steps else str(job.step)


def _eval(job: JobSummary) -> str:
    before, after = _number(job.eval_loss_before), _number(job.eval_loss_after)
    return f"{before} → {after}" if after else before


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _time(value: datetime | None) -> str:
    return "" if value is None else value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%SZ")
