"""Queries on metric buckets."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from backend.db.models import MetricBucket
from backend.metrics.buckets import Bucket
from backend.metrics.schemas import SeriesName


class BucketKey(NamedTuple):
    name: SeriesName
    level: int
    bucket: int


def between(
    session: Session, attempt_id: str, names: Sequence[SeriesName], *, level: int, from_bucket: int, to_bucket: int
) -> Iterator[tuple[BucketKey, Bucket]]:
    query = select(
        MetricBucket.name,
        MetricBucket.bucket,
        MetricBucket.min,
        MetricBucket.max,
        MetricBucket.last,
        MetricBucket.last_step,
        MetricBucket.count,
        MetricBucket.nan_count,
    ).where(
        MetricBucket.attempt_id == attempt_id,
        MetricBucket.name.in_([name.value for name in names]),
        MetricBucket.level == level,
        MetricBucket.bucket.between(from_bucket, to_bucket),
    )
    for row in session.execute(query):
        yield (
            BucketKey(SeriesName(row.name), level, row.bucket),
            Bucket(
                min=row.min,
                max=row.max,
                last=row.last,
                last_step=row.last_step,
                count=row[6],
                nan_count=row.nan_count,
            ),
        )


def merge_in(session: Session, attempt_id: str, fresh: dict[BucketKey, Bucket]) -> None:
    """Add to what is stored. Safe as read and write because write transactions run one at a time."""
    known = set()
    for key, bucket in _stored(session, attempt_id, fresh):
        fresh[key].merge(bucket)
        known.add(key)
    new = [_row(attempt_id, key, bucket) for key, bucket in fresh.items() if key not in known]
    old = [_row(attempt_id, key, bucket) for key, bucket in fresh.items() if key in known]
    if new:
        session.execute(insert(MetricBucket), new)
    if old:
        session.execute(update(MetricBucket), old)


def _stored(session: Session, attempt_id: str, keys: Iterable[BucketKey]) -> Iterator[tuple[BucketKey, Bucket]]:
    """One short range a level instead of a long list of keys."""
    by_level: dict[int, list[BucketKey]] = {}
    for key in keys:
        by_level.setdefault(key.level, []).append(key)
    for level, at_level in by_level.items():
        wanted = set(at_level)
        names = sorted({key.name for key in at_level})
        numbers = [key.bucket for key in at_level]
        for key, bucket in between(
            session, attempt_id, names, level=level, from_bucket=min(numbers), to_bucket=max(numbers)
        ):
            if key in wanted:
                yield key, bucket


def _row(attempt_id: str, key: BucketKey, bucket: Bucket) -> dict[str, str | int | float | None]:
    return {
        "attempt_id": attempt_id,
        "name": key.name.value,
        "level": key.level,
        "bucket": key.bucket,
        "min": bucket.min,
        "max": bucket.max,
        "last": bucket.last,
        "last_step": bucket.last_step,
        "count": bucket.count,
        "nan_count": bucket.nan_count,
    }
