"""Queries on jobs."""

from collections.abc import Sequence

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from backend.db.models import Dataset, IdempotencyKey, Job, JobMove, Model
from contracts.job import JobState

JobWithNames = Row[Job, str, str, str]
"""The job, its model's name, its dataset's name and sha256."""


def with_names(session: Session, project_id: str, job_id: str) -> JobWithNames | None:
    query = (
        select(Job, Model.name, Dataset.name, Dataset.sha256)
        .join(Model, Model.model_id == Job.model_id)
        .join(Dataset, Dataset.dataset_id == Job.dataset_id)
        .where(Job.project_id == project_id, Job.job_id == job_id)
    )
    return session.execute(query).one_or_none()


def find(session: Session, project_id: str, job_id: str) -> Job | None:
    return session.scalar(select(Job).where(Job.project_id == project_id, Job.job_id == job_id))


def page(
    session: Session,
    project_id: str,
    *,
    state: JobState | None,
    name_contains: str | None,
    before: str | None,
    limit: int,
) -> Sequence[Row[Job, str]]:
    query = select(Job, Model.name).join(Model, Model.model_id == Job.model_id).where(Job.project_id == project_id)
    if state is not None:
        query = query.where(Job.state == state)
    if name_contains:
        query = query.where(Job.name.icontains(name_contains, autoescape=True))
    if before is not None:
        query = query.where(Job.job_id < before)
    return session.execute(query.order_by(Job.job_id.desc()).limit(limit)).all()


def in_state(session: Session, states: frozenset[JobState]) -> list[Job]:
    """Oldest first: the order of the queue."""
    return list(session.scalars(select(Job).where(Job.state.in_(states)).order_by(Job.job_id)))


def ids_in_state(session: Session, states: frozenset[JobState]) -> list[str]:
    return list(session.scalars(select(Job.job_id).where(Job.state.in_(states)).order_by(Job.job_id)))


def moves(session: Session, job_id: str) -> list[JobMove]:
    return list(session.scalars(select(JobMove).where(JobMove.job_id == job_id).order_by(JobMove.move_id)))


def idempotency(session: Session, project_id: str, actor_id: str, key: str) -> IdempotencyKey | None:
    return session.get(IdempotencyKey, (project_id, actor_id, key))
