"""Series of an attempt: kept in buckets of four widths, answered in any power of two."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from backend.errors import InvalidRequestError
from backend.events import service as events
from backend.metrics import repository
from backend.metrics.buckets import (
    STORED_LEVELS,
    Bucket,
    Folded,
    fold,
    level_for,
    points,
    stored_level_at_most,
    widen,
)
from backend.metrics.repository import BucketKey
from backend.metrics.schemas import BucketRead, MetricsRead, Series, SeriesName
from contracts.events import AnyEvent
from contracts.problem import ProblemItem


def parse_names(text: str) -> list[SeriesName]:
    """Raises InvalidRequestError for a name that is no series."""
    names = dict.fromkeys(part.strip() for part in text.split(",") if part.strip())
    unknown = [name for name in names if name not in set(SeriesName)]
    if unknown:
        hint = f"There are: {', '.join(SeriesName)}."
        raise InvalidRequestError(
            code="unknown_series",
            title="No such series",
            detail=f"There is no series {', '.join(map(repr, unknown))}.",
            hint=hint,
            errors=[
                ProblemItem(pointer="query names", code="unknown_series", message=repr(n), hint=hint) for n in unknown
            ],
        )
    return [SeriesName(name) for name in names]


def fold_in(session: Session, attempt_id: str, new_events: Sequence[AnyEvent]) -> None:
    """Add new events to the kept buckets, in the transaction that stores them."""
    found = [point for event in new_events for point in points(event)]
    fresh: dict[BucketKey, Bucket] = {}
    folded, level_before = fold(found, STORED_LEVELS[0]), STORED_LEVELS[0]
    for level in STORED_LEVELS:
        folded, level_before = widen(folded.items(), level - level_before), level
        fresh |= {BucketKey(name, level, number): bucket for (name, number), bucket in folded.items()}
    if fresh:
        repository.merge_in(session, attempt_id, fresh)


def read(
    session: Session,
    attempt_id: str | None,
    names: Sequence[SeriesName],
    *,
    from_step: int,
    to_step: int | None,
    num_buckets: int,
    has_all_steps: bool,
) -> MetricsRead:
    last_step = events.highest_step(session, attempt_id) if attempt_id is not None else None
    end = last_step if to_step is None or last_step is None else min(to_step, last_step)
    if attempt_id is None or last_step is None or end is None or end < from_step:
        return MetricsRead(series=[Series(name=name, buckets=[]) for name in names], last_step=last_step)
    level = level_for(end - from_step + 1, num_buckets)
    if not has_all_steps:
        level = max(level, STORED_LEVELS[0])
    folded = _folded(session, attempt_id, names, level=level, from_step=from_step, to_step=end)
    series = [Series(name=name, buckets=_buckets(folded, name, level)) for name in names]
    return MetricsRead(series=series, last_step=last_step)


def _folded(
    session: Session, attempt_id: str, names: Sequence[SeriesName], *, level: int, from_step: int, to_step: int
) -> Folded:
    """Whole buckets of the level, also at the ends of the range: edges that move would make a chart flicker."""
    first, last = from_step >> level, to_step >> level
    source = stored_level_at_most(level)
    if source is None:
        found = events.steps(session, attempt_id, from_step=first << level, to_step=((last + 1) << level) - 1)
        wanted = frozenset(names)
        return fold((point for event in found for point in points(event, wanted)), level)
    shift = level - source
    rows = repository.between(
        session, attempt_id, names, level=source, from_bucket=first << shift, to_bucket=((last + 1) << shift) - 1
    )
    return widen((((key.name, key.bucket), bucket) for key, bucket in rows), shift)


def _buckets(folded: Folded, name: SeriesName, level: int) -> list[BucketRead]:
    numbers = sorted(number for series, number in folded if series == name)
    return [
        BucketRead(
            from_step=number << level,
            to_step=((number + 1) << level) - 1,
            min=bucket.min,
            max=bucket.max,
            last=bucket.last,
            count=bucket.count,
            nan_count=bucket.nan_count,
        )
        for number in numbers
        for bucket in (folded[name, number],)
    ]
