"""What a person did wrong or what went wrong, in one message with the next step; never a traceback."""

from contracts.problem import Problem

FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130


class SpillwayError(Exception):
    """Ends a command with one message. `exit_code`: BAD_INPUT when what was typed or sent is wrong, else FAILED."""

    def __init__(self, message: str, *, hint: str = "", exit_code: int = FAILED, details: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.exit_code = exit_code
        self.details = details


class BadInputError(SpillwayError):
    """What was typed, or a file that was named, cannot be used."""

    def __init__(self, message: str, *, hint: str = "", details: tuple[str, ...] = ()) -> None:
        super().__init__(message, hint=hint, exit_code=BAD_INPUT, details=details)


class ServerUnreachableError(SpillwayError):
    """No answer from the server's address."""

    def __init__(self, url: str, cause: Exception) -> None:
        super().__init__(
            f"No answer from {url} ({cause}).",
            hint="Start it with `spillway up`, or name another server by --url or SPILLWAY_URL.",
        )


class ApiError(SpillwayError):
    """The server refused; `problem` is what it said."""

    def __init__(self, problem: Problem) -> None:
        is_callers_fault = problem.status in {400, 404, 409, 410, 413, 415, 416, 422}
        super().__init__(
            f"{problem.title}: {problem.detail}" if problem.detail else problem.title,
            hint=problem.hint,
            exit_code=BAD_INPUT if is_callers_fault else FAILED,
            details=tuple(_item_text(item.pointer, item.message, item.hint) for item in problem.errors),
        )
        self.problem = problem


def _item_text(pointer: str, message: str, hint: str) -> str:
    where = "" if not pointer or message.startswith(pointer) else f"{pointer}: "
    return f"{where}{message}" + (f" ({hint})" if hint else "")
