"""What can go wrong on a box, each with a code, the facts and the next step."""

from pathlib import Path

from contracts.reasons import Reason


class WorkerError(Exception):
    """Something a person must act on."""

    code = "worker_error"

    def __init__(self, message: str, next_step: str) -> None:
        super().__init__(f"{message} {next_step}".strip())
        self.message = message
        self.next_step = next_step


class BoxTokenError(WorkerError):
    code = "box_token_unreadable"

    def __init__(self, file: Path, cause: str) -> None:
        super().__init__(
            f"The box token cannot be read from {file}: {cause}.",
            "Give --box-token-file the file `box-token` of the API's data folder.",
        )


class FolderError(WorkerError):
    code = "folder_unusable"

    def __init__(self, folder: Path, cause: str) -> None:
        super().__init__(
            f"The folder {folder} cannot be made: {cause}.",
            "Give --data-dir and --nvme folders that this user may write to.",
        )


class AgentRunningError(WorkerError):
    code = "agent_running"

    def __init__(self, data_dir: Path, pid: str) -> None:
        super().__init__(
            f"Another agent (pid {pid}) works in {data_dir}.",
            "Stop it first, or give this one another --data-dir.",
        )


class BoxRefusedError(WorkerError):
    code = "box_refused"

    def __init__(self, url: str, cause: str, next_step: str) -> None:
        super().__init__(f"The API at {url} refused this box: {cause.rstrip('.')}.", next_step)


class StartError(WorkerError):
    """The attempt cannot be started on this box."""

    code = "attempt_not_started"

    def __init__(self, reason: Reason, message: str, next_step: str = "") -> None:
        super().__init__(message, next_step)
        self.reason = reason


class SpoolCorruptError(WorkerError):
    code = "spool_corrupt"

    def __init__(self, file: Path, line_number: int, cause: str) -> None:
        super().__init__(
            f"Line {line_number} of {file} is not the event it should be: {cause}.",
            "Only the spool's writer may write this file; look for other code that does.",
        )
