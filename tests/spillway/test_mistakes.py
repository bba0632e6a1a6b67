"""What a person gets wrong at the keyboard is told in a line with the next step, never as a traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LONG = "n" * 400


def spillway(folder: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("SPILLWAY_")}
    return subprocess.run(
        [sys.executable, "-m", "spillway", *arguments],
        env=inherited | {"SPILLWAY_DATA_DIR": str(folder)} | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("up", "--data-dir", "/proc/spillway"), "The data folder /proc/spillway cannot be used"),
        (("up", "--data-dir", "/etc/hostname"), "The data folder /etc/hostname cannot be used: File exists"),
        (("demo", "--report", "/"), "--report / is a folder"),
        (("jobs", "--url", "http://127.0.0.1:1", "--token", "spw_\N{LATIN SMALL LETTER E WITH ACUTE}"), "no token has"),
        (("jobs", "--url", "nowhere", "--token", "x"), "No answer from nowhere"),
    ],
)
def test_a_wrong_option(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    done = spillway(tmp_path, *arguments)
    assert done.returncode in {1, 2}
    assert told in done.stderr
    assert "hint:" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[" * 50_000, "nested too deeply"),
        (f"{{name: a, model: m, dataset: {LONG}}}", "cannot be looked for"),
        ("{name: a, model: ~nobody-of-that-name/m, dataset: d}", "cannot be looked for"),
        (
            f"{{name: a, model: m, dataset: d, placement: {{host_bytes: '{'9' * 400}'}}}}",
            "more bytes than any machine has",
        ),
    ],
)
def test_a_job_file_that_cannot_be_used(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "job.yaml"
    file.write_text(text)
    done = spillway(tmp_path, "submit", str(file), "--json")
    said = json.loads(done.stderr)
    assert done.returncode == 2
    assert told in said["error"] + " ".join(said["details"])
