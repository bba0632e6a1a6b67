"""One round of updates: what `step()` hands over, and which partitions get buffers when."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import torch

from offload_core.kernels.scalars import UpdateScalars


@dataclass(frozen=True, kw_only=True, slots=True)
class ParameterUpdate:
    """One parameter's gradient, flat and contiguous, with its hyper-parameters as they were in `step()`.

    The versions are autograd's counters at that moment: nobody may write either tensor before the update has come.
    """

    grad: torch.Tensor
    grad_version: int
    weight_version: int
    scalars: UpdateScalars


class GrantOrder:
    """Decides which partition gets the next buffer: strictly in (round, partition) order. Pure state, no threads.

    Buffers of a round that `step()` has not launched yet are read-ahead; they are granted for one round at most.
    """

    def __init__(self, partitions: Sequence[int]) -> None:
        self._partitions = tuple(partitions)
        self._round = 0
        self._position = 0

    def next_grant(self, *, launched: int, active: Collection[int] | None, held: Collection[int]) -> int | None:
        """Return the partition to grant now, or None if it must wait.

        `launched` rounds were handed over so far; `active` are the partitions that the last of them steps (None: all),
        and `held` those that still have a buffer from the round before: they are being written.
        """
        if not self._partitions:
            return None
        while self._round < launched:
            if self._position == len(self._partitions):
                self._round, self._position = self._round + 1, 0
                continue
            partition = self._partitions[self._position]
            if active is not None and partition not in active:
                self._position += 1
                continue
            return self._grant(held)
        # Nothing was ever written before the first round: there is nothing to read ahead.
        if self._round == launched > 0 and self._position < len(self._partitions):
            return self._grant(held)
        return None

    def _grant(self, held: Collection[int]) -> int | None:
        partition = self._partitions[self._position]
        if partition in held:
            return None
        self._position += 1
        return partition

    def finish_rounds_before(self, launched: int) -> None:
        """Pass over what is left of older rounds: their partitions without gradients, which nobody waits for."""
        if self._round < launched:
            self.restart_round(launched)

    def restart_round(self, launched: int) -> None:
        """Forget the read-ahead: the round to come is granted from its first partition."""
        self._round, self._position = launched, 0

    @property
    def round(self) -> int:
        """The round whose partitions are granted now."""
        return self._round


def partitions_of(parameters: Iterable[int], by_parameter: Sequence[Sequence[int]]) -> frozenset[int]:
    """Return every partition that holds a piece of one of the parameters."""
    return frozenset(partition for parameter in parameters for partition in by_parameter[parameter])
