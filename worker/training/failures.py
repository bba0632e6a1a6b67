"""Which reason an exception is, and what to tell the person. Loads no torch: an import of torch may be what failed."""

import errno
from dataclasses import dataclass

from contracts.reasons import EXPLANATIONS, Reason
from offload_core.errors import DiskFullError, OffloadError, ParameterError, PlacementError, StorageError
from worker.training.errors import TrainingError


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    reason: Reason
    message: str


def explain(error: BaseException) -> Failure:
    """The reason, with the error's own numbers and the next step."""
    if isinstance(error, TrainingError):
        return Failure(reason=error.reason, message=error.message)
    if isinstance(error, OffloadError):
        return Failure(reason=_engine_reason(error), message=f"{error.message} {error.next_step}")
    reason = _foreign_reason(error)
    # The first line: what follows in torch's memory errors is allocator advice for developers.
    said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return Failure(reason=reason, message=f"{type(error).__name__}: {said}. {EXPLANATIONS[reason].next_step}")


def _engine_reason(error: OffloadError) -> Reason:
    if isinstance(error, PlacementError):
        return Reason.PLACEMENT_IMPOSSIBLE
    if isinstance(error, DiskFullError):
        return Reason.DISK_FULL
    if isinstance(error, StorageError):
        return Reason.DISK_ERROR
    if isinstance(error, ParameterError):
        return Reason.MODEL_UNSUPPORTED
    return Reason.INTERNAL


def _foreign_reason(error: BaseException) -> Reason:
    if isinstance(error, MemoryError) or "can't allocate memory" in str(error):
        return Reason.HOST_RAM_EXHAUSTED
    if type(error).__name__ == "OutOfMemoryError" and type(error).__module__.startswith("torch"):
        return Reason.DEVICE_OUT_OF_MEMORY
    if isinstance(error, OSError):
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            return Reason.DISK_FULL
        if error.errno == errno.EIO:
            return Reason.DISK_ERROR
    # No code of the user runs here: what is not foreseen is our fault until shown otherwise.
    return Reason.INTERNAL
