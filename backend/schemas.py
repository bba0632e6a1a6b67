"""The shapes every list answer shares."""

from typing import Annotated, Generic, TypeVar

from fastapi import Path, Query

from contracts.base import Contract

Item = TypeVar("Item")
DEFAULT_LIMIT = 50
MAX_INTEGER = 2**53
"""Every reader of JSON holds it exactly, every database has room for it."""
Limit = Annotated[int, Query(ge=1, le=200, description="How many items at most.")]
Cursor = Annotated[str | None, Query(max_length=100, description="`next_cursor` of the page before.")]


Step = Annotated[int, Path(ge=1, le=MAX_INTEGER)]


class Page(Contract, Generic[Item]):
    items: list[Item]
    next_cursor: str | None = None
    """Give it back as `cursor` for the next page; null: this was the last one."""
