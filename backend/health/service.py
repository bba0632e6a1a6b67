"""Whether work is being done: the scheduler ticks, the database answers."""

import time
from datetime import datetime

from sqlalchemy.exc import SQLAlchemyError

from backend.boxes import service as boxes
from backend.db.session import Database
from backend.health.schemas import BoxHealth, HealthRead
from backend.outbox import service as outbox
from backend.version import VERSION

STANDSTILL_SECONDS = 10.0


class Pulse:
    """When a loop last completed a round."""

    def __init__(self) -> None:
        self._at: float | None = None

    def beat(self) -> None:
        self._at = time.monotonic()

    @property
    def age_seconds(self) -> float | None:
        return None if self._at is None else round(time.monotonic() - self._at, 3)


def read(database: Database, pulse: Pulse, *, now: datetime) -> HealthRead:
    """Opens its own session: a database that is away is an answer here, not an error."""
    age = pulse.age_seconds
    try:
        with database.read() as session:
            num_pending = outbox.num_pending(session)
            known = boxes.views(session, now=now)
    except SQLAlchemyError:
        return HealthRead(
            status="degraded",
            version=VERSION,
            database="unreachable",
            scheduler_age_seconds=age,
            outbox_pending=0,
            boxes=[],
        )
    return HealthRead(
        status="ok" if age is not None and age < STANDSTILL_SECONDS else "degraded",
        version=VERSION,
        database="ok",
        scheduler_age_seconds=age,
        outbox_pending=num_pending,
        boxes=[
            BoxHealth(
                box_id=box.box_id,
                name=box.name,
                seen_age_seconds=round(max((now - box.seen_at).total_seconds(), 0.0), 3),
            )
            for box in known
        ],
    )
