"""Why an attempt's report is refused."""

from backend.errors import AppError, ConflictError


class StaleFenceError(ConflictError):
    def __init__(self, *, fence: int, detail: str) -> None:
        super().__init__(
            code="stale_fence",
            title="Another attempt has taken over",
            detail=f"Fence {fence} is stale: {detail}",
            hint="Stop the processes of this attempt; nothing more of it is stored.",
        )


class EventGapError(ConflictError):
    def __init__(self, *, last_seq: int, given_seq: int) -> None:
        super().__init__(
            code="event_gap",
            title="Events are missing in between",
            detail=f"last_seq is {last_seq}; the next new event must be {last_seq + 1}, but {given_seq} came.",
            hint=f"Send events from seq {last_seq + 1} on.",
        )


class ManifestMissingError(AppError):
    def __init__(self) -> None:
        super().__init__(
            status=409,
            code="manifest_missing",
            title="The artifact is not stored",
            detail="An attempt has succeeded only after the list of its artifact's files was stored.",
            hint="POST .../artifacts first, then finish.",
        )
