"""A thin typed client of the public REST API."""

import hashlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
from pydantic import ValidationError

from contracts.attempts import ModelSource
from contracts.job import JobSpec, JobState
from contracts.problem import Problem
from contracts.wire import API_PREFIX
from spillway.errors import ApiError, ServerUnreachableError, SpillwayError
from spillway.event_stream import follow
from spillway.responses import (
    ArtifactItem,
    ArtifactList,
    DatasetRead,
    EventPage,
    Health,
    JobRead,
    JobSnapshot,
    JobSummary,
    ModelRead,
    Page,
    PlanRead,
    Response,
    StoredEvent,
    TokenCreated,
    TokenRead,
)

Progress = Callable[[int, int], None]
"""Called with bytes done and bytes in all."""
Answer = TypeVar("Answer", bound=Response)

_BLOCK_BYTES = 1 << 20
_SUBMIT_TRIES = 3


class SpillwayClient:
    """One server, one token. Every call blocks.

    Raises ApiError when the server refuses, ServerUnreachableError when nobody answers.
    """

    def __init__(self, url: str, token: str, *, timeout_seconds: float = 60.0) -> None:
        self.url = url.rstrip("/")
        self._http = httpx.Client(
            base_url=self.url + API_PREFIX,
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=httpx.Timeout(timeout_seconds, connect=5.0),
            # The server's own address only: a proxy from the environment has no business with loopback.
            trust_env=not self.url.startswith(("http://127.", "http://localhost", "http://[::1]")),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._http.close()

    def health(self) -> Health:
        """Also when it is degraded."""
        answer = self._send("GET", "/health", accept={503})
        return Health.model_validate_json(answer.content)

    # models

    def add_model(self, name: str, source: ModelSource) -> ModelRead:
        return self._ask("POST", "/models", ModelRead, json={"name": name, "source": source.model_dump(mode="json")})

    def models(self) -> Iterator[ModelRead]:
        return self._pages("/models", ModelRead)

    # datasets

    def add_dataset(self, name: str, path: Path, progress: Progress | None = None) -> DatasetRead:
        """Upload a JSONL file. The same content again answers the dataset that is there."""
        num_bytes = path.stat().st_size
        return self._ask(
            "POST",
            "/datasets",
            DatasetRead,
            params={"name": name},
            content=_read_blocks(path, num_bytes, progress),
            headers={"Content-Type": "application/x-ndjson", "Content-Length": str(num_bytes)},
        )

    def datasets(self) -> Iterator[DatasetRead]:
        return self._pages("/datasets", DatasetRead)

    # jobs

    def submit_job(self, spec: JobSpec, idempotency_key: str) -> JobRead:
        """Safe to repeat with the same key: a lost answer is asked for again, and no second job is made."""
        body = spec.model_dump(mode="json")
        for tries_left in reversed(range(_SUBMIT_TRIES)):
            try:
                return self._ask("POST", "/jobs", JobRead, json=body, headers={"Idempotency-Key": idempotency_key})
            except ServerUnreachableError:
                if not tries_left:
                    raise
                time.sleep(1.0)
        raise AssertionError

    def plan_job(self, spec: JobSpec) -> PlanRead:
        return self._ask("POST", "/jobs/plan", PlanRead, json=spec.model_dump(mode="json"))

    def jobs(self, state: JobState | None = None) -> Iterator[JobSummary]:
        """Newest first."""
        return self._pages("/jobs", JobSummary, {"state": state.value} if state else {})

    def job(self, job_id: str) -> JobRead:
        return self._ask("GET", f"/jobs/{job_id}", JobRead)

    def snapshot(self, job_id: str) -> JobSnapshot:
        return self._ask("GET", f"/jobs/{job_id}/snapshot", JobSnapshot)

    def cancel_job(self, job_id: str) -> JobRead:
        """Ask for it; the job is `cancelled` once its processes are gone."""
        return self._ask("POST", f"/jobs/{job_id}/cancel", JobRead)

    # events and logs

    def events(self, job_id: str, after: int = 0, limit: int = 500) -> EventPage:
        return self._ask("GET", f"/jobs/{job_id}/events", EventPage, params={"after": after, "limit": limit})

    def follow_events(
        self, job_id: str, after: int = 0, on_disconnect: Callable[[Exception], None] | None = None
    ) -> Iterator[StoredEvent]:
        """Every event after `after`, each once and in order, until the job is final. Reconnects by itself, for ever."""
        return follow(self._http, job_id, after, on_disconnect)

    def read_log(self, job_id: str, attempt_id: str, offset: int) -> bytes:
        """What the attempt's log holds from `offset` on; empty when there is nothing yet."""
        answer = self._send(
            "GET",
            f"/jobs/{job_id}/log",
            params={"attempt_id": attempt_id},
            headers={"Range": f"bytes={offset}-"},
            accept={416},
        )
        if answer.status_code == httpx.codes.PARTIAL_CONTENT:
            return answer.content
        return answer.content[offset:] if answer.is_success else b""

    # artifacts

    def artifacts(self, job_id: str) -> ArtifactList:
        return self._ask("GET", f"/jobs/{job_id}/artifacts", ArtifactList)

    def download_artifact(
        self, job_id: str, item: ArtifactItem, folder: Path, progress: Progress | None = None
    ) -> Path:
        """Fetch one file below `folder` and check its hash; a file that is there with this hash is kept."""
        target = folder / item.name
        if not target.resolve().is_relative_to(folder.resolve()):
            raise SpillwayError(f"The server named a file outside the folder: {item.name!r}.")
        if target.is_file() and target.stat().st_size == item.num_bytes and _sha256(target) == item.sha256:
            return target
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{target.name}.part")
        digest = hashlib.sha256()
        try:
            with part.open("wb") as file, self._http.stream("GET", f"/jobs/{job_id}/artifacts/{item.name}") as answer:
                if not answer.is_success:
                    answer.read()
                    raise ApiError(_problem(answer))
                done = 0
                for block in answer.iter_bytes(_BLOCK_BYTES):
                    file.write(block)
                    digest.update(block)
                    done += len(block)
                    if progress:
                        progress(done, item.num_bytes)
            if digest.hexdigest() != item.sha256:
                raise SpillwayError(
                    f"{item.name} arrived damaged: its SHA-256 is {digest.hexdigest()}, not {item.sha256}.",
                    hint="Run the command again; if it happens twice, look at the server's disk.",
                )
            # Renamed only when whole: a broken download leaves no file that looks finished.
            part.replace(target)
        except httpx.TransportError as error:
            raise ServerUnreachableError(self.url, error) from error
        finally:
            part.unlink(missing_ok=True)
        return target

    # tokens

    def create_token(self, name: str, expires_in_days: int | None) -> TokenCreated:
        return self._ask("POST", "/tokens", TokenCreated, json={"name": name, "expires_in_days": expires_in_days})

    def tokens(self) -> Iterator[TokenRead]:
        return self._pages("/tokens", TokenRead)

    def revoke_token(self, token_id: str) -> None:
        self._send("DELETE", f"/tokens/{token_id}")

    def _ask(self, method: str, path: str, shape: type[Answer], **kwargs: Any) -> Answer:
        answer = self._send(method, path, **kwargs)
        try:
            return shape.model_validate_json(answer.content)
        except ValidationError as error:
            raise SpillwayError(
                f"{self.url} answered {method} {path} in a shape this version does not know.",
                hint="Use the same version of Spillway on both sides.",
                details=tuple(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()[:5]),
            ) from error

    def _pages(self, path: str, shape: type[Answer], params: dict[str, str] | None = None) -> Iterator[Answer]:
        query: dict[str, str] = {"limit": "100", **(params or {})}
        while True:
            page = self._ask("GET", path, Page[shape], params=query)  # type: ignore[valid-type]
            yield from page.items
            if page.next_cursor is None:
                return
            query["cursor"] = page.next_cursor

    def _send(
        self, method: str, path: str, *, accept: frozenset[int] | set[int] = frozenset(), **kwargs: Any
    ) -> httpx.Response:
        try:
            answer = self._http.request(method, path, **kwargs)
        except httpx.TransportError as error:
            raise ServerUnreachableError(self.url, error) from error
        if not answer.is_success and answer.status_code not in accept:
            raise ApiError(_problem(answer))
        return answer


def _problem(answer: httpx.Response) -> Problem:
    try:
        return Problem.model_validate_json(answer.content)
    except ValidationError:
        # Not our server's shape: a proxy, or another program on the port.
        return Problem(
            title=f"HTTP {answer.status_code} {answer.reason_phrase}",
            status=answer.status_code,
            code="not_a_problem",
            detail=answer.text[:300],
            hint="Check that the address is a Spillway server.",
        )


def _read_blocks(path: Path, num_bytes: int, progress: Progress | None) -> Iterator[bytes]:
    done = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            yield block
            done += len(block)
            if progress:
                progress(done, num_bytes)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
