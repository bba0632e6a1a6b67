"""The dashboard's files: the page at every address of its own, long caching for what never changes."""

from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from backend.page import Page
from backend.problems import install_problem_handlers


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def get(folder: Path, path: str, method: str = "GET") -> httpx.Response:
    app = FastAPI()
    app.router.default = Page(folder)
    install_problem_handlers(app)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://box") as client:
        return await client.request(method, path)


@pytest.mark.anyio
async def test_files_page_and_nothing_outside(tmp_path: Path) -> None:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    unbuilt = await get(static, "/")
    assert (unbuilt.status_code, "make page" in unbuilt.text) == (200, True)
    (static / "index.html").write_text("<title>the page</title>")
    (static / "assets/app-1a2b.js").write_text("run()")
    (tmp_path / "secret").write_text("nobody reads this")
    for path in ("/", "/jobs/job_x", "/setup"):
        page = await get(static, path)
        assert (page.status_code, page.text, page.headers["cache-control"]) == (
            200,
            "<title>the page</title>",
            "no-cache",
        )
    script = await get(static, "/assets/app-1a2b.js")
    assert "immutable" in script.headers["cache-control"]
    assert (await get(static, "/assets/app-gone.js")).status_code == 404, "an old page must not get HTML for a script"
    for path in ("/%2e%2e/secret", "/assets/%2e%2e/%2e%2e/secret", "/%00"):
        assert "nobody" not in (await get(static, path)).text
    for path in ("/api/v1/nowhere", "/internal/v1/nowhere", "/api"):
        assert (await get(static, path)).json()["code"] == "not_found"
    assert (await get(static, "/" + "a" * 300)).text == "<title>the page</title>", "longer than any file's name"
    assert (await get(static, "/", "POST")).status_code == 405
