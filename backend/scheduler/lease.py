"""Which process runs the scheduler: a row that its holder renews."""

import secrets
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from backend.db.models import Loop

LEASE = timedelta(seconds=10)


class LoopLease:
    def __init__(self, name: str) -> None:
        self._name = name
        self._me = secrets.token_hex(8)

    def hold(self, session: Session, *, now: datetime) -> bool:
        """Take or renew it. False: another process has it."""
        row = session.get(Loop, self._name)
        if row is None:
            session.add(Loop(name=self._name, holder=self._me, expires_at=now + LEASE))
            return True
        if row.holder != self._me and row.expires_at > now:
            return False
        # Half of the time is renewal enough, and saves a write each round.
        if row.holder != self._me or row.expires_at - now < LEASE / 2:
            row.holder, row.expires_at = self._me, now + LEASE
        return True

    def release(self, session: Session) -> None:
        row = session.get(Loop, self._name)
        if row is not None and row.holder == self._me:
            session.delete(row)

    def break_in(self, session: Session) -> None:
        """Take it from a dead holder; only for who knows that no other process lives."""
        row = session.get(Loop, self._name)
        if row is not None:
            session.delete(row)
