"""Where the one-machine server keeps its things, and which server a command talks to."""

import os
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError

from spillway.errors import BadInputError
from spillway.launcher.process_identity import ChildRecord, is_alive


def default_data_dir() -> Path:
    """SPILLWAY_DATA_DIR, else `spillway` in the XDG data home."""
    chosen = os.environ.get("SPILLWAY_DATA_DIR")
    if chosen:
        return Path(chosen).expanduser().absolute()
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "spillway"


@dataclass(frozen=True, slots=True)
class DataDir:
    """The folders of one machine's Spillway. Each process has its own; nobody writes into another's."""

    root: Path

    @property
    def api(self) -> Path:
        return self.root / "api"

    @property
    def worker(self) -> Path:
        return self.root / "worker"

    @property
    def broker(self) -> Path:
        return self.root / "broker"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def models(self) -> Path:
        return self.root / "models"

    @property
    def downloads(self) -> Path:
        return self.root / "downloads"

    @property
    def lock_file(self) -> Path:
        return self.root / "up.lock"

    @property
    def server_file(self) -> Path:
        return self.root / "server.json"

    @property
    def box_token_file(self) -> Path:
        return self.api / "box-token"

    @property
    def cli_token_file(self) -> Path:
        return self.api / "cli-token"


class ServerRecord(BaseModel):
    """`server.json`: the server that runs on this data folder."""

    url: str
    pid: int
    start_ticks: int = 0
    """Of the launcher; 0: written by a version before this field, or where the system does not say."""
    children: list[ChildRecord] = []

    @property
    def is_alive(self) -> bool:
        """False: the launcher was killed, and whoever has its port now may be anybody."""
        launcher = ChildRecord(name="launcher", pid=self.pid, start_ticks=self.start_ticks)
        return self.start_ticks == 0 or is_alive(launcher)


def read_server_record(data_dir: DataDir) -> ServerRecord | None:
    """What the launcher wrote last; it may have died since. None where there is none, or it was cut short."""
    try:
        return ServerRecord.model_validate_json(data_dir.server_file.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


@dataclass(frozen=True, slots=True)
class Connection:
    url: str
    token: str


def find_connection(url: str | None, token: str | None) -> Connection:
    """The server named by option or environment, else the one-machine server of the data folder.

    Raises BadInputError when neither is there, or when the token is missing.
    """
    data_dir = DataDir(default_data_dir())
    url = url or os.environ.get("SPILLWAY_URL")
    token = token or os.environ.get("SPILLWAY_TOKEN")
    record = read_server_record(data_dir)
    if record is not None and not record.is_alive:
        # Its port may be another program's by now, and a token must not be handed to that.
        record = None
    if url is None and record is None:
        raise BadInputError(
            f"No server runs on {data_dir.root} and none was named.",
            hint="Start one with `spillway up`, or give --url (SPILLWAY_URL) and --token (SPILLWAY_TOKEN).",
        )
    address = (url or (record.url if record else "")).rstrip("/")
    # The machine's own token goes to the machine's own server only, whatever address was typed.
    if token is None and record is not None and address == record.url:
        token = _read_token(data_dir.cli_token_file)
    if token and not token.isascii():
        raise BadInputError("The token holds characters that no token has.", hint="Copy it again, all of it.")
    if not token:
        raise BadInputError(
            f"A token is needed to talk to {address}.",
            hint="Make one on the page under API tokens and give it by --token or SPILLWAY_TOKEN.",
        )
    return Connection(url=address, token=token)


def _read_token(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    except PermissionError:
        raise BadInputError(
            f"{path} belongs to another user.", hint="Run the command as the user who started `spillway up`."
        ) from None
