"""Receiving a dataset: to disk and through the line check, before any database session is opened."""

from collections.abc import AsyncIterator

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from backend.blobs.store import Part
from backend.datasets.line_check import BYTE_ORDER_MARK, LineCheck
from backend.datasets.received import ReceivedDataset
from backend.dependencies import Current
from backend.errors import InvalidRequestError, TooLargeError
from contracts.problem import ProblemItem


class DatasetInvalidError(InvalidRequestError):
    def __init__(self, problems: list[ProblemItem]) -> None:
        super().__init__(
            code="dataset_invalid",
            title="The dataset cannot be used",
            detail=problems[0].message + (f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""),
            hint="Correct the lines named in `errors` and upload the file again; nothing was kept.",
            errors=problems,
        )


async def receive_dataset(request: Request, runtime: Current) -> AsyncIterator[ReceivedDataset]:
    """Raises DatasetInvalidError, TooLargeError; whatever happens, nothing half-made stays."""
    limit_bytes = runtime.settings.max_dataset_bytes
    announced = request.headers.get("content-length", "0")
    if announced.isdigit() and int(announced) > limit_bytes:
        raise TooLargeError(what="dataset", limit_bytes=limit_bytes)
    part = runtime.blobs.new_part()
    try:
        check = LineCheck()
        async for piece in _without_mark(request):
            if part.num_bytes + len(piece) > limit_bytes:
                raise TooLargeError(what="dataset", limit_bytes=limit_bytes)
            await run_in_threadpool(_take, part, check, piece)
        await run_in_threadpool(check.finish)
        if check.problems:
            raise DatasetInvalidError(check.problems)
        sha256 = await run_in_threadpool(part.seal)
        yield ReceivedDataset(part=part, sha256=sha256, num_rows=check.num_rows)
    finally:
        part.discard()


def _take(part: Part, check: LineCheck, piece: bytes) -> None:
    part.write(piece)
    check.feed(piece)


async def _without_mark(request: Request) -> AsyncIterator[bytes]:
    """The body without a byte order mark: some editors write one, and no reader of rows expects it."""
    head = b""
    is_past_head = False
    async for piece in request.stream():
        if is_past_head:
            yield piece
            continue
        head += piece
        if len(head) >= len(BYTE_ORDER_MARK):
            is_past_head = True
            yield head.removeprefix(BYTE_ORDER_MARK)
    if not is_past_head:
        yield head
