"""The browser session's cookie, and the two checks that keep other sites from using it."""

from urllib.parse import urlsplit

from fastapi import Request, Response

from backend.errors import AppError
from backend.people.service import SESSION_DAYS, SignedIn

COOKIE = "spillway_session"
CSRF_HEADER = "X-Spillway-CSRF"
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class ForeignOriginError(AppError):
    def __init__(self, *, detail: str) -> None:
        super().__init__(
            status=403,
            code="csrf",
            title="Not from this page",
            detail=detail,
            hint=f"This service's pages send `{CSRF_HEADER}: 1`; scripts use an API token instead of a cookie.",
        )


def refuse_foreign_origin(request: Request) -> None:
    """Raise ForeignOriginError when a browser says that another site made the request."""
    origin = request.headers.get("origin")
    if origin is not None and _host_of(origin) != request.headers.get("host"):
        raise ForeignOriginError(detail=f"The request comes from {origin}.")


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def session_token(request: Request) -> str | None:
    """The cookie's token; on a request that changes something only when this service's own page sent it."""
    token = request.cookies.get(COOKIE)
    if token is not None and request.method not in _SAFE_METHODS:
        refuse_foreign_origin(request)
        if request.headers.get(CSRF_HEADER) != "1":
            raise ForeignOriginError(detail=f"The header {CSRF_HEADER} is missing.")
    return token


def set_cookie(response: Response, request: Request, signed_in: SignedIn, *, always_secure: bool) -> None:
    response.set_cookie(
        COOKIE,
        signed_in.token,
        max_age=SESSION_DAYS * 86_400,
        httponly=True,
        samesite="lax",
        secure=always_secure or request.url.scheme == "https",
    )


def clear_cookie(response: Response) -> None:
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")
