"""Set-up, sign-in, tokens."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from backend.db.models import User
from backend.dependencies import Current, Now, Person, ReadSession, WriteSession
from backend.people import service
from backend.people.cookie import clear_cookie, refuse_foreign_origin, session_token, set_cookie
from backend.people.schemas import (
    SetupRead,
    SetupRequest,
    SignInRequest,
    TokenCreated,
    TokenRead,
    TokenRequest,
    UserRead,
)
from backend.schemas import DEFAULT_LIMIT, Cursor, Limit, Page

router = APIRouter(tags=["people"])
_NEEDS_NOTHING: dict[str, list[str]] = {"security": []}


@router.get("/setup", openapi_extra=_NEEDS_NOTHING)
def read_setup(session: ReadSession) -> SetupRead:
    """Whether the first admin is still to be made."""
    return SetupRead(needs_setup=service.needs_setup(session))


@router.post("/setup", status_code=201, openapi_extra=_NEEDS_NOTHING)
def complete_setup(
    body: SetupRequest, request: Request, response: Response, runtime: Current, session: WriteSession, now: Now
) -> UserRead:
    """Make the first admin with the one-time code, and sign in. 410 `setup_done` once that was done."""
    refuse_foreign_origin(request)
    signed_in = service.complete_setup(session, runtime.gate, body, address=_address(request), now=now)
    set_cookie(response, request, signed_in, always_secure=runtime.settings.secure_cookies)
    return signed_in.user


def password_checked(body: SignInRequest, request: Request, runtime: Current, session: ReadSession, now: Now) -> User:
    """Comes before the write session: hashing is slow, and nobody's write waits for it."""
    refuse_foreign_origin(request)
    return service.check_password(session, runtime.gate, body, address=_address(request), now=now)


@router.post("/sessions", status_code=201, openapi_extra=_NEEDS_NOTHING)
def sign_in(
    user: Annotated[User, Depends(password_checked)],
    request: Request,
    response: Response,
    runtime: Current,
    session: WriteSession,
    now: Now,
) -> UserRead:
    """Sign in with name and password; the answer sets an HttpOnly cookie. 429 after too many failures."""
    signed_in = service.open_session(session, runtime.gate, user, now=now)
    set_cookie(response, request, signed_in, always_secure=runtime.settings.secure_cookies)
    return signed_in.user


@router.delete("/sessions/current", status_code=204)
def sign_out(principal: Person, request: Request, response: Response, runtime: Current, session: WriteSession) -> None:
    """End this browser session."""
    token = session_token(request)
    if token is not None:
        service.sign_out(session, runtime.gate, token)
    clear_cookie(response)


@router.get("/me")
def read_me(principal: Person) -> UserRead:
    """Who the credentials belong to."""
    return UserRead(
        user_id=principal.user_id or "", username=principal.name, role=principal.role, project_id=principal.project_id
    )


@router.post("/tokens", status_code=201)
def create_token(
    principal: Person, body: TokenRequest, runtime: Current, session: WriteSession, now: Now
) -> TokenCreated:
    """Make an API token for scripts. This answer is the only place where it is ever shown."""
    return service.create_token(session, runtime.gate, principal, body, now=now)


@router.get("/tokens")
def list_tokens(
    principal: Person, session: ReadSession, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[TokenRead]:
    """One's own tokens, newest first."""
    return service.list_tokens(session, principal, limit=limit, cursor=cursor)


@router.delete("/tokens/{token_id}", status_code=204)
def revoke_token(token_id: str, principal: Person, session: WriteSession) -> None:
    """From now on nothing is answered with this token."""
    service.revoke_token(session, principal, token_id)


def _address(request: Request) -> str:
    return request.client.host if request.client else "unknown"
