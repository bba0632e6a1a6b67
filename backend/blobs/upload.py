"""Receiving a file whose hash was announced."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import Path, Request
from fastapi.concurrency import run_in_threadpool

from backend.blobs.store import BlobStore, Part
from backend.dependencies import Current
from backend.errors import InvalidRequestError

Sha256 = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReceivedBlob:
    """A file that arrived whole. Without a part it was stored before."""

    sha256: str
    part: Part | None

    def keep(self, blobs: BlobStore) -> None:
        if self.part is not None:
            blobs.keep(self.part, self.sha256)


async def receive_blob(sha256: Sha256, request: Request, runtime: Current) -> AsyncIterator[ReceivedBlob]:
    """Stream the body to disk and check its hash, before any database session is opened."""
    if runtime.blobs.has(sha256):
        yield ReceivedBlob(sha256=sha256, part=None)
        return
    part = runtime.blobs.new_part()
    try:
        async for piece in request.stream():
            await run_in_threadpool(part.write, piece)
        found = await run_in_threadpool(part.seal)
        if found != sha256:
            raise InvalidRequestError(
                code="hash_mismatch",
                title="The content does not match its hash",
                detail=f"{part.num_bytes} bytes arrived with sha256 {found}, announced was {sha256}.",
                hint="Send the file again.",
                errors=[],
            )
        yield ReceivedBlob(sha256=sha256, part=part)
    finally:
        part.discard()
