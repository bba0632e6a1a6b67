"""The whole system in real processes: API, agent, shim, training with the real engine, Redis, a tiny model."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.redis_server import RedisServer
from tests.integration.stack import Inputs, Stack
from tests.tiny_model import make_tiny_model, write_tiny_dataset


@pytest.fixture(scope="session")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    folder = tmp_path_factory.mktemp("inputs")
    return Inputs(model=make_tiny_model(folder / "tiny-llama"), rows=write_tiny_dataset(folder / "rows.jsonl", rows=60))


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path / "broker", {"PATH": os.environ["PATH"]})
    server.start()
    yield server
    server.stop()


@pytest.fixture
def stack(tmp_path: Path, free_port: int, redis: RedisServer) -> Iterator[Stack]:
    """On SQLite, running."""
    stack = Stack(folder=tmp_path, port=free_port, broker_url=redis.url)
    stack.start_api()
    stack.start_agent()
    yield stack
    stack.close()
