"""An API that obeys the internal interface, keeps what it is sent in memory, and can be away or refuse."""

import hashlib
import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from pydantic import ValidationError

from contracts.attempts import (
    ArtifactManifest,
    AttemptFinished,
    AttemptStarted,
    BoxRegistered,
    BoxState,
    Claim,
    EventBatch,
    EventsStored,
    Heartbeat,
    HeartbeatAnswer,
)
from contracts.events import AnyEvent, StepSpans
from contracts.problem import Problem
from contracts.wire import INTERNAL_PREFIX, LEASE_SECONDS, box_queue

TOKEN = "box-token-of-the-tests"
QUEUE = box_queue("box_1")


class ProblemError(Exception):
    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.problem = Problem(title=code, status=status, code=code, detail="as told by the test")


@dataclass
class StoredAttempt:
    claim: Claim
    fence: int
    started: list[AttemptStarted] = field(default_factory=list)
    heartbeats: list[float] = field(default_factory=list)
    events: list[AnyEvent] = field(default_factory=list)
    doubled_events: int = 0
    log: bytes = b""
    doubled_log_bytes: int = 0
    spans: dict[int, StepSpans] = field(default_factory=dict)
    manifest: ArtifactManifest | None = None
    finished: list[AttemptFinished] = field(default_factory=list)
    living_at_finish: list[int] = field(default_factory=list)
    is_cancel_requested: bool = False
    wanted_spans: list[int] = field(default_factory=list)

    @property
    def seqs(self) -> list[int]:
        return [event.seq for event in self.events]

    @property
    def steps(self) -> list[int]:
        return [event.step for event in self.events if event.kind == "step.completed"]


