"""What a recipe is: an entry point of the group `spillway.recipes`, so that another way to train is a new file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from transformers import PreTrainedModel, PreTrainedTokenizerBase

from contracts.dataset import InstructionRow
from contracts.job import JobSpec
from contracts.reasons import Reason
from offload_core.integrations.transformers import OffloadArguments, OffloadedTrainerMixin
from worker.training.errors import TrainingError
from worker.training.step_meter import StepMeter

GROUP = "spillway.recipes"
Prepared = TypeVar("Prepared")
"""A row as the recipe's own trainer takes it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Work(Generic[Prepared]):
    """What a trainer is built from."""

    spec: JobSpec
    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    training_rows: Sequence[Prepared]
    offload: OffloadArguments
    meter: StepMeter
    output_folder: Path
    """For whatever the trainer wants to write; gone after the run."""


class Recipe(Protocol[Prepared]):
    """Made without arguments; holds nothing of a run."""

    def prepare(
        self, rows: Sequence[InstructionRow], tokenizer: PreTrainedTokenizerBase, spec: JobSpec
    ) -> list[Prepared]:
        """The rows that can be trained on. Raises ModelUnsupportedError or DatasetInvalidError."""
        ...

    def build_trainer(self, work: Work[Prepared]) -> OffloadedTrainerMixin:
        """A trainer whose class has `MeteredTrainerMixin` and `OffloadedTrainerMixin` before the library's own, which
        reports and saves nothing itself.
        """
        ...

    def evaluate(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        rows: Sequence[Prepared],
        spec: JobSpec,
        *,
        between_batches: Callable[[], None],
    ) -> float:
        """The loss on held-out rows, the same number for the same weights."""
        ...


def load_recipe(name: str) -> Recipe[Any]:
    """The recipe installed under this name. Raises TrainingError with the names there are."""
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in found:
        raise TrainingError(
            Reason.USER_ERROR,
            f"There is no recipe {name!r} on this box. Installed: {', '.join(sorted(found)) or 'none'}.",
        )
    recipe: Recipe[Any] = found[name].load()()
    return recipe
