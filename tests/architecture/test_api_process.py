"""The API process as it runs: what it has loaded, and how long it takes to answer."""

import json
import os
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

FOREIGN = ("torch", "transformers", "trl", "numba", "celery.worker", "worker")
START_SECONDS = 6.0

# Runs the very same `python -m backend serve`, and says what is loaded once it has answered and sent a wake-up's worth.
WATCHED = """
import json, os, runpy, sys, threading, time, urllib.request
port, data_dir = sys.argv[1:]
def look():
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/setup").read()
            break
        except OSError:
            time.sleep(0.05)
    # The scheduler and the relay have gone round by then.
    time.sleep(2.5)
    print("MODULES " + json.dumps(sorted(sys.modules)), flush=True)
    os._exit(0)
threading.Thread(target=look, daemon=True).start()
sys.argv = ["backend", "serve", "--data-dir", data_dir, "--port", port, "--broker-url", f"filesystem://{data_dir}/broker"]
runpy.run_module("backend", run_name="__main__", alter_sys=True)
"""


def test_api_process_has_neither_torch_nor_celerys_worker_loaded(tmp_path: Path, free_port: int) -> None:
    (tmp_path / "broker").mkdir()
    ran = subprocess.run(
        [sys.executable, "-c", WATCHED, str(free_port), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = [line for line in ran.stdout.splitlines() if line.startswith("MODULES ")]
    assert said, ran.stderr
    modules = json.loads(said[0].removeprefix("MODULES "))
    assert "fastapi" in modules
    assert [
        name for name in modules if name.startswith(tuple(f"{foreign}." for foreign in FOREIGN)) or name in FOREIGN
    ] == []


@pytest.mark.slow
def test_api_answers_soon_after_its_start(tmp_path: Path, free_port: int) -> None:
    def once(number: int) -> float:
        started = time.monotonic()
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "backend",
                "serve",
                "--data-dir",
                str(tmp_path / str(number)),
                "--port",
                str(free_port),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            while True:
                assert process.poll() is None
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{free_port}/api/v1/setup", timeout=5):
                        return time.monotonic() - started
                except OSError:
                    time.sleep(0.02)
        finally:
            process.kill()
            process.wait()

    seconds = statistics.median(once(number) for number in range(5))
    print(f"API start, median of 5: {seconds:.2f} s on {os.cpu_count()} cores")
    assert seconds < START_SECONDS
