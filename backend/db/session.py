"""Transactions on either database.

One write transaction runs at a time, on SQLite because it can do no other and on PostgreSQL by an advisory lock. That
makes event ids follow the order of commits (`id > last` never skips a row) and leaves no race to reason about: what a
write transaction read is still true when it commits. Reads see one snapshot each and wait for nobody.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session

READ_CONNECTIONS = 16
_WRITER_LOCK_ID = 0x5B111_0001
_SIGNALS = "signals"


class Signal(StrEnum):
    """What a committed transaction left for others to notice."""

    EVENTS = "events"
    QUEUE = "queue"
    OUTBOX = "outbox"


def signal_after_commit(session: Session, signal: Signal) -> None:
    session.info.setdefault(_SIGNALS, set()).add(signal)


class Database:
    """The engines of one process. `on_commit` is called in the writing thread after each commit that left signals."""

    def __init__(self, url: str) -> None:
        self.url = postgres_url(url)
        self.is_sqlite = make_url(self.url).get_backend_name() == "sqlite"
        self.on_commit: Callable[[frozenset[Signal]], None] = _nobody
        self._writer = threading.Lock()
        self._write_engine = self._sqlite_engine(writes=True) if self.is_sqlite else self._postgres_engine(writes=True)
        self._read_engine = self._sqlite_engine(writes=False) if self.is_sqlite else self._postgres_engine(writes=False)

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session that is committed when the block ends well and rolled back otherwise. Waits for its turn."""
        with self._writer:
            with Session(self._write_engine, expire_on_commit=False) as session:
                yield session
                session.commit()
            signals = frozenset(session.info.get(_SIGNALS, ()))
        if signals:
            self.on_commit(signals)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session that sees one snapshot and cannot write."""
        with Session(self._read_engine, expire_on_commit=False) as session:
            yield session

    def close(self) -> None:
        self._write_engine.dispose()
        self._read_engine.dispose()

    def _sqlite_engine(self, *, writes: bool) -> Engine:
        size = 1 if writes else READ_CONNECTIONS
        engine = create_engine(
            self.url, pool_size=size, max_overflow=0, pool_timeout=30, connect_args={"check_same_thread": False}
        )

        @event.listens_for(engine, "connect")
        def _configure(dbapi_connection: Any, _record: Any) -> None:
            # The driver must not begin by itself, or a reader's first write would upgrade its lock and deadlock.
            dbapi_connection.isolation_level = None
            for pragma in ("busy_timeout=5000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
                dbapi_connection.execute(f"PRAGMA {pragma}")
            if not writes:
                dbapi_connection.execute("PRAGMA query_only=ON")

        @event.listens_for(engine, "begin")
        def _begin(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

        return engine

    def _postgres_engine(self, *, writes: bool) -> Engine:
        connect_args = {"connect_timeout": 5, "application_name": "spillway"}
        if not writes:
            return create_engine(
                self.url,
                pool_size=READ_CONNECTIONS,
                max_overflow=0,
                pool_pre_ping=True,
                connect_args=connect_args,
                isolation_level="REPEATABLE READ",
                execution_options={"postgresql_readonly": True},
            )
        engine = create_engine(self.url, pool_size=1, max_overflow=0, pool_pre_ping=True, connect_args=connect_args)

        @event.listens_for(engine, "begin")
        def _take_turn(connection: Connection) -> None:
            connection.execute(text("SELECT pg_advisory_xact_lock(:id)"), {"id": _WRITER_LOCK_ID})

        return engine


def postgres_url(url: str) -> str:
    """The URL with our driver named; `postgres://` and `postgresql://` are what people have at hand."""
    for scheme in ("postgres://", "postgresql://"):
        if url.startswith(scheme):
            return "postgresql+psycopg://" + url.removeprefix(scheme)
    return url


def _nobody(_signals: frozenset[Signal]) -> None:
    return None
