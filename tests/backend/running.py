"""The API inside the test process: a real uvicorn on a real port, with a clock that tests move."""

import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from backend.app import create_app
from backend.server import listen, prepare
from backend.settings import Settings
from tests.services import wait_until

PASSWORD = "correct horse battery"
ROWS = b"".join(b'{"instruction": "What is %d?", "output": "A number."}\n' % number for number in range(20))


class TestClock:
    """Real time plus what a test adds."""

    __test__ = False

    def __init__(self) -> None:
        self._ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self._ahead

    def advance(self, seconds: float) -> None:
        self._ahead += timedelta(seconds=seconds)


@dataclass(kw_only=True)
class RunningApi:
    url: str
    clock: TestClock
    data_dir: Path
    setup_code: str
    server: uvicorn.Server
    thread: threading.Thread
    runtime: Any

    def client(self, token: str | None = None, **options: Any) -> httpx.Client:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(base_url=f"{self.url}/api/v1", headers=headers, timeout=20, trust_env=False, **options)

    def admin(self) -> httpx.Client:
        """A client with an API token, as a script has it: set up, signed in, token made."""
        with self.client() as browser:
            body = {"code": self.setup_code, "username": "ada", "password": PASSWORD}
            assert browser.post("/setup", json=body).status_code == 201
            answer = browser.post("/tokens", json={"name": "test"}, headers={"X-Spillway-CSRF": "1"})
            assert answer.status_code == 201, answer.text
        return self.client(answer.json()["token"])

    @property
    def box_token(self) -> str:
        return (self.data_dir / "box-token").read_text().strip()

    def stop(self) -> None:
        # What the signal handler does in a process of its own.
        self.runtime.end_streams()
        self.server.should_exit = True
        self.thread.join(20)
        assert not self.thread.is_alive(), "the server did not end"


def run_api(settings: Settings) -> RunningApi:
    clock = TestClock()
    prepared = prepare(settings, clock=clock)
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(
        uvicorn.Config(create_app(prepared.runtime), log_config=None, access_log=False, timeout_graceful_shutdown=5)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    wait_until(lambda: server.started, "uvicorn listens")
    return RunningApi(
        url=f"http://127.0.0.1:{listener.getsockname()[1]}",
        clock=clock,
        data_dir=settings.data_dir,
        setup_code=prepared.setup_code or "",
        server=server,
        thread=thread,
        runtime=prepared.runtime,
    )
