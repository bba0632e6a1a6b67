"""A box's agent as the API sees it: speaks the internal routes, runs nothing."""

import hashlib
from datetime import UTC, datetime
from typing import Any, Self

import httpx

from contracts.attempts import Claim

GIB = 2**30


def box_state(name: str = "box-1", **changes: Any) -> dict[str, Any]:
    return {
        "name": name,
        "boot_id": "boot-1",
        "host_ram_bytes": 64 * GIB,
        "host_ram_available_bytes": 48 * GIB,
        "cpu_cores": 2,
        "nvme": [{"path": "/nvme", "total_bytes": 500 * GIB, "free_bytes": 400 * GIB, "filesystem": "ext4"}],
        "agent_version": "0.1.0",
    } | changes


class FakeAgent:
    def __init__(self, url: str, box_token: str, name: str = "box-1", **state: Any) -> None:
        self.state = box_state(name, **state)
        self.http = httpx.Client(
            base_url=f"{url}/internal/v1",
            headers={"Authorization": f"Bearer {box_token}"},
            timeout=20,
            trust_env=False,
        )

    def register(self) -> dict[str, Any]:
        answer = self.http.put("/box", json=self.state)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def claim(self) -> "FakeAttempt | None":
        answer = self.http.post("/claims", json=self.state)
        if answer.status_code == 204:
            return None
        assert answer.status_code == 200, answer.text
        return FakeAttempt(self.http, Claim.model_validate_json(answer.content))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()


class FakeAttempt:
    def __init__(self, http: httpx.Client, claim: Claim) -> None:
        self.http = http
        self.claim = claim
        self.seq = 0
        self.path = f"/attempts/{claim.attempt_id}"

    def post(self, what: str, **body: Any) -> httpx.Response:
        return self.http.post(f"{self.path}/{what}", json={"fence": self.claim.fence} | body)

    def started(self) -> httpx.Response:
        process = {"pid": 4711, "start_ticks": 1, "boot_id": "boot-1"}
        return self.post("started", shim=process, training=process)

    def heartbeat(self) -> httpx.Response:
        return self.post("heartbeat")

    def event(self, kind: str, **fields: Any) -> dict[str, Any]:
        self.seq += 1
        return {"kind": kind, "seq": self.seq, "time": datetime.now(UTC).isoformat()} | fields

    def phase(self, phase: str) -> dict[str, Any]:
        return self.event("phase.changed", phase=phase)

    def step(self, step: int, loss: float | None = 2.0) -> dict[str, Any]:
        return self.event(
            "step.completed",
            step=step,
            loss=loss,
            finite=loss is not None,
            learning_rate=1e-5,
            grad_norm=None if loss is None else 1.0,
            step_seconds=0.5,
            tokens=512,
            tokens_per_second=1024.0,
            overlap_share=0.75,
            stall_seconds={"nvme_read": 0.1, "nvme_write": 0.0, "update": 0.05},
            read_bytes=1000,
            written_bytes=1000,
            occupancy_bytes={"device": 0, "host": 100, "nvme": 1000},
            rss_bytes=10**9,
        )

    def send(self, *events: dict[str, Any]) -> httpx.Response:
        return self.post("events", events=list(events))

    def log(self, offset: int, piece: bytes) -> httpx.Response:
        params = {"offset": offset, "fence": self.claim.fence}
        return self.http.put(f"{self.path}/log", params=params, content=piece)

    def upload(self, content: bytes, sha256: str | None = None) -> httpx.Response:
        digest = sha256 or hashlib.sha256(content).hexdigest()
        return self.http.put(f"{self.path}/files/{digest}", params={"fence": self.claim.fence}, content=content)

    def manifest(self, **contents: bytes) -> httpx.Response:
        files = [
            {"name": name, "num_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in contents.items()
        ]
        return self.post("artifacts", files=files)

    def finish(self, outcome: str, **more: Any) -> httpx.Response:
        return self.post("finish", outcome=outcome, **more)
