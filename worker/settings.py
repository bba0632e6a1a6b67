"""How this agent was told to work; parsed once, frozen."""

import argparse
import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from contracts.wire import HEARTBEAT_SECONDS, POLL_SECONDS
from worker.errors import BoxTokenError, FolderError

BROKER_VARIABLE = "SPILLWAY_BROKER_URL"
RUN_FOLDER_VARIABLE = "SPILLWAY_RUN_FOLDER"
AGENT_PID_VARIABLE = "SPILLWAY_AGENT_PID"
TRAINING_MODULE = "worker.training"
_LONGEST_NAME = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkerSettings:
    url: str
    box_token: str
    data_dir: Path
    broker_url: str | None
    nvme_paths: tuple[Path, ...]
    name: str
    training_module: str = TRAINING_MODULE
    stop_grace_seconds: float = 30.0
    """From the request to stop to the TERM; a step boundary must fall into it."""
    kill_grace_seconds: float = 5.0
    """From the TERM to the KILL."""
    report_seconds: float = 10.0
    """How long a stopped agent tries to report when the API is away; the next agent reports the rest."""
    poll_seconds: float = POLL_SECONDS
    heartbeat_seconds: float = HEARTBEAT_SECONDS

    @property
    def run_folder(self) -> Path:
        return self.data_dir / "run"

    @property
    def attempts_folder(self) -> Path:
        return self.data_dir / "attempts"

    @property
    def datasets_folder(self) -> Path:
        return self.data_dir / "cache" / "datasets"

    def make_folders(self) -> None:
        """Private to this user. Raises FolderError."""
        for folder in (self.data_dir, self.run_folder, self.attempts_folder, self.datasets_folder, *self.nvme_paths):
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise FolderError(folder, str(error.strerror)) from error


def parse_settings(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> WorkerSettings:
    """Raises SystemExit on wrong usage and BoxTokenError when the token cannot be read."""
    parser = argparse.ArgumentParser(
        prog="python -m worker",
        description="The agent of a box: claims jobs, supervises their runs and reports on them.",
        epilog="SIGTERM ends the agent and leaves its runs alive; SIGINT stops the runs at their next step.",
    )
    parser.add_argument("--url", required=True, help="address of the API, such as http://127.0.0.1:8321")
    parser.add_argument("--box-token-file", type=Path, required=True, help="file with the box token")
    parser.add_argument("--data-dir", type=Path, required=True, help="the agent's own folder; one agent a folder")
    parser.add_argument("--broker-url", help=f"where wake-ups come from (or {BROKER_VARIABLE}); without: polling only")
    parser.add_argument("--nvme", type=Path, nargs="+", help="folders for optimizer state; default: DATA_DIR/nvme")
    parser.add_argument("--name", default=socket.gethostname(), help="name of the box; default: the host's")
    parser.add_argument("--stop-grace-seconds", type=float, default=30.0, help="to reach a step boundary when stopped")
    parser.add_argument("--kill-grace-seconds", type=float, default=5.0, help="between TERM and KILL")
    parser.add_argument(
        "--report-seconds", type=float, default=10.0, help="to report stopped runs when the API is away"
    )
    parser.add_argument("--training-module", default=TRAINING_MODULE, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if not given.url.startswith(("http://", "https://")):
        parser.error(f"--url: {given.url!r} is no address; write http://HOST:PORT")
    if not 0 < len(given.name) <= _LONGEST_NAME:
        parser.error(f"--name: has {len(given.name)} characters; give the box a name of 1 to {_LONGEST_NAME}")
    data_dir = given.data_dir.resolve()
    return WorkerSettings(
        url=given.url.rstrip("/"),
        box_token=_read_token(given.box_token_file),
        data_dir=data_dir,
        broker_url=given.broker_url or environment.get(BROKER_VARIABLE) or None,
        nvme_paths=tuple(path.resolve() for path in given.nvme or [data_dir / "nvme"]),
        name=given.name,
        training_module=given.training_module,
        stop_grace_seconds=given.stop_grace_seconds,
        kill_grace_seconds=given.kill_grace_seconds,
        report_seconds=given.report_seconds,
    )


def _read_token(file: Path) -> str:
    try:
        token = file.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise BoxTokenError(file, str(error.strerror)) from error
    except UnicodeDecodeError as error:
        raise BoxTokenError(file, "it is not text") from error
    if not token:
        raise BoxTokenError(file, "the file is empty")
    if not token.isascii() or not token.isprintable():
        raise BoxTokenError(file, "it holds more than one line of plain characters")
    return token
