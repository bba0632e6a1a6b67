"""The internal REST interface of the API, as calls that return contracts or raise one of four errors."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import httpx
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
from contracts.base import Contract
from contracts.events import StepSpans
from contracts.problem import Problem
from contracts.wire import INTERNAL_PREFIX
from worker.reach import Reach

_TIMEOUT = httpx.Timeout(15.0, connect=5.0)
_UPLOAD_TIMEOUT = httpx.Timeout(60.0, connect=5.0)
_GAPS = frozenset({"event_gap", "log_gap"})
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_JSON = {"Content-Type": "application/json"}
_BYTES = {"Content-Type": "application/octet-stream"}
_BLOCK_BYTES = 1 << 20
_NO_CONTENT = 204
_NOT_FOUND = 404
_RETRYABLE = frozenset({408, 425, 429})


class UnreachableError(Exception):
    """No answer, or one that says "later". The same call may succeed when repeated."""


class RefusedError(Exception):
    """An answer that repeating will not change."""

    def __init__(self, status: int, code: str, detail: str, hint: str = "") -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.hint = hint


class StaleFenceError(RefusedError):
    """Another attempt has taken over: stop, and write no more."""


class GapError(RefusedError):
    """The API holds less than we thought; ask it how much."""


class ControlPlane:
    """Safe to share between threads. Every call blocks for at most a minute."""

    def __init__(self, url: str, box_token: str, reach: Reach) -> None:
        self._reach = reach
        base = httpx.URL(url)
        self._client = httpx.Client(
            base_url=base.copy_with(path=base.path.rstrip("/") + INTERNAL_PREFIX),
            headers={"Authorization": f"Bearer {box_token}"},
            timeout=_TIMEOUT,
            # A proxy for the outside world must not swallow calls to this machine.
            trust_env=base.host not in _LOOPBACK,
        )

    def register(self, state: BoxState) -> BoxRegistered:
        return BoxRegistered.model_validate_json(self._send("PUT", "/box", state).content)

    def claim(self, state: BoxState) -> Claim | None:
        answer = self._send("POST", "/claims", state)
        return None if answer.status_code == _NO_CONTENT else Claim.model_validate_json(answer.content)

    @contextmanager
    def dataset(self, sha256: str) -> Iterator[Iterator[bytes]]:
        """The bytes in blocks, unchecked."""
        with self._reaching(), self._client.stream("GET", f"/datasets/{sha256}") as answer:
            if answer.is_error:
                answer.read()
            _raise_unless_good(answer)
            yield answer.iter_bytes(_BLOCK_BYTES)

    def started(self, attempt_id: str, started: AttemptStarted) -> None:
        self._send("POST", f"/attempts/{attempt_id}/started", started)

    def heartbeat(self, attempt_id: str, fence: int) -> HeartbeatAnswer:
        """Raises StaleFenceError also for an attempt the API does not know: nobody would ever take its result."""
        try:
            answer = self._send("POST", f"/attempts/{attempt_id}/heartbeat", Heartbeat(fence=fence))
        except RefusedError as error:
            if error.code == "not_found":
                raise StaleFenceError(error.status, error.code, str(error)) from error
            raise
        return HeartbeatAnswer.model_validate_json(answer.content)

    def store_events(self, attempt_id: str, batch: EventBatch) -> int:
        """The last seq stored. An empty batch only asks for it. Raises GapError."""
        answer = self._send("POST", f"/attempts/{attempt_id}/events", batch)
        return EventsStored.model_validate_json(answer.content).last_seq

    def store_log(self, attempt_id: str, fence: int, offset: int, block: bytes) -> int:
        """The size stored. An empty block at 0 only asks for it. Raises GapError."""
        params = {"offset": offset, "fence": fence}
        answer = self._send("PUT", f"/attempts/{attempt_id}/log", block, params=params)
        return int(answer.json()["size"])

    def store_spans(self, attempt_id: str, fence: int, spans: StepSpans) -> None:
        self._send("PUT", f"/attempts/{attempt_id}/spans/{spans.step}", spans, params={"fence": fence})

    def has_file(self, attempt_id: str, fence: int, sha256: str) -> bool:
        try:
            self._send("HEAD", f"/attempts/{attempt_id}/files/{sha256}", params={"fence": fence})
        except RefusedError as error:
            if error.status != _NOT_FOUND:
                raise
            return False
        return True

    def store_file(self, attempt_id: str, fence: int, sha256: str, file: Path, check: Callable[[], None]) -> None:
        """`check` is called between blocks and may raise to break off; a file may take minutes."""
        with file.open("rb") as content:
            self._send(
                "PUT", f"/attempts/{attempt_id}/files/{sha256}", _blocks(content, check), params={"fence": fence},
                headers={"Content-Length": str(file.stat().st_size)}, timeout=_UPLOAD_TIMEOUT,
            )  # fmt: skip

    def store_manifest(self, attempt_id: str, manifest: ArtifactManifest) -> None:
        self._send("POST", f"/attempts/{attempt_id}/artifacts", manifest)

    def finish(self, attempt_id: str, finished: AttemptFinished) -> None:
        self._send("POST", f"/attempts/{attempt_id}/finish", finished)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def _send(
        self,
        method: str,
        path: str,
        body: Contract | bytes | Iterator[bytes] | None = None,
        *,
        params: Mapping[str, int] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: httpx.Timeout = _TIMEOUT,
    ) -> httpx.Response:
        is_contract = isinstance(body, Contract)
        content = body.model_dump_json().encode() if isinstance(body, Contract) else body
        with self._reaching():
            answer = self._client.request(
                method, path, content=content, params=params, timeout=timeout,
                headers={**(_JSON if is_contract else _BYTES if body is not None else {}), **(headers or {})},
            )  # fmt: skip
            _raise_unless_good(answer)
        return answer

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        try:
            yield
        except httpx.TransportError as error:
            self._reach.lost(f"{type(error).__name__}: {error}")
            raise UnreachableError(f"{type(error).__name__}: {error}") from error
        except UnreachableError as error:
            self._reach.lost(str(error))
            raise
        self._reach.found()


def _blocks(file: BinaryIO, check: Callable[[], None]) -> Iterator[bytes]:
    while block := file.read(_BLOCK_BYTES):
        check()
        yield block


def _raise_unless_good(answer: httpx.Response) -> None:
    if answer.is_success:
        return
    problem = _read_problem(answer)
    if answer.is_server_error or answer.status_code in _RETRYABLE:
        raise UnreachableError(f"{answer.status_code} {problem.code}: {problem.detail}")
    kind = StaleFenceError if problem.code == "stale_fence" else GapError if problem.code in _GAPS else RefusedError
    raise kind(answer.status_code, problem.code, problem.detail, problem.hint)


def _read_problem(answer: httpx.Response) -> Problem:
    try:
        return Problem.model_validate_json(answer.content)
    except ValidationError:
        # A proxy's page, or the empty answer to HEAD.
        reason = answer.reason_phrase
        return Problem(title=reason, status=answer.status_code, code="no_problem_document", detail=reason)
