"""The API as a process of its own: start, refusals, what it loads, how it ends."""

import json
import statistics
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest

from tests.services import REPOSITORY, Postgres, start_api, wait_until

START_GATE_SECONDS = 6.0
NEVER_LOADED = ("torch", "transformers", "numba", "celery.worker")


def test_it_starts_within_the_gate_prints_its_lines_and_ends_on_a_signal(tmp_path: Path) -> None:
    seconds = []
    for number in range(3):
        api = start_api(tmp_path / "data", "--local-cli-token")
        seconds.append(api.seconds_to_listen)
        headers = {"Authorization": f"Bearer {api.cli_token}"}
        me = httpx.get(f"{api.url}/api/v1/me", headers=headers, trust_env=False)
        assert me.json()["username"] == "command line", f"start {number}"
        wait_until(lambda lines=api.output: lines, "the second line")
        assert api.output[0] == f"first start: open {api.url}/setup#code={api.setup_code} to make the admin"
        assert api.stop() < 8
        assert api.process.returncode == 0, (tmp_path / "data/api.log").read_text()
    print(f"start: median {statistics.median(seconds):.2f} s of {[round(second, 2) for second in seconds]}")
    assert statistics.median(seconds) < START_GATE_SECONDS
    assert oct((tmp_path / "data").stat().st_mode & 0o777) == "0o700"
    for secret in ("box-token", "cli-token", "secret-key", "setup-code"):
        assert oct((tmp_path / "data" / secret).stat().st_mode & 0o777) == "0o600"


def test_an_open_stream_does_not_hold_the_end_up(tmp_path: Path) -> None:
    api = start_api(tmp_path, "--local-cli-token")
    headers = {"Authorization": f"Bearer {api.cli_token}"}
    opened, ended = threading.Event(), threading.Event()

    def follow() -> None:
        with httpx.stream("GET", f"{api.url}/api/v1/stream", headers=headers, timeout=30, trust_env=False) as answer:
            opened.set()
            answer.read()
        ended.set()

    reader = threading.Thread(target=follow)
    reader.start()
    assert opened.wait(20)
    took = api.stop()
    assert ended.wait(5), "the stream ended in order"
    reader.join()
    assert took < 4.5, "before the server would have cut it off"


def test_nothing_heavy_is_loaded_even_after_work_was_done() -> None:
    program = """
import json, sys, tempfile
from datetime import UTC, datetime
from pathlib import Path
from backend import __main__, server
from backend.app import create_app
from backend.outbox.wake_sender import WakeSender
from backend.settings import Settings
folder = Path(tempfile.mkdtemp())
runtime = server.prepare(Settings(data_dir=folder)).runtime
create_app(runtime)
sender = WakeSender(f"filesystem://{folder}/queue")
sender.send("spillway.box.x", "att_x", datetime.now(UTC))
assert list((folder / "queue").glob("*.msg")), "the message was really sent"
print(json.dumps(sorted(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=REPOSITORY, check=False)
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout.splitlines()[-1])
    assert "celery" in loaded, "the producer is there"
    assert [name for name in loaded if name.startswith(NEVER_LOADED)] == []


def test_a_second_process_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    first = start_api(tmp_path)
    with pytest.raises(AssertionError, match="another Spillway API already runs"):
        start_api(tmp_path)
    first.kill()
    second = start_api(tmp_path)
    assert second.setup_code == first.setup_code, "the link printed before is still good"
    second.stop()


def test_on_postgresql_it_asks_for_the_migration_and_runs_after_it(tmp_path: Path, postgres: Postgres) -> None:
    url = postgres.create_database("process")
    with pytest.raises(AssertionError, match="python -m backend migrate"):
        start_api(tmp_path, "--database-url", url)
    command = [sys.executable, "-m", "backend", "migrate", "--data-dir", str(tmp_path), "--database-url", url]
    assert subprocess.run(command, cwd=REPOSITORY, check=False).returncode == 0
    api = start_api(tmp_path, environment={"SPILLWAY_DATABASE_URL": url, "SPILLWAY_BOX_TOKEN": "from-outside"})
    wait_until(lambda: httpx.get(f"{api.url}/api/v1/health", trust_env=False).json()["status"] == "ok", "healthy")
    bearer = {"Authorization": "Bearer from-outside"}
    assert httpx.post(f"{api.url}/internal/v1/claims", headers=bearer, json={}, trust_env=False).status_code == 422
    api.stop()
    postgres.drop_database("process")


def test_wrong_settings_are_named(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "backend", "serve"]
    bare = {"PATH": "/usr/bin"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY, env=bare, check=False)
    assert (done.returncode, "--data-dir or SPILLWAY_DATA_DIR" in done.stderr) == (2, True)
    command += ["--data-dir", str(tmp_path), "--broker-url", "amqp://x"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY, env=bare, check=False)
    assert (done.returncode, "is no broker" in done.stderr) == (1, True)


def test_what_keeps_it_from_starting_is_told_in_a_line_or_two(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "spillway.db").write_bytes(b"no database at all " * 100)
    for options, status, told in (
        (["--database-url", "mysql://box/name"], 2, "--database-url or SPILLWAY_DATABASE_URL"),
        (["--database-url", "postgresql://nobody@127.0.0.1:1/name"], 1, "the database cannot be used: connection"),
        (["--box-token-file", str(tmp_path / "empty")], 1, "empty is empty"),
        (["--data-dir", str(broken)], 1, "the database cannot be used: file is not a database"),
    ):
        command = [
            sys.executable,
            "-m",
            "backend",
            "serve",
            "--port",
            "0",
            "--data-dir",
            str(tmp_path / "data"),
            *options,
        ]
        done = subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY, check=False, timeout=60)
        assert (done.returncode, "Traceback" in done.stderr) == (status, False), done.stderr
        assert told in done.stderr


@pytest.mark.parametrize(("trusted", "sixth"), [("", 429), ("127.0.0.1", 401)])
def test_only_a_trusted_proxy_says_whose_wrong_passwords_these_are(tmp_path: Path, trusted: str, sixth: int) -> None:
    api = start_api(tmp_path, environment={"SPILLWAY_TRUSTED_PROXIES": trusted})
    guess = {"username": "ada", "password": "guess"}
    with httpx.Client(base_url=f"{api.url}/api/v1", trust_env=False) as client:
        statuses = [
            client.post("/sessions", json=guess, headers={"X-Forwarded-For": f"10.0.0.{number}"}).status_code
            for number in range(6)
        ]
    api.stop()
    assert statuses == [401] * 5 + [sixth]


def test_the_committed_document_is_current() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "backend", "openapi"], capture_output=True, text=True, cwd=REPOSITORY, check=False
    )
    assert done.returncode == 0, done.stderr
    committed = (REPOSITORY / "docs/openapi.json").read_text()
    assert done.stdout == committed, "run `python -m backend openapi > docs/openapi.json`"
    schemas = json.loads(committed)["components"]["schemas"]
    kinds = schemas["StoredEvent"]["properties"]["event"]["discriminator"]["mapping"]
    assert {"step.completed", "state.changed", "training.failed"} <= set(kinds)
    assert {"StepSpans", "Problem", "JobSnapshot"} <= set(schemas)
