"""Queries on people, their sessions and tokens."""

from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from backend.db.models import ApiToken, BrowserSession, Project, User


def any_user(session: Session) -> bool:
    return session.scalar(select(User.user_id).limit(1)) is not None


def user_named(session: Session, username: str) -> User | None:
    return session.scalar(select(User).where(User.username == username))


def session_user(session: Session, token_hash: str, now: datetime) -> User | None:
    return session.scalar(
        select(User)
        .join(BrowserSession, BrowserSession.user_id == User.user_id)
        .where(BrowserSession.token_hash == token_hash, BrowserSession.expires_at > now)
    )


def token_by_hash(session: Session, token_hash: str) -> ApiToken | None:
    return session.scalar(select(ApiToken).where(ApiToken.token_hash == token_hash))


def tokens_of(session: Session, project_id: str, user_id: str | None, before: str | None, limit: int) -> list[ApiToken]:
    query = select(ApiToken).where(ApiToken.project_id == project_id, ApiToken.user_id == user_id)
    if before is not None:
        query = query.where(ApiToken.token_id < before)
    return list(session.scalars(query.order_by(ApiToken.token_id.desc()).limit(limit)))


def remove_session(session: Session, token_hash: str) -> None:
    session.execute(delete(BrowserSession).where(BrowserSession.token_hash == token_hash))


def remove_expired_sessions(session: Session, now: datetime) -> None:
    session.execute(delete(BrowserSession).where(BrowserSession.expires_at <= now))


def project(session: Session, project_id: str) -> Project | None:
    return session.get(Project, project_id)
