"""Every error as `application/problem+json`, also those the framework raises."""

import errno
import shutil
from http import HTTPStatus
from typing import Any, cast

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Scope

from backend.errors import AppError
from contracts.problem import Problem, ProblemItem
from contracts.sizes import format_bytes

_POSTGRES_DISK_FULL = "53100"
_log = structlog.get_logger(__name__)
_HTTP_CODES = {
    400: ("bad_request", "Read the message and correct the request."),
    404: ("not_found", "Check the address; the routes are listed in /api/v1/openapi.json."),
    405: ("method_not_allowed", "The `Allow` header names the methods of this address."),
    413: ("too_large", "Send less at once."),
}


def problem_response(
    *,
    status: int,
    code: str,
    title: str,
    detail: str,
    request_id: str,
    hint: str = "",
    errors: list[ProblemItem] | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    problem = Problem(
        status=status, code=code, title=title, detail=detail, hint=hint, request_id=request_id, errors=errors or []
    )
    return Response(
        problem.model_dump_json(), status_code=status, media_type="application/problem+json", headers=headers
    )


def request_id_of(request: Request) -> str:
    return cast("str", request.scope.get("spillway_request_id", ""))


def install_problem_handlers(app: FastAPI) -> None:
    app.add_exception_handler(AppError, _answer_app_error)
    app.add_exception_handler(HTTPException, _answer_http_error)
    app.add_exception_handler(RequestValidationError, _answer_invalid_request)
    app.add_exception_handler(ClientDisconnect, _answer_nobody)


async def _answer_app_error(request: Request, error: Exception) -> Response:
    error = cast("AppError", error)
    return problem_response(
        status=error.status,
        code=error.code,
        title=error.title,
        detail=error.detail,
        hint=error.hint,
        errors=error.errors,
        headers=error.headers,
        request_id=request_id_of(request),
    )


async def _answer_http_error(request: Request, error: Exception) -> Response:
    error = cast("HTTPException", error)
    title = HTTPStatus(error.status_code).phrase
    code, hint = _HTTP_CODES.get(error.status_code, (title.lower().replace(" ", "_"), ""))
    said = "" if error.detail == title else f": {error.detail}"
    return problem_response(
        status=error.status_code,
        code=code,
        title=title,
        detail=f"{request.method} {request.url.path}{said}",
        hint=hint,
        headers=dict(error.headers or {}),
        request_id=request_id_of(request),
    )


async def _answer_invalid_request(request: Request, error: Exception) -> Response:
    items = [_item(issue) for issue in cast("RequestValidationError", error).errors()]
    return problem_response(
        status=422,
        code="invalid_request",
        title="The request cannot be understood",
        detail="; ".join(f"{item.pointer or 'the body'}: {item.message}" for item in items[:3]),
        hint="Correct the fields named in `errors`.",
        errors=items[:50],
        request_id=request_id_of(request),
    )


async def _answer_nobody(request: Request, _error: Exception) -> Response:
    """The caller went while it was sending; this ends the request without the alarm of a real failure."""
    return problem_response(
        status=400,
        code="broken_off",
        title="The request broke off",
        detail=f"{request.method} {request.url.path} ended before its body did; nothing of it was kept.",
        request_id=request_id_of(request),
    )


def internal_problem(scope: Scope, error: Exception) -> Response:
    """A failure of our own: logged in full, shown as a number to ask about. A full disk is told as such."""
    request_id = scope.get("spillway_request_id", "")
    if is_disk_full(error):
        _log.error("disk.full", path=scope["path"], request_id=request_id, error=str(error).partition("\n")[0])
        return _disk_full(scope, request_id)
    _log.error("request.failed", path=scope["path"], request_id=request_id, exc_info=error)
    return problem_response(
        status=500,
        code="internal",
        title="Spillway itself failed",
        detail="The request was not completed, and nothing of it was kept.",
        hint=f"Please report this with the service's log of request {request_id}.",
        request_id=request_id,
    )


def is_disk_full(error: BaseException) -> bool:
    """Whether a file or the database could not grow."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        return "disk is full" in str(error.orig) or getattr(error.orig, "sqlstate", None) == _POSTGRES_DISK_FULL
    return isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}


def _disk_full(scope: Scope, request_id: str) -> Response:
    folder = scope["app"].state.runtime.settings.data_dir
    free = format_bytes(shutil.disk_usage(folder).free)
    return problem_response(
        status=507,
        code="disk_full",
        title="A disk of the service is full",
        detail=f"There is no room for what the request brought, and nothing of it was kept; the disk of the service's "
        f"data folder has {free} free.",
        hint="Free space on the disk of the data folder or of the database, then send the request again.",
        request_id=request_id,
    )


def _item(issue: dict[str, Any]) -> ProblemItem:
    place, *rest = issue["loc"]
    path = "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in rest)
    if issue["type"] == "json_invalid":
        return ProblemItem(
            pointer="",
            code="not_json",
            message=f"not JSON at character {rest[0] if rest else 0}: {issue['ctx']['error']}",
            hint="Send one JSON object with `Content-Type: application/json`.",
        )
    if place == "body" and not rest:
        hint = "Send a JSON object with `Content-Type: application/json`."
    else:
        hint = _HINTS.get(issue["type"], "")
    pointer = f"/{path}" if place == "body" and rest else f"{place} {path}".strip() if place != "body" else ""
    return ProblemItem(pointer=pointer, code=issue["type"], message=_sentence(issue), hint=hint)


def _sentence(issue: dict[str, Any]) -> str:
    message: str = issue["msg"]
    given = issue.get("input")
    if isinstance(given, str | int | float | bool) and issue["type"] != "missing":
        return f"{message} (given: {str(given)[:80]!r})"
    return message


_HINTS = {
    "missing": "Add the field.",
    "extra_forbidden": "There is no such field; look for a typo, or leave it out.",
    "int_parsing": "Write a whole number.",
    "int_type": "Write a whole number.",
    "int_from_float": "Write a whole number.",
    "float_parsing": "Write a number.",
    "float_type": "Write a number.",
    "string_type": "Write text in quotes.",
    "bool_parsing": "Write true or false.",
}
