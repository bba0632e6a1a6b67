"""What ends a training process early; each carries the reason, the numbers and the next step."""

from contracts.reasons import Reason


class TrainingError(Exception):
    """A known way to fail. The message is for a person and ends with what to do."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class ModelMissingError(TrainingError):
    def __init__(self, message: str) -> None:
        super().__init__(Reason.MODEL_MISSING, message)


class ModelUnsupportedError(TrainingError):
    def __init__(self, message: str) -> None:
        super().__init__(Reason.MODEL_UNSUPPORTED, message)


class DatasetInvalidError(TrainingError):
    def __init__(self, message: str) -> None:
        super().__init__(Reason.DATASET_INVALID, message)


class DivergedError(TrainingError):
    def __init__(self, *, step: int, num_steps: int) -> None:
        super().__init__(
            Reason.DIVERGED,
            f"The loss or its gradient was NaN or infinite in {num_steps} consecutive steps, the last of them step "
            f"{step}. "
            "Lower learning_rate, add warmup_steps, or look for broken rows in the data.",
        )


class StopAskedError(Exception):
    """Raised where a run may end cleanly, once the stop file is there. Not a failure."""

    def __init__(self, *, step: int) -> None:
        super().__init__(f"asked to stop after step {step}")
        self.step = step
