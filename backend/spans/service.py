"""Lanes of single steps: a file each, asked of the box when somebody looks."""

from datetime import datetime
from pathlib import Path

from sqlalchemy.orm import Session

from backend.attempts import service as attempts
from backend.authorization import Principal
from backend.errors import NotFoundError
from backend.events import service as events
from backend.folder import DataFolder, write_private
from backend.jobs import service as jobs
from backend.spans.schemas import SpanStep, SpanSteps
from backend.spans.wanted import WantedSpans
from contracts.events import StepSpans
from contracts.spool import KEPT_SPAN_STEPS


def list_steps(session: Session, folder: DataFolder, principal: Principal, job_id: str) -> SpanSteps:
    """The newest steps, which the box still has while the attempt lives, and those stored here."""
    attempt_id = jobs.newest_attempt_id(session, principal, job_id)
    if attempt_id is None:
        return SpanSteps(steps=[])
    stored = {int(file.stem) for file in folder.spans_folder(attempt_id).glob("*.json")}
    last = events.highest_step(session, attempt_id) or 0
    on_box = range(max(last - KEPT_SPAN_STEPS, 0) + 1, last + 1) if attempts.is_live(session, attempt_id) else ()
    return SpanSteps(steps=[SpanStep(step=step, stored=step in stored) for step in sorted(stored | set(on_box))])


def read(
    session: Session,
    folder: DataFolder,
    wanted: WantedSpans,
    principal: Principal,
    *,
    job_id: str,
    step: int,
    now: datetime,
) -> StepSpans | None:
    """None: the box was asked for them. Raises NotFoundError when they can come no more, or not yet."""
    attempt_id = jobs.newest_attempt_id(session, principal, job_id)
    if attempt_id is not None:
        file = _file(folder, attempt_id, step)
        if file.exists():
            return StepSpans.model_validate_json(file.read_bytes())
        last = events.highest_step(session, attempt_id) or 0
        if attempts.is_live(session, attempt_id) and 1 <= step <= last:
            wanted.ask(attempt_id, step, now=now)
            return None
    raise NotFoundError(what="stored lanes of step", identifier=str(step))


def store(folder: DataFolder, wanted: WantedSpans, attempt_id: str, step: int, spans: StepSpans) -> None:
    file = _file(folder, attempt_id, step)
    file.parent.mkdir(mode=0o700, exist_ok=True)
    write_private(file, spans.model_dump_json())
    wanted.has_come(attempt_id, step)


def _file(folder: DataFolder, attempt_id: str, step: int) -> Path:
    return folder.spans_folder(attempt_id) / f"{step:08d}.json"
