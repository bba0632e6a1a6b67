"""Notices that somebody wrote a weight or a gradient before its update had come: the result would depend on luck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import torch

from offload_core.engine.rounds import ParameterUpdate
from offload_core.errors import GradientError, WeightError


class WriteGuard:
    """Compares autograd's counters on the updater thread. Writes through `.data` are past them and go unseen."""

    def __init__(self, parameters: Sequence[torch.Tensor], names: Sequence[str]) -> None:
        self._parameters = parameters
        self._names = names
        # Parameters that are views of one tensor may share a counter: our own write of one would look like another's.
        owners = Counter(_storage(parameter) for parameter in parameters)
        self._is_watched = [owners[_storage(parameter)] == 1 for parameter in parameters]
        self._left_at: dict[int, int] = {}

    def check_weight(self, parameter: int, update: ParameterUpdate, *, is_first_piece: bool) -> None:
        """Raise WeightError (`weights_written_during_update`) where the weight is not as step() or we left it."""
        expected = update.weight_version if is_first_piece else self._left_at[parameter]
        if self._is_watched[parameter] and self._parameters[parameter]._version != expected:  # noqa: SLF001 - torch's
            raise WeightError(
                "weights_written_during_update",
                f"{self._names[parameter]} was written from outside after step(), before its update had come.",
                next_step='Call optimizer.synchronize() before writing weights, or use schedule="plain".',
            )

    def leave_weight(self, parameter: int) -> None:
        """Note the counter after our own write."""
        self._left_at[parameter] = self._parameters[parameter]._version  # noqa: SLF001 - torch's counter

    def check_gradient(self, parameter: int, update: ParameterUpdate) -> None:
        """Raise GradientError (`gradient_written_during_update`) where it is not what step() took."""
        if update.grad._version != update.grad_version:  # noqa: SLF001 - torch's counter
            raise GradientError(
                "gradient_written_during_update",
                f"The gradient of {self._names[parameter]} was written after step(), before its update had come.",
                next_step='Call optimizer.synchronize() before writing gradients, or use schedule="plain".',
            )


def _storage(parameter: torch.Tensor) -> int:
    return parameter.untyped_storage().data_ptr() or id(parameter)
