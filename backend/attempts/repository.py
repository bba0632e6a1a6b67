"""Queries on attempts and their leases."""

from datetime import datetime

from sqlalchemy import Row, select, update
from sqlalchemy.orm import Session

from backend.attempts.states import AttemptState
from backend.db.models import Attempt, Box, Dataset, Job, Lease, Model


def find(session: Session, attempt_id: str) -> Attempt | None:
    return session.get(Attempt, attempt_id)


def live_of_job(session: Session, job_id: str) -> Attempt | None:
    return session.scalar(select(Attempt).where(Attempt.job_id == job_id, Attempt.ended_at.is_(None)))


def unstarted_on_box(session: Session, box_id: str) -> Attempt | None:
    return session.scalar(
        select(Attempt).where(
            Attempt.box_id == box_id,
            Attempt.ended_at.is_(None),
            Attempt.state.in_([AttemptState.GRANTED, AttemptState.STARTING]),
        )
    )


def with_job_and_data(session: Session, attempt_id: str) -> Row[Job, Model, Dataset]:
    query = (
        select(Job, Model, Dataset)
        .join(Attempt, Attempt.job_id == Job.job_id)
        .join(Model, Model.model_id == Job.model_id)
        .join(Dataset, Dataset.dataset_id == Job.dataset_id)
        .where(Attempt.attempt_id == attempt_id)
    )
    return session.execute(query).one()


def with_box_and_lease(session: Session, attempt_id: str) -> Row[Attempt, Box, Lease]:
    query = (
        select(Attempt, Box, Lease)
        .join(Box, Box.box_id == Attempt.box_id)
        .join(Lease, Lease.attempt_id == Attempt.attempt_id)
        .where(Attempt.attempt_id == attempt_id)
    )
    return session.execute(query).one()


def expired(session: Session, now: datetime) -> list[Attempt]:
    query = select(Attempt).join(Lease, Lease.attempt_id == Attempt.attempt_id)
    return list(session.scalars(query.where(Lease.released_at.is_(None), Lease.expires_at <= now)))


def renew_all(session: Session, expires_at: datetime) -> None:
    session.execute(update(Lease).where(Lease.released_at.is_(None)).values(expires_at=expires_at))


def holders(session: Session) -> list[Row[str, str, str]]:
    """Of each box that is taken: its id, the job's id and name."""
    query = (
        select(Lease.box_id, Job.job_id, Job.name)
        .join(Attempt, Attempt.attempt_id == Lease.attempt_id)
        .join(Job, Job.job_id == Attempt.job_id)
        .where(Lease.released_at.is_(None))
    )
    return list(session.execute(query))
