"""RFC 9457 problem details, the one shape of an error."""

from pydantic import Field

from contracts.base import Contract


class ProblemItem(Contract):
    """One thing wrong with what was sent."""

    pointer: str
    """JSON pointer into the body, or `line 12, field output` for a dataset."""
    code: str
    message: str
    hint: str = ""


class Problem(Contract):
    type: str = "about:blank"
    title: str
    status: int
    code: str
    """Stable, for programs."""
    detail: str
    """The numbers, for people."""
    hint: str = ""
    """The next step."""
    request_id: str = ""
    errors: list[ProblemItem] = Field(default=[])
