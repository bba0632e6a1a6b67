"""The one table of legal moves between the states of a job. Pure."""

from contracts.job import JobState as S

LEGAL_MOVES: dict[S | None, frozenset[S]] = {
    # Submitted.
    None: frozenset({S.QUEUED}),
    # In the queue: waiting says what for. An attempt is granted from either.
    S.QUEUED: frozenset({S.WAITING, S.STARTING, S.CANCELLED}),
    S.WAITING: frozenset({S.WAITING, S.STARTING, S.CANCELLED}),
    # An attempt lives. Back to the queue when it is lost or interrupted.
    S.STARTING: frozenset({S.RUNNING, S.QUEUED, S.CANCELLING, S.CANCELLED, S.SUCCEEDED, S.FAILED}),
    S.RUNNING: frozenset({S.SAVING, S.PAUSING, S.QUEUED, S.CANCELLING, S.SUCCEEDED, S.FAILED}),
    S.SAVING: frozenset({S.QUEUED, S.CANCELLING, S.SUCCEEDED, S.FAILED}),
    S.PAUSING: frozenset({S.PAUSED, S.QUEUED, S.CANCELLING, S.SUCCEEDED, S.FAILED}),
    S.PAUSED: frozenset({S.QUEUED, S.CANCELLED}),
    # Held until no process lives. A run that was done before the request reached it has succeeded.
    S.CANCELLING: frozenset({S.CANCELLED, S.SUCCEEDED}),
    S.SUCCEEDED: frozenset(),
    S.FAILED: frozenset(),
    S.CANCELLED: frozenset(),
}
IN_QUEUE = frozenset({S.QUEUED, S.WAITING})


class IllegalMoveError(Exception):
    """A mistake of ours: the caller decides on a move only after looking at the state."""

    def __init__(self, from_state: S | None, to_state: S) -> None:
        super().__init__(f"a job may not move from {from_state} to {to_state}")


def check_move(from_state: S | None, to_state: S) -> None:
    """Raise IllegalMoveError unless the table has this move."""
    if to_state not in LEGAL_MOVES[from_state]:
        raise IllegalMoveError(from_state, to_state)
