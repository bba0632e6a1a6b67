"""A running API on each database, fresh for every test; and what a first job needs."""

import json
import secrets
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog

from backend.db import migrate
from backend.settings import Settings
from tests.backend.agent import FakeAgent
from tests.backend.running import ROWS, RunningApi, run_api
from tests.services import Postgres

TEMPLATE = "spillway_template"


@pytest.fixture(scope="session", autouse=True)
def _logs_go_to_pytest() -> None:
    structlog.configure(
        processors=[structlog.stdlib.add_log_level, structlog.stdlib.render_to_log_kwargs],
        logger_factory=structlog.stdlib.LoggerFactory(),
    )


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("template") / "spillway.db"
    migrate.upgrade(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def postgres_template(postgres: Postgres) -> Postgres:
    migrate.upgrade(postgres.create_database(TEMPLATE))
    return postgres


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_template"), data_dir / "spillway.db")
        yield Settings(data_dir=data_dir)
        return
    server: Postgres = request.getfixturevalue("postgres_template")
    name = f"test_{secrets.token_hex(6)}"
    yield Settings(data_dir=data_dir, database_url=server.create_database(name, template=TEMPLATE))
    server.drop_database(name)


@pytest.fixture
def api(settings: Settings) -> Iterator[RunningApi]:
    running = run_api(settings)
    yield running
    running.stop()


@pytest.fixture
def admin(api: RunningApi) -> Iterator[httpx.Client]:
    with api.admin() as client:
        yield client


@pytest.fixture
def agent(api: RunningApi) -> Iterator[FakeAgent]:
    with FakeAgent(api.url, api.box_token) as agent:
        yield agent


@pytest.fixture
def model_folder(tmp_path: Path) -> Path:
    return write_model(tmp_path / "model")


@pytest.fixture
def spec(admin: httpx.Client, model_folder: Path) -> dict[str, Any]:
    """A job spec whose model and dataset are there."""
    source = {"kind": "local_folder", "path": str(model_folder)}
    assert admin.post("/models", json={"name": "tiny", "source": source}).status_code == 201
    assert admin.post("/datasets", params={"name": "numbers"}, content=ROWS).status_code == 201
    return {"name": "first", "model": "tiny", "dataset": "numbers"}


def write_model(folder: Path, *, tensors: dict[str, list[int]] | None = None, **config: Any) -> Path:
    """A folder in Hugging Face layout with weights of zeros."""
    folder.mkdir()
    shapes = tensors or {"model.embed_tokens.weight": [100, 8], "lm_head.weight": [100, 8], "norm.weight": [8]}
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name, shape in shapes.items():
        size = 4
        for length in shape:
            size *= length
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [end, end + size]}
        end += size
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + bytes(end))
    facts = {"architectures": ["LlamaForCausalLM"], "tie_word_embeddings": True} | config
    (folder / "config.json").write_text(json.dumps(facts))
    return folder
