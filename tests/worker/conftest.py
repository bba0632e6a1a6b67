from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.worker.box import Box
from tests.worker.fake_api import FakeApi
from worker.process_tree import marked_pids


@pytest.fixture
def api() -> Iterator[FakeApi]:
    made = FakeApi(marked_pids)
    yield made
    made.go_away()


@pytest.fixture
def box(tmp_path: Path, api: FakeApi) -> Iterator[Box]:
    made = Box(tmp_path, api)
    yield made
    made.close()


@pytest.fixture(scope="module")
def busy_box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    """One agent for many attempts, as in real life; for tests that do not touch the agent itself."""
    api = FakeApi(marked_pids)
    made = Box(tmp_path_factory.mktemp("busy"), api)
    made.start_agent(
        "--training-module", "tests.worker.unruly", "--nvme", str(made.folder / "fast disk"),
        SPILLWAY_BROKER_URL="", SPILLWAY_DATABASE_URL="postgresql://secret", HF_TOKEN="hf_secret",
        AWS_SECRET_ACCESS_KEY="secret", SPILLWAY_BOX_TOKEN="secret", HF_HOME="/models", NUMBA_NUM_THREADS="2",
    )  # fmt: skip
    yield made
    made.close()
    api.go_away()
