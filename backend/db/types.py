"""Column types that behave the same on SQLite and PostgreSQL."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, DateTime, Dialect, Enum, Integer, String, Text
from sqlalchemy.types import TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """An aware moment in UTC. SQLite keeps no zone and returns naive values; this puts UTC back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class CleanString(TypeDecorator[str]):
    """Text without NUL characters, which PostgreSQL refuses: people's input and logs may hold them."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else value.replace("\0", "\N{REPLACEMENT CHARACTER}")


class CleanText(CleanString):
    """The same without a limit on its length."""

    impl = Text
    cache_ok = True


RowNumber = BigInteger().with_variant(Integer, "sqlite")
"""Only INTEGER makes SQLite count a primary key up by itself; there it holds 64 bits as well."""


def text_enum(members: type[StrEnum]) -> Any:
    """The enum's value as text. No CHECK: a new member must not need a table rebuilt."""
    return Enum(members, native_enum=False, create_constraint=False, length=40, values_callable=_values)


def _values(members: Any) -> list[str]:
    return [member.value for member in members]
