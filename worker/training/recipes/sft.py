"""Full-parameter supervised fine-tuning on instruction rows, with TRL's trainer. Loss on the answers only."""

from collections.abc import Callable, Sequence

from datasets import Dataset
from transformers import PreTrainedModel, PreTrainedTokenizerBase
from trl.trainer.sft_config import SFTConfig
from trl.trainer.sft_trainer import DataCollatorForLanguageModeling, SFTTrainer

from contracts.dataset import InstructionRow
from contracts.job import JobSpec
from offload_core.integrations.transformers import OffloadedTrainerMixin
from worker.training.evaluation import mean_token_loss
from worker.training.recipes.protocol import Work
from worker.training.step_meter import MeteredTrainerMixin
from worker.training.tokens import TokenizedRow, tokenize_rows
from worker.training.trainer_arguments import common_arguments


class _Trainer(MeteredTrainerMixin, OffloadedTrainerMixin, SFTTrainer):
    pass


class SupervisedFineTuning:
    def prepare(
        self, rows: Sequence[InstructionRow], tokenizer: PreTrainedTokenizerBase, spec: JobSpec
    ) -> list[TokenizedRow]:
        return tokenize_rows(rows, tokenizer, sequence_length=spec.training.sequence_length)

    def build_trainer(self, work: Work[TokenizedRow]) -> _Trainer:
        dataset = Dataset.from_list([{"input_ids": row.input_ids, "labels": row.labels} for row in work.training_rows])
        arguments = SFTConfig(
            **common_arguments(work.spec.training, work.output_folder),
            max_length=None,  # the rows are cut already
            # The trainer writes it into the model's config, and so into the artifact. It trains without a cache anyway.
            use_cache=work.model.config.use_cache,
            packing=False,
            dataset_kwargs={"skip_prepare_dataset": True},
        )
        return _Trainer(
            model=work.model,
            args=arguments,
            train_dataset=dataset,
            processing_class=work.tokenizer,
            data_collator=_padding_to_longest(work.tokenizer),
            meter=work.meter,
            offload=work.offload,
        )

    def evaluate(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        rows: Sequence[TokenizedRow],
        spec: JobSpec,
        *,
        between_batches: Callable[[], None],
    ) -> float:
        collate = _padding_to_longest(tokenizer)
        size = spec.training.batch_size
        groups = (rows[start : start + size] for start in range(0, len(rows), size))
        batches = (collate([{"input_ids": row.input_ids, "labels": row.labels} for row in group]) for group in groups)
        return mean_token_loss(model, batches, between_batches=between_batches)


def _padding_to_longest(tokenizer: PreTrainedTokenizerBase) -> DataCollatorForLanguageModeling:
    return DataCollatorForLanguageModeling(pad_token_id=tokenizer.pad_token_id)
