"""The API process: data folder, schema, first-start secrets, then uvicorn until a signal."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

import uvicorn

from backend.app import create_app
from backend.db import migrate
from backend.db.session import Database
from backend.errors import UnauthenticatedError
from backend.folder import DataFolder, write_private
from backend.logging_setup import set_up_logging
from backend.people import service as people
from backend.runtime import Clock, Runtime, system_clock
from backend.settings import Settings

_GRACE_SECONDS = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    runtime: Runtime
    setup_code: str | None
    """The one-time code while there is no admin."""


def prepare(settings: Settings, *, clock: Clock = system_clock) -> Prepared:
    """Everything before the first request. Raises SchemaMismatchError on PostgreSQL with an old schema."""
    folder = DataFolder(settings.data_dir)
    folder.discard_parts()
    url = settings.resolved_database_url
    database = Database(url)
    if database.is_sqlite:
        migrate.upgrade(url)
    else:
        migrate.require_current(url)
    runtime = Runtime(settings, database, clock=clock)
    with database.write() as session:
        setup_code = people.prepare_start(session, runtime.gate, now=clock())
    if settings.local_cli_token:
        _keep_cli_token(runtime)
    return Prepared(runtime=runtime, setup_code=setup_code)


def serve(settings: Settings) -> None:
    """Blocks until SIGTERM or SIGINT. Raises FolderInUseError, SchemaMismatchError, OSError for a taken port."""
    set_up_logging(as_json=settings.log_json)
    # Held until the process ends, however it ends.
    DataFolder(settings.data_dir).lock()
    prepared = prepare(settings)
    listener = listen(settings.host, settings.port)
    host, port = listener.getsockname()[:2]
    url = f"http://{settings.host if settings.host != '0.0.0.0' else host}:{port}"  # noqa: S104 - compared, not bound

    def announce() -> None:
        print(f"listening on {url}", flush=True)  # noqa: T201 - the one line that callers wait for
        if prepared.setup_code is not None:
            print(f"first start: open {url}/setup#code={prepared.setup_code} to make the admin", flush=True)  # noqa: T201

    config = uvicorn.Config(
        create_app(prepared.runtime),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    _Server(config, prepared.runtime, announce).run(sockets=[listener])


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises OSError for an address that is taken or not this machine's."""
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    family, kind, protocol, _, address = addresses[0]
    # The protocol is named on purpose: without it asyncio does not recognise TCP, leaves Nagle's algorithm on, and
    # every answer waits 40 ms for an acknowledgement.
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(512)
    except OSError:
        listener.close()
        raise
    return listener


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, runtime: Runtime, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._runtime = runtime
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._announce()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # Unlike the original this does not raise the signal once more at the end: an orderly end is exit status 0.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle_exit)
        yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # Before the server waits for its connections: open streams would never end by themselves.
        self._runtime.end_streams()
        super().handle_exit(sig, frame)


def _keep_cli_token(runtime: Runtime) -> None:
    """`cli-token` holds a token that works; one that was revoked or belongs to another database is replaced."""
    file, now = runtime.folder.cli_token_file, runtime.clock()
    if file.exists():
        try:
            with runtime.database.read() as session:
                people.principal_of_token(session, runtime.gate, file.read_text().strip(), now=now)
        except UnauthenticatedError:
            file.unlink()
        else:
            return
    with runtime.database.write() as session:
        write_private(file, people.create_local_token(session, runtime.gate, now=now) + "\n")
