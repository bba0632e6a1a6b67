"""Errors of the engine. Each carries a stable code, the numbers that explain it, and the next step for a person."""

from __future__ import annotations

from pathlib import Path

__all__ = [
    "ChecksumError",
    "DiskFullError",
    "EngineCopyError",
    "EngineStateError",
    "GradientError",
    "OffloadError",
    "ParameterError",
    "PlacementError",
    "RunDirectoryError",
    "StorageError",
    "TransferError",
    "WeightError",
]


class OffloadError(Exception):
    """Base of every error that the engine raises on purpose.

    `code` is stable and meant for programs; `message` says what happened with its numbers; `next_step` says what to do.
    """

    def __init__(self, code: str, message: str, *, next_step: str) -> None:
        super().__init__(f"{message} {next_step} [{code}]")
        self.code = code
        self.message = message
        self.next_step = next_step


class PlacementError(OffloadError):
    """The state does not fit the budgets given, or the placement itself makes no sense."""

    def __init__(
        self, code: str, message: str, *, next_step: str, needed_bytes: int = 0, available_bytes: int = 0
    ) -> None:
        super().__init__(code, message, next_step=next_step)
        self.needed_bytes = needed_bytes
        self.available_bytes = available_bytes


class StorageError(OffloadError):
    """A file or directory of the nvme tier cannot be used as asked."""

    def __init__(self, code: str, message: str, *, next_step: str, path: Path, num_bytes: int = 0) -> None:
        super().__init__(code, message, next_step=next_step)
        self.path = path
        self.num_bytes = num_bytes


class DiskFullError(StorageError):
    """The filesystem has no room for bytes that were asked of it."""


class TransferError(StorageError):
    """A read or write failed or ended early; the state of that partition cannot be trusted."""


class ChecksumError(StorageError):
    """Bytes read back differ from those written."""


class RunDirectoryError(StorageError):
    """The run directory has a living owner, or cannot be owned."""


class ParameterError(OffloadError):
    """A parameter has a device, dtype or layout that the engine cannot step exactly."""


class GradientError(OffloadError):
    """A gradient cannot be used as torch would have used it."""


class WeightError(OffloadError):
    """A weight was read or written at a time when the engine could not make it right."""


class EngineStateError(OffloadError):
    """The engine was used after close(), in a forked child, or after a failure."""


class EngineCopyError(OffloadError):
    """The optimizer owns files, locks and threads: it can be neither copied nor pickled."""

    def __init__(self) -> None:
        super().__init__(
            "engine_copied",
            "OffloadedAdamW owns files, locks and threads and cannot be copied or pickled.",
            next_step="Copy state_dict() instead, and build another optimizer with its own run_dir.",
        )
