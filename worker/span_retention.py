"""Which steps' span files stay: the last, the slowest, and those where something went wrong. Pure."""

KEPT_SLOWEST = 5
KEPT_MARKED = 100
"""A run that diverges marks every step; the first ones tell the story."""


class SpanRetention:
    """Fed every written step once; says which earlier ones to drop."""

    def __init__(self, kept_steps: int) -> None:
        self._kept_steps = kept_steps
        self._recent: list[tuple[int, float]] = []
        self._slowest: list[tuple[float, int]] = []
        self._marked: set[int] = set()

    def mark(self, step: int) -> None:
        """This step was skipped or not finite: keep it."""
        if len(self._marked) < KEPT_MARKED:
            self._marked.add(step)

    def add(self, step: int, duration_seconds: float) -> list[int]:
        """The steps whose files may go now."""
        self._recent = [(kept, seconds) for kept, seconds in self._recent if kept != step]
        self._recent.append((step, duration_seconds))
        dropped = []
        while len(self._recent) > self._kept_steps:
            leaving, seconds = self._recent.pop(0)
            if leaving not in self._marked:
                dropped += self._leave(leaving, seconds)
        return dropped

    def _leave(self, step: int, seconds: float) -> list[int]:
        self._slowest = sorted([*self._slowest, (seconds, step)], reverse=True)
        over, self._slowest = self._slowest[KEPT_SLOWEST:], self._slowest[:KEPT_SLOWEST]
        return [dropped for _, dropped in over]
