"""The dashboard's built files. What is neither route nor file is the page itself: it routes on its own."""

from pathlib import Path

from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

STATIC_FOLDER = Path(__file__).parent / "static"
_NOT_BUILT = """Spillway's API is running, but its page is not built.

From a clone, run `make page` once and reload. The API itself is at /api/v1.
"""


class Page:
    """What no route answers: the page, except below /api and /internal, where it is a plain 404."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].split("/")[1:2] in (["api"], ["internal"]) or "\0" in scope["path"]:
            raise HTTPException(status_code=404)
        if scope["method"] not in {"GET", "HEAD"}:
            raise HTTPException(status_code=405, headers={"Allow": "GET, HEAD"})
        response = await run_in_threadpool(self._answer, scope["path"].removeprefix("/"))
        await response(scope, receive, send)

    def _answer(self, path: str) -> Response:
        page = self._folder / "index.html"
        if not page.is_file():
            return PlainTextResponse(_NOT_BUILT, status_code=404 if path else 200)
        if (file := self._find(path)) is not None:
            # Names below assets/ carry a hash of their content.
            caching = "public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"
            return FileResponse(file, headers={"Cache-Control": caching})
        if path.startswith("assets/"):
            raise HTTPException(status_code=404)
        return FileResponse(page, headers={"Cache-Control": "no-cache"})

    def _find(self, path: str) -> Path | None:
        try:
            file = (self._folder / path).resolve()
            return file if file.is_relative_to(self._folder) and file.is_file() else None
        except OSError:
            # Longer than any file's name.
            return None
