"""By REST alone: the example script, run as a person would, on both databases."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.wire import API_PREFIX
from tests.integration.redis_server import RedisServer
from tests.integration.stack import Inputs, Stack
from tests.services import Postgres

pytestmark = pytest.mark.slow
SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "rest" / "fine_tune.py"


@pytest.fixture(params=["sqlite", "postgresql"])
def stack(request: pytest.FixtureRequest, tmp_path: Path, free_port: int, redis: RedisServer) -> Iterator[Stack]:
    stack = Stack(folder=tmp_path, port=free_port, broker_url=redis.url)
    if request.param == "postgresql":
        postgres: Postgres = request.getfixturevalue("postgres")
        stack.database_url = postgres.create_database("walkthrough")
    stack.start_api()
    stack.start_agent()
    yield stack
    stack.close()


def test_the_example_script_fine_tunes_and_downloads(stack: Stack, inputs: Inputs, tmp_path: Path) -> None:
    make_admin(stack)
    output = tmp_path / "trained"
    ran = subprocess.run(
        [sys.executable, str(SCRIPT), str(inputs.model), str(inputs.rows), str(output), "--steps", "12"],
        env={
            **os.environ,
            "SPILLWAY_URL": stack.url,
            "SPILLWAY_USER": "ada",
            "SPILLWAY_PASSWORD": "correct horse battery",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}\n{stack.logs()}"
    lines = ran.stdout.splitlines()
    assert sum(line.startswith("step ") for line in lines) == 12
    before, after = (float(line.split()[2]) for line in lines if line.startswith("eval "))
    assert after < before
    assert_loads_without_spillway(output)


def make_admin(stack: Stack) -> None:
    body = {
        "code": (stack.api_folder / "setup-code").read_text().strip(),
        "username": "ada",
        "password": "correct horse battery",
    }
    request = urllib.request.Request(
        f"{stack.url}{API_PREFIX}/setup",
        json.dumps(body).encode(),
        {"Content-Type": "application/json", "X-Spillway-CSRF": "1", "Origin": stack.url},
        method="POST",
    )
    with urllib.request.urlopen(request) as answer:
        assert answer.status == 201


def assert_loads_without_spillway(folder: Path) -> None:
    code = (
        "import sys\n"
        "from transformers import AutoModelForCausalLM, AutoTokenizer\n"
        "AutoTokenizer.from_pretrained(sys.argv[1])\n"
        "model = AutoModelForCausalLM.from_pretrained(sys.argv[1])\n"
        "print(model.num_parameters())\n"
        "assert not [name for name in sys.modules if name.split('.')[0] in {'worker', 'offload_core', 'spillway'}]\n"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) > 0
