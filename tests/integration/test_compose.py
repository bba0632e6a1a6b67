"""docker-compose.yml: valid, and each service's own command runs as a process against a real PostgreSQL and Redis.

There is no container engine here. What is translated is what a container would give: addresses of other services, mount
points, and `python` and `spillway` of the image.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spillway.client import SpillwayClient
from tests.integration.stack import wait_for
from tests.services import Postgres, free_port
from tools.check_compose import load_compose, problems

pytestmark = pytest.mark.slow
PASSWORD = "from-the-test"


def compose(**environment: str) -> dict[str, Any]:
    return load_compose({"SPILLWAY_DATABASE_PASSWORD": PASSWORD, **environment})


def test_file_is_valid_and_only_the_proxy_publishes_ports() -> None:
    assert problems(compose()) == []
    assert [name for name, service in compose()["services"].items() if "ports" in service] == ["proxy"]


def test_the_check_finds_what_it_is_for() -> None:
    broken = compose()
    broken["services"]["api"]["ports"] = ["8321:8321"]
    broken["services"]["api"]["no_such_key"] = True
    broken["services"]["worker"]["depends_on"] = {"nobody": {"condition": "service_started"}}
    found = "\n".join(problems(broken))
    assert "services.api publishes ports" in found
    assert "no_such_key" in found
    assert "depends on nobody" in found


def test_no_secret_has_a_default() -> None:
    with pytest.raises(ValueError, match="SPILLWAY_DATABASE_PASSWORD is required"):
        load_compose({})


class LocalServices:
    """Starts a service's command with a container's addresses and paths turned into this machine's."""

    def __init__(self, folder: Path, database_url: str, api_port: int, redis_port: int) -> None:
        self._folder = folder
        self._services = compose()["services"]
        self.api_url = f"http://127.0.0.1:{api_port}"
        # Longer names first: each is replaced where it stands, in this order.
        self._replacements = {
            f"postgresql+psycopg://spillway:{PASSWORD}@postgres:5432/spillway": database_url,
            "redis://redis:6379": f"redis://127.0.0.1:{redis_port}",
            "http://api:8321": self.api_url,
            "http://127.0.0.1:8321": self.api_url,
            "0.0.0.0": "127.0.0.1",
            "8321": str(api_port),
            "/run/secrets": str(folder),
            "/data": str(folder / "data"),
            "/nvme": str(folder / "nvme"),
            "/models": str(folder / "models"),
        }
        self._redis_port = redis_port
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, name: str) -> "subprocess.Popen[bytes]":
        words = [self._local(str(word)) for word in self._services[name]["command"]]
        if name == "redis":
            words += ["--port", str(self._redis_port), "--bind", "127.0.0.1"]
        with self.log(name).open("wb") as log:
            process = subprocess.Popen(
                [self._program(words[0]), *words[1:]],
                env=self._environment(name),
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self._running.append(process)
        return process

    def is_healthy(self, name: str) -> bool:
        """By the healthcheck that the file gives the service."""
        kind, *words = (self._local(str(word)) for word in self._services[name]["healthcheck"]["test"])
        assert kind == "CMD"
        if name == "redis":
            words[1:1] = ["-p", str(self._redis_port)]
        ran = subprocess.run([self._program(words[0]), *words[1:]], capture_output=True, check=False, cwd=self._folder)
        return ran.returncode == 0

    def stop(self) -> None:
        for process in reversed(self._running):
            process.terminate()
        for process in self._running:
            process.wait(30)

    def log(self, name: str) -> Path:
        return self._folder / f"{name}.log"

    def _local(self, text: str) -> str:
        for there, here in self._replacements.items():
            if there in text:
                return text.replace(there, here)
        return text

    def _environment(self, name: str) -> dict[str, str]:
        given = self._services[name].get("environment", {})
        return {**os.environ, **{key: self._local(str(value)) for key, value in given.items()}}

    def _program(self, name: str) -> str:
        """The image's `python` and `spillway` are this environment's."""
        ours = Path(sys.executable).with_name(name)
        return str(ours) if ours.exists() else name


@pytest.fixture
def services(tmp_path: Path, postgres: Postgres, request: pytest.FixtureRequest) -> Iterator[LocalServices]:
    (tmp_path / "box-token").write_text("a-box-token-of-the-test\n")
    for folder in ("data", "nvme", "models"):
        (tmp_path / folder).mkdir()
    database = request.node.name
    running = LocalServices(tmp_path, postgres.create_database(database), free_port(), free_port())
    yield running
    running.stop()
    postgres.drop_database(database)


def test_each_services_command_starts_in_the_files_order_and_works(services: LocalServices) -> None:
    services.start("redis")
    wait_for(lambda: services.is_healthy("redis"), "redis is healthy")

    migrate = services.start("migrate")
    assert migrate.wait(60) == 0, services.log("migrate").read_text()

    api = services.start("api")
    wait_for(lambda: services.is_healthy("api"), f"the API is healthy: {services.log('api').read_text()}")

    worker = services.start("worker")

    def box_is_seen() -> bool:
        assert worker.poll() is None, services.log("worker").read_text()
        with SpillwayClient(services.api_url, "") as client:
            return [box.name for box in client.health().boxes] == ["box-1"]

    wait_for(box_is_seen, "the worker has registered its box")
    assert api.poll() is None


def test_api_refuses_a_database_that_was_not_migrated_and_names_the_command(services: LocalServices) -> None:
    api = services.start("api")
    assert api.wait(60) != 0
    assert "migrate" in services.log("api").read_text()
