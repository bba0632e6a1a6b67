"""A Redis of one test, on a socket of its own, that the test may stop and start again."""

import subprocess
from pathlib import Path

from spillway.launcher.broker import answers_ping, plan_broker
from tests.integration.stack import wait_for


class RedisServer:
    """Holds nothing over a stop, as Spillway's own does."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        plan = plan_broker(folder, environment)
        assert plan.command is not None, "no Redis on this machine"
        assert plan.socket_path is not None
        self.url = plan.url
        self._command = plan.command
        self._socket_path = plan.socket_path
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        wait_for(lambda: answers_ping(self._socket_path), "Redis answers")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(10)
            self._process = None