class FakeApi:
    def __init__(self, is_alive_check: Callable[[str], set[int]]) -> None:
        """`is_alive_check` is asked for an attempt's living processes when its end is reported."""
        self.attempts: dict[str, StoredAttempt] = {}
        self.datasets: dict[str, bytes] = {}
        self.files: dict[str, bytes] = {}
        self.boxes: list[BoxState] = []
        self.claim_polls: list[float] = []
        self.refusal: ProblemError | None = None
        self.answer_seconds = 0.0
        self.living = is_alive_check
        self.changed = threading.Condition()
        self._connections: set[socket.socket] = set()
        self._server: ThreadingHTTPServer | None = None
        self.port = 0
        self.come_back()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def come_back(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), _handler(self))
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def go_away(self) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()
        for connection in list(self._connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def grant(self, claim: Claim, dataset: bytes) -> StoredAttempt:
        with self.changed:
            self.datasets[claim.dataset.sha256] = dataset
            self.attempts[claim.attempt_id] = stored = StoredAttempt(claim, claim.fence)
        return stored

    def wait_for(self, condition: Callable[[], object], seconds: float = 20.0) -> None:
        with self.changed:
            assert self.changed.wait_for(condition, seconds), "the agent did not do it in time"

    # What follows is called by the handler, under the lock.

    def claim(self, state: BoxState) -> Claim | None:
        self.boxes.append(state)
        self.claim_polls.append(time.monotonic())
        waiting = (one for one in self.attempts.values() if not one.started and not one.finished)
        return next((one.claim for one in waiting), None)

    def current(self, attempt_id: str, fence: int) -> StoredAttempt:
        if attempt_id not in self.attempts:
            raise ProblemError(404, "not_found")
        stored = self.attempts[attempt_id]
        if stored.fence != fence:
            raise ProblemError(409, "stale_fence")
        return stored

    def store_events(self, attempt_id: str, batch: EventBatch) -> EventsStored:
        stored = self.current(attempt_id, batch.fence)
        for event in batch.events:
            if event.seq > len(stored.events) + 1:
                raise ProblemError(409, "event_gap")
            if event.seq <= len(stored.events):
                stored.doubled_events += 1
            else:
                stored.events.append(event)
        return EventsStored(last_seq=len(stored.events))

    def store_log(self, attempt_id: str, fence: int, offset: int, block: bytes) -> int:
        stored = self.current(attempt_id, fence)
        if offset > len(stored.log):
            raise ProblemError(409, "log_gap")
        assert len(block) <= 1 << 20
        stored.doubled_log_bytes += min(len(stored.log) - offset, len(block))
        stored.log += block[len(stored.log) - offset :]
        return len(stored.log)

    def store_manifest(self, attempt_id: str, manifest: ArtifactManifest) -> None:
        stored = self.current(attempt_id, manifest.fence)
        if any(file.sha256 not in self.files for file in manifest.files):
            raise ProblemError(409, "files_missing")
        stored.manifest = manifest

    def finish(self, attempt_id: str, finished: AttemptFinished) -> None:
        stored = self.current(attempt_id, finished.fence)
        stored.living_at_finish += sorted(self.living(attempt_id))
        stored.finished.append(finished)

    def answer(self, method: str, path: str, query: dict[str, int], body: bytes, token: str) -> tuple[int, bytes]:  # noqa: C901
        if token != TOKEN:
            raise ProblemError(401, "unauthenticated")
        if self.refusal is not None:
            raise self.refusal
        match method, path.removeprefix(INTERNAL_PREFIX).strip("/").split("/"):
            case "PUT", ["box"]:
                self.boxes.append(BoxState.model_validate_json(body))
                return 200, _json(BoxRegistered(box_id="box_1", queue=QUEUE, lease_seconds=LEASE_SECONDS))
            case "POST", ["claims"]:
                claim = self.claim(BoxState.model_validate_json(body))
                return (204, b"") if claim is None else (200, _json(claim))
            case "GET", ["datasets", sha256] if sha256 in self.datasets:
                return 200, self.datasets[sha256]
            case "POST", ["attempts", name, "started"]:
                started = AttemptStarted.model_validate_json(body)
                self.current(name, started.fence).started.append(started)
                return 204, b""
            case "POST", ["attempts", name, "heartbeat"]:
                stored = self.current(name, Heartbeat.model_validate_json(body).fence)
                stored.heartbeats.append(time.monotonic())
                return 200, _json(
                    HeartbeatAnswer(cancel_requested=stored.is_cancel_requested, wanted_spans=stored.wanted_spans)
                )
            case "POST", ["attempts", name, "events"]:
                return 200, _json(self.store_events(name, EventBatch.model_validate_json(body)))
            case "PUT", ["attempts", name, "log"]:
                size = self.store_log(name, query["fence"], query["offset"], body)
                return 200, json.dumps({"size": size}).encode()
            case "PUT", ["attempts", name, "spans", step]:
                self.current(name, query["fence"]).spans[int(step)] = StepSpans.model_validate_json(body)
                return 204, b""
            case "HEAD", ["attempts", _, "files", sha256]:
                return (200 if sha256 in self.files else 404), b""
            case "PUT", ["attempts", name, "files", sha256]:
                self.current(name, query["fence"])
                if hashlib.sha256(body).hexdigest() != sha256:
                    raise ProblemError(422, "hash_mismatch")
                self.files[sha256] = body
                return 204, b""
            case "POST", ["attempts", name, "artifacts"]:
                self.store_manifest(name, ArtifactManifest.model_validate_json(body))
                return 204, b""
            case "POST", ["attempts", name, "finish"]:
                self.finish(name, AttemptFinished.model_validate_json(body))
                return 204, b""
        raise ProblemError(404, "not_found")

    def opened(self, connection: socket.socket) -> None:
        self._connections.add(connection)

    def closed(self, connection: socket.socket) -> None:
        self._connections.discard(connection)


def _json(contract: object) -> bytes:
    return contract.model_dump_json().encode()  # type: ignore[attr-defined, no-any-return]


def _handler(api: FakeApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            api.opened(self.connection)

        def finish(self) -> None:
            super().finish()
            api.closed(self.connection)

        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            address = urlsplit(self.path)
            query = {name: int(values[0]) for name, values in parse_qs(address.query).items()}
            time.sleep(api.answer_seconds)
            with api.changed:
                try:
                    token = self.headers.get("Authorization", "").removeprefix("Bearer ")
                    status, content = api.answer(self.command, address.path, query, body, token)
                except ProblemError as error:
                    status, content = error.problem.status, _json(error.problem)
                except ValidationError as error:
                    status, content = 422, json.dumps({"unreadable": str(error)}).encode()
                api.changed.notify_all()
            self.send_response(status)
            self.send_header("Content-Length", str(0 if self.command == "HEAD" else len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        do_GET = do_PUT = do_POST = do_HEAD = handle_any  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

        def handle(self) -> None:
            try:
                super().handle()
            except (ConnectionError, ValueError):
                # Cut by go_away.
                self.close_connection = True

    return Handler
