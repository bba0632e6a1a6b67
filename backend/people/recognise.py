"""From a request's credentials to the principal behind it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from fastapi import Request

from backend.authorization import Principal, Role
from backend.db.identifiers import DEFAULT_PROJECT
from backend.db.session import Database
from backend.errors import UnauthenticatedError
from backend.people import service
from backend.people.cookie import session_token
from backend.people.gate import TOKEN_PREFIX, Gate

_NOTE_USE_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Credentials:
    bearer: str | None
    session_token: str | None


def read_credentials(request: Request) -> Credentials:
    """What the request carries; a token wins over a cookie. Raises ForeignOriginError for a forged cookie request."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and value.strip():
        return Credentials(bearer=value.strip(), session_token=None)
    return Credentials(bearer=None, session_token=session_token(request))


def recognise(gate: Gate, database: Database, credentials: Credentials, *, now: datetime) -> Principal:
    """The principal. Blocks for the database. Raises UnauthenticatedError."""
    if credentials.bearer is not None and credentials.bearer.startswith(TOKEN_PREFIX):
        return _by_token(gate, database, credentials.bearer, now=now)
    if credentials.bearer is not None:
        if not gate.is_box_token(credentials.bearer):
            raise UnauthenticatedError(detail="This is neither an API token nor the box token.")
        return Principal(actor_id="box", name="box", role=Role.BOX, project_id=DEFAULT_PROJECT)
    if credentials.session_token is not None:
        with database.read() as session:
            return service.principal_of_session(session, gate, credentials.session_token, now=now)
    raise UnauthenticatedError(detail="The request carries neither a session nor a token.")


def _by_token(gate: Gate, database: Database, token: str, *, now: datetime) -> Principal:
    with database.read() as session:
        principal, row = service.principal_of_token(session, gate, token, now=now)
    if row.last_used_at is None or now - row.last_used_at > _NOTE_USE_EVERY:
        with database.write() as session:
            service.note_token_use(session, row.token_id, now=now)
    return principal
