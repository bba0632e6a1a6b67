"""Folding steps into buckets of a power of two steps. Pure."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from math import isfinite

from backend.metrics.schemas import SeriesName
from contracts.events import AnyEvent, EvaluationCompleted, StepCompleted

STORED_LEVELS = (4, 8, 12, 16)
"""Buckets of 16, 256, 4096 and 65536 steps are kept as events come; others are made from them when asked for."""
_MOST_STEPS_LEVEL = 62


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """One series at one step; a value that was NaN or infinite is None."""

    name: SeriesName
    step: int
    value: float | None


@dataclass(kw_only=True, slots=True)
class Bucket:
    min: float | None = None
    max: float | None = None
    last: float | None = None
    last_step: int = -1
    """Of the last finite value."""
    count: int = 0
    nan_count: int = 0

    def add(self, point: Point) -> None:
        value = point.value
        self.count += 1
        if value is None:
            self.nan_count += 1
            return
        self.min = value if self.min is None else min(self.min, value)
        self.max = value if self.max is None else max(self.max, value)
        if point.step >= self.last_step:
            self.last, self.last_step = value, point.step

    def merge(self, other: "Bucket") -> None:
        """Take in a bucket of other steps; the order does not matter."""
        if other.min is not None:
            self.min = other.min if self.min is None else min(self.min, other.min)
        if other.max is not None:
            self.max = other.max if self.max is None else max(self.max, other.max)
        if other.last_step >= self.last_step:
            self.last, self.last_step = other.last, other.last_step
        self.count += other.count
        self.nan_count += other.nan_count


Folded = dict[tuple[SeriesName, int], Bucket]
"""By series and number of the bucket."""


def points(event: AnyEvent, wanted: Container[SeriesName] = frozenset(SeriesName)) -> list[Point]:
    """What an event adds to the wanted series; empty for events that are not drawn."""
    return [
        Point(name=name, step=event.step, value=_finite(value))
        for name, value in _values(event).items()
        if name in wanted and isinstance(event, StepCompleted | EvaluationCompleted)
    ]


def _values(event: AnyEvent) -> dict[SeriesName, float | None]:
    if isinstance(event, EvaluationCompleted):
        return {SeriesName.EVAL_LOSS: event.loss}
    if not isinstance(event, StepCompleted):
        return {}
    values: dict[SeriesName, float | None] = {
        SeriesName.LOSS: event.loss,
        SeriesName.LEARNING_RATE: event.learning_rate,
        SeriesName.GRAD_NORM: event.grad_norm,
        SeriesName.TOKENS_PER_SECOND: event.tokens_per_second,
        SeriesName.STEP_SECONDS: event.step_seconds,
        SeriesName.STALL_NVME_READ_SECONDS: event.stall_seconds.nvme_read,
        SeriesName.STALL_NVME_WRITE_SECONDS: event.stall_seconds.nvme_write,
        SeriesName.STALL_UPDATE_SECONDS: event.stall_seconds.update,
        SeriesName.READ_BYTES: event.read_bytes,
        SeriesName.WRITTEN_BYTES: event.written_bytes,
        SeriesName.OCCUPANCY_DEVICE_BYTES: event.occupancy_bytes.device,
        SeriesName.OCCUPANCY_HOST_BYTES: event.occupancy_bytes.host,
        SeriesName.OCCUPANCY_NVME_BYTES: event.occupancy_bytes.nvme,
        SeriesName.RSS_BYTES: event.rss_bytes,
    }
    if event.overlap_share is not None:
        # Null means that nothing was transferred, which is no value at all, unlike a loss that is NaN.
        values[SeriesName.OVERLAP_SHARE] = event.overlap_share
    return values


def fold(found: Iterable[Point], level: int) -> Folded:
    folded: Folded = {}
    for point in found:
        key = (point.name, point.step >> level)
        bucket = folded.get(key)
        if bucket is None:
            bucket = folded[key] = Bucket()
        bucket.add(point)
    return folded


def widen(narrow: Iterable[tuple[tuple[SeriesName, int], Bucket]], shift: int) -> Folded:
    """Buckets of `shift` levels further up, made of these."""
    wide: Folded = {}
    for (name, number), bucket in narrow:
        wide.setdefault((name, number >> shift), Bucket()).merge(bucket)
    return wide


def level_for(num_steps: int, num_buckets: int) -> int:
    """The narrowest level whose buckets, so many at most, cover so many steps."""
    return next(level for level in range(_MOST_STEPS_LEVEL) if ((num_steps - 1) >> level) + 1 <= num_buckets)


def stored_level_at_most(level: int) -> int | None:
    """The widest kept level that `level` can be made of; None: only single steps are narrow enough."""
    return max((stored for stored in STORED_LEVELS if stored <= level), default=None)


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None
