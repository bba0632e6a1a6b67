"""Around every request: its id, its log line, the headers a browser needs, and a limit on what may be sent."""

import re
import secrets
import time

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.problems import internal_problem, problem_response, request_id_of
from contracts.wire import API_PREFIX, INTERNAL_PREFIX

_log = structlog.get_logger(__name__)
MAX_JSON_BYTES = 2**20
MAX_INTERNAL_JSON_BYTES = 16 * 2**20
# These read their body piece by piece and have limits of their own.
_STREAMED = re.compile(rf"POST {API_PREFIX}/datasets|PUT {INTERNAL_PREFIX}/attempts/[^/]+/(log|files/[^/]+)", re.ASCII)
_SECURITY_HEADERS = [
    (b"content-security-policy",
     b"default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
]  # fmt: skip
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestContextMiddleware:
    """Outermost: gives the request its id, in logs, in problems and in the answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Request(scope).headers.get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        scope["spillway_request_id"] = request_id
        status, started = 0, time.monotonic()

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                extra = [*_SECURITY_HEADERS, (b"x-request-id", request_id.encode())]
                if scope["path"].startswith((API_PREFIX, INTERNAL_PREFIX)):
                    extra.append((b"cache-control", b"no-store"))
                given_names = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(pair for pair in extra if pair[0] not in given_names)]
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self.app(scope, receive, send_with_headers)
            except Exception as error:
                if status:
                    raise
                # Answered here and not further out: this answer needs the id and the headers as well.
                await internal_problem(scope, error)(scope, receive, send_with_headers)
            finally:
                _log_request(scope, status, time.monotonic() - started)


def _log_request(scope: Scope, status: int, seconds: float) -> None:
    # What somebody looked at, and the agent's own talk, would bury what was done and what went wrong. A HEAD asks
    # whether something is there: "no" is no failure.
    is_talk = scope["method"] == "GET" or scope["path"].startswith(INTERNAL_PREFIX)
    is_quiet = scope["method"] == "HEAD" or (is_talk and status < 400)
    log = _log.debug if is_quiet else _log.info
    log("request", method=scope["method"], path=scope["path"], status=status, milliseconds=round(seconds * 1000, 1))


class BodyLimitMiddleware:
    """Refuses JSON bodies over the limit, by their announced length or by what really comes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or _STREAMED.fullmatch(f"{scope['method']} {scope['path']}"):
            await self.app(scope, receive, send)
            return
        limit = MAX_INTERNAL_JSON_BYTES if scope["path"].startswith(INTERNAL_PREFIX) else MAX_JSON_BYTES
        request = Request(scope)
        announced = request.headers.get("content-length", "0")
        if announced.isdigit() and int(announced) > limit:
            response = problem_response(
                status=413,
                code="too_large",
                title="Too large",
                detail=f"The body has {announced} bytes, the limit is {limit}.",
                hint="Send less at once; datasets go to POST /api/v1/datasets.",
                request_id=request_id_of(request),
            )
            await response(scope, receive, send)
            return
        received = 0

        async def counted_receive() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                # The framework passes this kind on while it reads the body; any other becomes a bare 400.
                raise HTTPException(status_code=413, detail=f"more than {limit} bytes")
            return message

        await self.app(scope, counted_receive, send)
