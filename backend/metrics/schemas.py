"""Series as charts need them: at most so many buckets, whatever the length of the run."""

from enum import StrEnum

from contracts.base import Contract


class SeriesName(StrEnum):
    LOSS = "loss"
    LEARNING_RATE = "learning_rate"
    GRAD_NORM = "grad_norm"
    TOKENS_PER_SECOND = "tokens_per_second"
    STEP_SECONDS = "step_seconds"
    OVERLAP_SHARE = "overlap_share"
    STALL_NVME_READ_SECONDS = "stall_nvme_read_seconds"
    STALL_NVME_WRITE_SECONDS = "stall_nvme_write_seconds"
    STALL_UPDATE_SECONDS = "stall_update_seconds"
    READ_BYTES = "read_bytes"
    WRITTEN_BYTES = "written_bytes"
    OCCUPANCY_DEVICE_BYTES = "occupancy_device_bytes"
    OCCUPANCY_HOST_BYTES = "occupancy_host_bytes"
    OCCUPANCY_NVME_BYTES = "occupancy_nvme_bytes"
    RSS_BYTES = "rss_bytes"
    EVAL_LOSS = "eval_loss"


class BucketRead(Contract):
    from_step: int
    to_step: int
    """Inclusive. Edges are multiples of a power of two, so a bucket keeps its edges while the run grows."""
    min: float | None
    """Null: no finite value in the bucket."""
    max: float | None
    last: float | None
    """The last finite value."""
    count: int
    """Steps with a value, finite or not."""
    nan_count: int
    """Steps whose value was NaN or infinite."""


class Series(Contract):
    name: SeriesName
    buckets: list[BucketRead]


class MetricsRead(Contract):
    series: list[Series]
    last_step: int | None
    """Newest step stored; null: none yet."""
