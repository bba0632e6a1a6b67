"""Loss and tokens of the step under way, summed over its micro-batches."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from torch import Tensor, nn

if TYPE_CHECKING:
    from transformers import Trainer

    _Base = Trainer
else:
    _Base = object


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    loss: float
    tokens: int
    """Without padding."""


class StepMeter:
    def __init__(self) -> None:
        self._losses: list[Tensor] = []
        self._tokens: list[Tensor] = []

    def add(self, *, loss: Tensor, attention_mask: Tensor) -> None:
        """Count one micro-batch; its loss is already divided for the step, so that the step's is their sum."""
        self._losses.append(loss.detach())
        self._tokens.append(attention_mask.sum())

    def take(self) -> Measured:
        """The step's sums, and start anew. Waits for the device."""
        loss, tokens = sum(float(part) for part in self._losses), sum(int(part) for part in self._tokens)
        self._losses.clear()
        self._tokens.clear()
        return Measured(loss=loss, tokens=tokens)


class MeteredTrainerMixin(_Base):
    """Put before a trainer class; feeds the meter. The trainer's own log rounds and leaves out NaN."""

    def __init__(self, *args: Any, meter: StepMeter, **kwargs: Any) -> None:
        self.meter = meter
        super().__init__(*args, **kwargs)

    def training_step(self, model: nn.Module, inputs: dict[str, Any], num_items_in_batch: Any = None) -> Tensor:
        attention_mask = inputs["attention_mask"]
        loss: Tensor = super().training_step(model, inputs, num_items_in_batch)
        self.meter.add(loss=loss, attention_mask=attention_mask)
        return loss
