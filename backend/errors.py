"""Errors with a status, a stable code, the numbers and the next step."""

from collections.abc import Mapping, Sequence

from contracts.problem import ProblemItem


class AppError(Exception):
    """What a caller can act on; becomes `application/problem+json`."""

    def __init__(
        self,
        *,
        status: int,
        code: str,
        title: str,
        detail: str,
        hint: str = "",
        errors: Sequence[ProblemItem] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.hint = hint
        self.errors = list(errors)
        self.headers = dict(headers or {})


class NotFoundError(AppError):
    def __init__(self, *, what: str, identifier: str) -> None:
        super().__init__(
            status=404,
            code="not_found",
            title="Not found",
            detail=f"There is no {what} {identifier!r} in this project.",
            hint=f"List what there is and use an id or name from it; a {what} of another project is not shown.",
        )


class ForbiddenError(AppError):
    def __init__(self, *, action: str, role: str) -> None:
        super().__init__(
            status=403,
            code="forbidden",
            title="Not allowed",
            detail=f"The role '{role}' may not {action.replace('_', ' ')} here.",
            hint="Ask an admin of the project for a role that may.",
        )


class UnauthenticatedError(AppError):
    def __init__(self, *, detail: str) -> None:
        super().__init__(
            status=401,
            code="unauthenticated",
            title="Not signed in",
            detail=detail,
            hint="Sign in, or send `Authorization: Bearer spw_...` with a token that is neither revoked nor expired.",
            headers={"WWW-Authenticate": "Bearer"},
        )


class InvalidRequestError(AppError):
    """What was sent is well-formed but cannot be used; each item says where and what to do."""

    def __init__(self, *, code: str, title: str, detail: str, errors: Sequence[ProblemItem], hint: str = "") -> None:
        super().__init__(status=422, code=code, title=title, detail=detail, hint=hint, errors=errors)


class ConflictError(AppError):
    def __init__(self, *, code: str, title: str, detail: str, hint: str = "") -> None:
        super().__init__(status=409, code=code, title=title, detail=detail, hint=hint)


class TooLargeError(AppError):
    def __init__(self, *, what: str, limit_bytes: int) -> None:
        super().__init__(
            status=413,
            code="too_large",
            title="Too large",
            detail=f"The {what} is larger than the limit of {limit_bytes} bytes.",
            hint="Send less at once, or let an admin raise the limit.",
        )
