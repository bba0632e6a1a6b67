"""Who people are: the first admin, sign-in, tokens."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from backend.authorization import Principal, Role
from backend.db.identifiers import DEFAULT_PROJECT, new_id
from backend.db.models import ApiToken, BrowserSession, Project, User
from backend.errors import AppError, NotFoundError, UnauthenticatedError
from backend.people import repository
from backend.people.gate import Gate
from backend.people.schemas import SetupRequest, SignInRequest, TokenCreated, TokenRead, TokenRequest, UserRead
from backend.schemas import Page

SESSION_DAYS = 14
LOCAL_CLI = "command line"


class SetupDoneError(AppError):
    def __init__(self) -> None:
        super().__init__(
            status=410,
            code="setup_done",
            title="Set-up is done",
            detail="The first admin exists already; the one-time link is used up.",
            hint="Sign in, or ask the admin for access.",
        )


class WrongSetupCodeError(AppError):
    def __init__(self) -> None:
        super().__init__(
            status=403,
            code="wrong_setup_code",
            title="Wrong code",
            detail="This is not the code of the link printed at the first start.",
            hint="Open the link from the service's output once more; it holds the code.",
        )


class WrongCredentialsError(AppError):
    def __init__(self) -> None:
        super().__init__(
            status=401,
            code="wrong_credentials",
            title="Wrong name or password",
            detail="Name and password do not belong together.",
            hint="Check both; after several failures the service makes you wait.",
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class SignedIn:
    user: UserRead
    token: str


def needs_setup(session: Session) -> bool:
    return not repository.any_user(session)


def prepare_start(session: Session, gate: Gate, *, now: datetime) -> str | None:
    """Make the default project; the set-up code while there is no admin, else None."""
    if repository.project(session, DEFAULT_PROJECT) is None:
        session.add(Project(project_id=DEFAULT_PROJECT, name="default", created_at=now))
    if repository.any_user(session):
        gate.close_setup()
        return None
    return gate.open_setup()


def complete_setup(session: Session, gate: Gate, body: SetupRequest, *, address: str, now: datetime) -> SignedIn:
    """Make the first admin. Raises SetupDoneError, WrongSetupCodeError, TooManyFailuresError."""
    if repository.any_user(session):
        raise SetupDoneError
    gate.throttle.check(address=address, username="setup", now=now)
    if not gate.setup_code_matches(body.code):
        gate.throttle.record_failure(address=address, username="setup", now=now)
        raise WrongSetupCodeError
    user = User(
        user_id=new_id("usr"),
        project_id=DEFAULT_PROJECT,
        username=body.username,
        password_hash=gate.hash_password(body.password),
        role=Role.ADMIN,
        created_at=now,
    )
    session.add(user)
    session.flush()
    gate.close_setup()
    return open_session(session, gate, user, now=now)


def check_password(session: Session, gate: Gate, body: SignInRequest, *, address: str, now: datetime) -> User:
    """The user these credentials belong to. Slow on purpose. Raises WrongCredentialsError, TooManyFailuresError."""
    gate.throttle.check(address=address, username=body.username, now=now)
    user = repository.user_named(session, body.username)
    if not gate.password_matches(body.password, user.password_hash if user else None) or user is None:
        gate.throttle.record_failure(address=address, username=body.username, now=now)
        raise WrongCredentialsError
    gate.throttle.forget(address=address, username=body.username)
    return user


def open_session(session: Session, gate: Gate, user: User, *, now: datetime) -> SignedIn:
    repository.remove_expired_sessions(session, now)
    token = secrets.token_urlsafe(32)
    session.add(
        BrowserSession(
            token_hash=gate.hash_token(token),
            user_id=user.user_id,
            created_at=now,
            expires_at=now + timedelta(days=SESSION_DAYS),
        )
    )
    read = UserRead(user_id=user.user_id, username=user.username, role=user.role, project_id=user.project_id)
    return SignedIn(user=read, token=token)


def sign_out(session: Session, gate: Gate, token: str) -> None:
    repository.remove_session(session, gate.hash_token(token))


def principal_of_session(session: Session, gate: Gate, token: str, *, now: datetime) -> Principal:
    user = repository.session_user(session, gate.hash_token(token), now)
    if user is None:
        raise UnauthenticatedError(detail="The browser session has ended.")
    return Principal(
        actor_id=user.user_id,
        name=user.username,
        role=user.role,
        project_id=user.project_id,
        user_id=user.user_id,
    )


def principal_of_token(session: Session, gate: Gate, token: str, *, now: datetime) -> tuple[Principal, ApiToken]:
    found = repository.token_by_hash(session, gate.hash_token(token))
    if found is None:
        raise UnauthenticatedError(detail="This token is unknown or was revoked.")
    if found.expires_at is not None and found.expires_at <= now:
        raise UnauthenticatedError(detail=f"The token {found.name!r} expired at {found.expires_at:%Y-%m-%d %H:%M} UTC.")
    owner = session.get(User, found.user_id) if found.user_id else None
    principal = Principal(
        actor_id=found.user_id or found.token_id,
        name=owner.username if owner else found.name,
        role=found.role,
        project_id=found.project_id,
        user_id=found.user_id,
    )
    return principal, found


def note_token_use(session: Session, token_id: str, *, now: datetime) -> None:
    token = session.get(ApiToken, token_id)
    if token is not None:
        token.last_used_at = now


def create_token(
    session: Session, gate: Gate, principal: Principal, body: TokenRequest, *, now: datetime
) -> TokenCreated:
    token = gate.new_api_token()
    row = ApiToken(
        token_id=new_id("tok"),
        project_id=principal.project_id,
        user_id=principal.user_id,
        name=body.name,
        role=principal.role,
        token_hash=gate.hash_token(token),
        created_at=now,
        expires_at=now + timedelta(days=body.expires_in_days) if body.expires_in_days else None,
    )
    session.add(row)
    session.flush()
    return TokenCreated(**_token(row).model_dump(), token=token)


def create_local_token(session: Session, gate: Gate, *, now: datetime) -> str:
    """An admin's token for the command line of this machine; it exists before the first person does."""
    local = Principal(actor_id="", name=LOCAL_CLI, role=Role.ADMIN, project_id=DEFAULT_PROJECT)
    return create_token(session, gate, local, TokenRequest(name=LOCAL_CLI), now=now).token


def list_tokens(session: Session, principal: Principal, *, limit: int, cursor: str | None) -> Page[TokenRead]:
    rows = repository.tokens_of(session, principal.project_id, principal.user_id, cursor, limit + 1)
    items = [_token(row) for row in rows[:limit]]
    return Page(items=items, next_cursor=items[-1].token_id if len(rows) > limit else None)


def revoke_token(session: Session, principal: Principal, token_id: str) -> None:
    row = session.get(ApiToken, token_id)
    if row is None or (row.project_id, row.user_id) != (principal.project_id, principal.user_id):
        raise NotFoundError(what="token", identifier=token_id)
    session.delete(row)


def _token(row: ApiToken) -> TokenRead:
    return TokenRead(
        token_id=row.token_id,
        name=row.name,
        created_at=row.created_at,
        expires_at=row.expires_at,
        last_used_at=row.last_used_at,
    )
