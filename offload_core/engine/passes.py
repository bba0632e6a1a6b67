"""Which modules the passes between two steps called. Pure."""

from __future__ import annotations


class Passes:
    """A pass is one call of the whole model that builds a graph. One in eval mode says nothing about training."""

    def __init__(self) -> None:
        self.were_any = False
        self.called_ever: set[int] = set()
        """What any pass called."""
        self.called_always: set[int] | None = None
        """What each training pass called; None where there was none."""
        self._newest: set[int] = set()
        self._is_training = False

    def begin(self, *, is_training: bool) -> None:
        """A pass starts; what was noted since the start of the one before belongs to that."""
        self.end()
        self.were_any = True
        self._is_training = is_training

    def note(self, module: int) -> None:
        """A module is called in the newest pass, or recomputed for its backward."""
        self._newest.add(module)

    def end(self) -> None:
        """The newest pass, if any, and its backward are over."""
        if self._is_training:
            self.called_always = self._newest if self.called_always is None else self.called_always & self._newest
        self.called_ever |= self._newest
        self._newest, self._is_training = set(), False
