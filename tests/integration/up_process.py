"""`spillway up` (or demo) as a person starts it, without a terminal."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from spillway.client import SpillwayClient
from spillway.launcher.process_identity import ChildRecord, is_alive
from spillway.locations import DataDir, ServerRecord, read_server_record
from tests.integration.stack import wait_for


class UpProcess:
    def __init__(self, data_dir: Path, log: Path) -> None:
        self.data_dir = DataDir(data_dir)
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def output(self) -> str:
        return self._log.read_text(errors="replace")

    def start(self, *options: str) -> ServerRecord:
        """Returns once it says that it is ready."""
        self._log.write_bytes(b"")
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "spillway", "up", "--data-dir", str(self.data_dir.root), *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        wait_for(self._is_ready, "spillway up is ready")
        record = read_server_record(self.data_dir)
        assert record is not None
        return record

    def _is_ready(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.output
        return "ready: http" in self.output

    def end(self, how: signal.Signals, seconds: float = 60.0) -> int:
        assert self._process is not None
        self._process.send_signal(how)
        return self._process.wait(seconds)

    def close(self) -> None:
        """However the test went, nothing of it lives on."""
        if self._process is not None and self._process.poll() is None:
            # Twice: runs are ended at once, and reported.
            self._process.send_signal(signal.SIGINT)
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(60)
            except subprocess.TimeoutExpired:
                self._process.kill()

    def client(self) -> SpillwayClient:
        record = read_server_record(self.data_dir)
        assert record is not None
        return SpillwayClient(record.url, self.data_dir.cli_token_file.read_text().strip())

    def spillway(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """A command in another terminal of the same person."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SPILLWAY_")}
        return subprocess.run(
            [sys.executable, "-m", "spillway", *arguments],
            env={**environment, "SPILLWAY_DATA_DIR": str(self.data_dir.root)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=200,
        )


def alive(children: list[ChildRecord]) -> list[str]:
    return [child.name for child in children if is_alive(child)]
