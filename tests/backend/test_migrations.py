"""The same migrations on both databases, there and back."""

import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.exc import IntegrityError

from backend.attempts.states import AttemptState
from backend.db import migrate
from backend.db.models import Attempt, Box, Dataset, Job, Lease, Model, Project
from backend.db.session import Database, postgres_url
from contracts.job import JobState
from tests.services import Postgres

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'fresh.db'}"
        return
    server: Postgres = request.getfixturevalue("postgres")
    name = f"migrate_{secrets.token_hex(6)}"
    yield server.create_database(name)
    server.drop_database(name)


def tables(url: str) -> set[str]:
    engine = create_engine(postgres_url(url))
    found = set(inspect(engine).get_table_names())
    engine.dispose()
    return found


def test_up_down_and_up_again_and_the_models_match(url: str) -> None:
    with pytest.raises(migrate.SchemaMismatchError, match="python -m backend migrate"):
        migrate.require_current(url)
    migrate.upgrade(url)
    migrate.require_current(url)
    migrate.check_models_match(url)
    assert {"jobs", "attempts", "leases", "events", "metric_buckets"} <= tables(url)
    migrate.downgrade(url, "base")
    assert tables(url) <= {"alembic_version", "sqlite_sequence"}
    migrate.upgrade(url)
    migrate.check_models_match(url)


def test_a_newer_schema_is_told_as_such(url: str) -> None:
    migrate.upgrade(url)
    engine = create_engine(postgres_url(url))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    for start in (migrate.require_current, migrate.upgrade):
        with pytest.raises(migrate.SchemaMismatchError, match="start the newer version"):
            start(url)


def test_the_database_itself_forbids_two_live_attempts_of_a_job_or_on_a_box(url: str) -> None:
    migrate.upgrade(url)
    database = Database(url)
    made = {"created_at": NOW, "created_by": "x"}
    with database.write() as session:
        session.add(Project(project_id="p", name="p", created_at=NOW))
        session.flush()
        session.add(Model(model_id="m", project_id="p", name="m", source="{}", **made))
        session.add(Dataset(dataset_id="d", project_id="p", name="d", sha256="0", num_bytes=1, num_rows=2, **made))
        session.add_all(Box(box_id=name, name=name, state="{}", registered_at=NOW, seen_at=NOW) for name in "ab")
        session.flush()
        named = {"project_id": "p", "state": JobState.QUEUED, "message": "", "spec": "{}"}
        session.add_all(Job(job_id=name, name=name, model_id="m", dataset_id="d", **named, **made) for name in "jk")
    _grant(database, "first", job="j", box="a", number=1)
    for name, job, box, number in (("second", "j", "b", 2), ("third", "k", "a", 1)):
        with pytest.raises(IntegrityError, match=r"(?i)unique"):
            _grant(database, name, job=job, box=box, number=number)
    with database.write() as session:
        session.get_one(Attempt, "first").ended_at = NOW
        session.get_one(Lease, "first").released_at = NOW
    _grant(database, "fourth", job="j", box="a", number=2)
    database.close()


def _grant(database: Database, name: str, *, job: str, box: str, number: int) -> None:
    with database.write() as session:
        state = {"state": AttemptState.GRANTED, "granted_at": NOW, "message": ""}
        ids = {"project_id": "p", "job_id": job, "box_id": box}
        session.add(Attempt(attempt_id=name, number=number, fence=number, **ids, **state))
        session.flush()
        session.add(Lease(attempt_id=name, box_id=box, host_bytes=0, nvme_bytes=0, expires_at=NOW))
