"""A person's whole way through the dashboard in a real Chromium, on a whole Spillway of real processes.

Set SPILLWAY_SCREENSHOTS to a folder to keep a picture of every page in both themes and two widths.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from tests.integration.redis_server import RedisServer
from tests.integration.stack import Stack
from tests.tiny_model import make_tiny_model, write_tiny_dataset

HERE = Path(__file__).parent
FRONTEND = HERE.parents[1] / "frontend"
PAGE = HERE.parents[1] / "backend" / "static" / "index.html"
JOURNEY_SECONDS = 280.0
BAD_ROWS = """\
{"instruction": "What is a bug?", "output": "An unwanted property."}
{"instruction": "What is a kluge?"}
{"instruction": "What is a hack?", "output": "A clever trick."}
{"instruction": "What is a foo?", "output": "A name",}
"""


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    redis = RedisServer(tmp_path / "broker", {"PATH": os.environ["PATH"]})
    redis.start()
    stack = Stack(folder=tmp_path, port=port, broker_url=redis.url)
    stack.start_api()
    stack.start_agent()
    yield stack
    stack.close()
    redis.stop()


def missing(why: str) -> NoReturn:
    """Skip where a person develops without it; where it decides, a browser that is not there is a failure."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


def find_chromium() -> str:
    named = [os.environ.get("CHROMIUM"), *map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))]
    if found := next((path for path in named if path), None):
        return found
    missing("no Chromium on this machine; set CHROMIUM to one")


def find_node() -> str:
    # The bootstrap puts one beside Python where the system has none.
    beside = Path(sys.executable).parent / "node"
    if found := (str(beside) if beside.exists() else shutil.which("node")):
        return found
    missing("no Node on this machine")


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.timeout(400)
def test_person_fine_tunes_a_model_by_browser_alone(stack: Stack, tmp_path: Path) -> None:
    assert PAGE.is_file(), "the page is not built: run `make page`"
    assert (FRONTEND / "node_modules" / "playwright-core").is_dir(), "run `make page`: it installs what drives Chromium"
    bad_rows = tmp_path / "bad.jsonl"
    bad_rows.write_text(BAD_ROWS)
    setup_link = re.search(r"http\S+/setup#code=\S+", stack.logs())
    assert setup_link, stack.logs()
    inputs = {
        "SETUP_LINK": setup_link[0],
        "MODEL_FOLDER": str(make_tiny_model(tmp_path / "tiny-llama")),
        "GOOD_ROWS": str(write_tiny_dataset(tmp_path / "rows.jsonl", rows=60)),
        "BAD_ROWS": str(bad_rows),
        "CHROMIUM": find_chromium(),
        "SCREENSHOTS": os.environ.get("SPILLWAY_SCREENSHOTS", ""),
    }
    told = run_journey(stack, find_node(), inputs)
    assert told[-1] == "JOURNEY COMPLETE", "\n".join([*told, stack.logs()])


def run_journey(stack: Stack, node: str, inputs: dict[str, str]) -> list[str]:
    """All lines the journey told; does to the server what it asks for in between."""
    deeds = {"stop the api": lambda: stack.stop("api", signal.SIGTERM), "start the api": stack.start_api}
    told = []
    with subprocess.Popen(
        [node, str(HERE / "journey.mjs")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | inputs,
    ) as journey:
        assert journey.stdin is not None
        assert journey.stdout is not None
        limit = threading.Timer(JOURNEY_SECONDS, journey.kill)
        limit.start()
        try:
            for line in journey.stdout:
                told.append(line.rstrip())
                if line.startswith("ASK "):
                    deeds[line.removeprefix("ASK ").strip()]()
                    journey.stdin.write("done\n")
                    journey.stdin.flush()
        finally:
            limit.cancel()
            journey.kill()
    return told
