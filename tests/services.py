"""Real services for tests, each in a folder of its own: PostgreSQL, Redis, the API process.

Plain functions: fixtures here and in other folders wrap them as they need.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

REPOSITORY = Path(__file__).parent.parent


def wait_until(condition: Callable[[], object], what: str, timeout_seconds: float = 15.0) -> None:
    """Poll the condition; AssertionError with `what` when it does not come true in time."""
    deadline = time.monotonic() + timeout_seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {timeout_seconds} s in vain: {what}"
        time.sleep(0.01)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@dataclass(frozen=True, kw_only=True)
class Postgres:
    folder: Path
    port: int
    binaries: Path

    @property
    def admin_url(self) -> str:
        return self.url("postgres")

    def url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def create_database(self, name: str, *, template: str = "template1") -> str:
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'.encode())
        return self.url(name)

    def drop_database(self, name: str) -> None:
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())

    def stop(self) -> None:
        _as_postgres([self.binaries / "pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop"])
        shutil.rmtree(self.folder)


def start_postgres(tmp: Path | None = None) -> Postgres:
    """A server without safety nets for the data, on loopback. Fails, never skips, where PostgreSQL is not installed.

    PostgreSQL refuses to run as root; then it runs as the user `postgres`, who cannot read pytest's folders. So its
    folder is made elsewhere (below `tmp` only for other users) and removed by `stop`.
    """
    binaries = _postgres_binaries()
    is_root = os.geteuid() == 0
    folder = Path(tempfile.mkdtemp(prefix="spillway-pg-", dir=None if is_root else tmp))
    if is_root:
        shutil.chown(folder, "postgres")
    port = free_port()
    data = folder / "data"
    _as_postgres([binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8"])
    options = f"-p {port} -k {folder} -h 127.0.0.1 -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
    _as_postgres([binaries / "pg_ctl", "-D", data, "-w", "-o", options, "-l", folder / "log", "start"])
    return Postgres(folder=folder, port=port, binaries=binaries)


def _postgres_binaries() -> Path:
    on_path = shutil.which("postgres")
    found = [Path(on_path).parent] if on_path else sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    assert found, "PostgreSQL is not installed; these tests need its server (Debian: apt-get install postgresql)"
    return found[0]


def _as_postgres(command: Iterable[str | Path]) -> None:
    prefix = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    # To a file, not a pipe: the server would inherit a pipe, and waiting for its end would never end.
    with tempfile.TemporaryFile() as output:
        done = subprocess.run(
            [*prefix, *map(str, command)], stdout=output, stderr=output, cwd="/", timeout=60, check=False
        )
        output.seek(0)
        assert done.returncode == 0, output.read().decode()


@dataclass(frozen=True, kw_only=True)
class Redis:
    process: subprocess.Popen[bytes]
    socket_path: Path
    port: int

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def socket_url(self) -> str:
        return f"redis+socket://{self.socket_path}"

    def pause(self) -> None:
        """From now on it accepts connections and answers nothing: the worst a broker can do."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.socket_path.parent, ignore_errors=True)


def start_redis(tmp: Path, *, port: int | None = None) -> Redis:
    """A server in memory only, on loopback and on a socket. Fails, never skips, where there is no redis-server."""
    program = shutil.which("redis-server")
    assert program, "redis-server is not installed; these tests need it (Debian: apt-get install redis-server)"
    chosen = port or free_port()
    # Socket paths are limited to about 100 characters, pytest's folders are longer.
    socket_path = Path(tempfile.mkdtemp(prefix="spillway-redis-")) / "redis.sock"
    arguments = ["--port", str(chosen), "--unixsocket", str(socket_path), "--save", "", "--dir", str(tmp)]
    process = subprocess.Popen([program, *arguments], stdout=subprocess.DEVNULL)
    redis = Redis(process=process, socket_path=socket_path, port=chosen)
    wait_until(socket_path.exists, "redis-server listens")
    return redis


@dataclass(kw_only=True)
class ApiProcess:
    """`python -m backend serve` as users run it."""

    process: subprocess.Popen[str]
    data_dir: Path
    url: str
    seconds_to_listen: float
    setup_code: str | None = None
    output: list[str] = field(default_factory=list)

    @property
    def box_token(self) -> str:
        return (self.data_dir / "box-token").read_text().strip()

    @property
    def cli_token(self) -> str:
        return (self.data_dir / "cli-token").read_text().strip()

    def stop(self, timeout_seconds: float = 15.0) -> float:
        """Ask it to end; how long it took."""
        began = time.monotonic()
        self.process.terminate()
        self.process.wait(timeout_seconds)
        return time.monotonic() - began

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def start_api(
    data_dir: Path,
    *arguments: str,
    port: int = 0,
    environment: dict[str, str] | None = None,
    timeout_seconds: float = 60.0,
) -> ApiProcess:
    """Start it and wait until it listens. Its log goes to `api.log` in the data folder."""
    data_dir.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "backend", "serve", "--data-dir", str(data_dir), "--port", str(port), *arguments]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("SPILLWAY_")}
    began = time.monotonic()
    with (data_dir / "api.log").open("ab") as log:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            cwd=REPOSITORY,
            env=inherited | {"PYTHONUNBUFFERED": "1"} | (environment or {}),
        )
    watchdog = threading.Timer(timeout_seconds, process.kill)
    watchdog.start()
    assert process.stdout is not None
    line = process.stdout.readline()
    watchdog.cancel()
    found = re.match(r"listening on (http://\S+)", line)
    if found is None:
        process.kill()
        process.wait()
        process.stdout.close()
        raise AssertionError((data_dir / "api.log").read_text())
    api = ApiProcess(process=process, data_dir=data_dir, url=found[1], seconds_to_listen=time.monotonic() - began)
    if (data_dir / "setup-code").exists():
        api.setup_code = (data_dir / "setup-code").read_text().strip()
    threading.Thread(target=_drain, args=(process, api.output), daemon=True).start()
    return api


def _drain(process: subprocess.Popen[str], into: list[str]) -> None:
    assert process.stdout is not None
    with process.stdout as stream:
        into.extend(line.rstrip("\n") for line in stream)
