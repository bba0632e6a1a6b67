"""One run, phase by phase. The heavy imports of the training process start here."""

import math
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transformers import PreTrainedModel, PreTrainedTokenizerBase, PrinterCallback
from transformers.utils.logging import disable_progress_bar

from contracts.events import (
    EvaluationCompleted,
    Phase,
    PhaseChanged,
    PlanMade,
    SampleGenerated,
    TrainingFinished,
    When,
)
from contracts.spool import RunOrder
from worker.spool import SpoolWriter
from worker.training.artifact import RunRecord, write_artifact
from worker.training.engine_settings import limit_bytes, nvme_folders, offload_arguments, state_bytes
from worker.training.errors import StopAskedError
from worker.training.evaluation import answer
from worker.training.model_loading import load_model
from worker.training.process_memory import peak_rss_bytes
from worker.training.recipes.protocol import Recipe, Work, load_recipe
from worker.training.rows import hold_out, read_rows
from worker.training.scratch import removed_afterwards
from worker.training.step_events import StepEvents
from worker.training.step_meter import StepMeter

_DEFAULT_SAMPLES = 2


def train(order: RunOrder, attempt_folder: Path, spool: SpoolWriter, *, started_at: float) -> None:
    """Load, train and write the artifact; every phase and result is an event.

    Raises StopAskedError at the first boundary after the stop file appeared, TrainingError and OffloadError for known
    failures. The run's scratch is gone in any case; the artifact is there only after a return.
    """
    disable_progress_bar()  # type: ignore[no-untyped-call]
    with (
        tempfile.TemporaryDirectory(dir=attempt_folder, prefix="trainer-") as trainer_folder,
        removed_afterwards([attempt_folder / "engine", *nvme_folders(order)]),
    ):
        _Run(order, attempt_folder, spool, Path(trainer_folder), started_at).run()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Subject:
    """What is trained and asked."""

    recipe: Recipe[Any]
    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    evaluation_rows: Sequence[Any]
    prompts: Sequence[str]


class _Run:
    def __init__(
        self, order: RunOrder, attempt_folder: Path, spool: SpoolWriter, trainer_folder: Path, started_at: float
    ) -> None:
        self._order = order
        self._spec = order.spec
        self._attempt_folder = attempt_folder
        self._spool = spool
        self._trainer_folder = trainer_folder
        self._started_at = started_at
        self._step = 0

    def run(self) -> None:
        spec, spool = self._spec, self._spool
        recipe = load_recipe(spec.recipe)
        rows = hold_out(read_rows(Path(self._order.dataset_path)), wanted=spec.evaluation.rows, seed=spec.training.seed)
        loaded = load_model(self._order.model_path, self._order.model_revision, spec.training.dtype)

        self._enter(Phase.TOKENIZE, f"{len(rows.training)} training rows, {len(rows.evaluation)} held out")
        training_rows = recipe.prepare(rows.training, loaded.tokenizer, spec)
        subject = _Subject(
            recipe=recipe,
            model=loaded.model,
            tokenizer=loaded.tokenizer,
            evaluation_rows=recipe.prepare(rows.evaluation, loaded.tokenizer, spec),
            prompts=spec.evaluation.sample_prompts or [row.prompt for row in rows.evaluation[:_DEFAULT_SAMPLES]],
        )

        num_dropped = len(rows.training) - len(training_rows)
        self._enter(
            Phase.PLAN, f"{num_dropped} rows have no room for an answer and are left out" if num_dropped else ""
        )
        meter = StepMeter()
        steps = StepEvents(spool, meter)
        trainer = recipe.build_trainer(
            Work(
                spec=spec,
                model=loaded.model,
                tokenizer=loaded.tokenizer,
                training_rows=training_rows,
                offload=offload_arguments(self._order, self._attempt_folder / "engine", steps.on_step_report),
                meter=meter,
                output_folder=self._trainer_folder,
            )
        )
        trainer.add_callback(steps)
        # Its dictionaries would stand among the log's lines, which tell the same and more.
        trainer.remove_callback(PrinterCallback)
        trainer.create_optimizer()
        with trainer.offloaded_optimizer as optimizer:
            plan = self._say_plan(trainer, training_rows, subject)
            self._enter(Phase.EVALUATE_BEFORE)
            loss_before = self._evaluate(subject, When.BEFORE)
            samples = self._sample(subject, When.BEFORE)

            self._enter(Phase.TRAIN)
            trainer.train()
            optimizer.synchronize()
            peak_bytes = peak_rss_bytes()
            self._step = trainer.state.global_step
            if steps.stop_was_asked:
                raise StopAskedError(step=self._step)

            self._enter(Phase.EVALUATE_AFTER)
            loss_after = self._evaluate(subject, When.AFTER)
            samples += self._sample(subject, When.AFTER)

        self._enter(Phase.EXPORT)
        figures = steps.figures()
        first_step_at = steps.first_step_at or time.time()
        result = {
            "steps": figures.steps,
            "eval_loss_before": loss_before,
            "eval_loss_after": loss_after,
            "tokens_per_second": figures.tokens_per_second,
            "seconds_to_first_step": first_step_at - self._started_at,
            "overlap_share": figures.overlap_share,
            "peak_rss_bytes": peak_bytes,
            "state_bytes": plan.state_bytes,
        }
        record = RunRecord(attempt_id=self._order.attempt_id, spec=spec, plan=plan, samples=samples, result=result)
        write_artifact(Path(self._order.artifact_path), subject.model, subject.tokenizer, record)
        spool.emit(TrainingFinished, **result)

    def _enter(self, phase: Phase, detail: str = "") -> None:
        self._stop_if_asked()
        self._spool.emit(PhaseChanged, phase=phase, detail=detail)

    def _stop_if_asked(self) -> None:
        if self._spool.stop_requested() is not None:
            raise StopAskedError(step=self._step)

    def _say_plan(self, trainer: Any, training_rows: Sequence[Any], subject: _Subject) -> PlanMade:
        optimizer = trainer.offloaded_optimizer
        schedule, reason = optimizer.schedule
        return self._spool.emit(
            PlanMade,
            num_parameters=subject.model.num_parameters(),
            num_partitions=len(optimizer.plan.partitions),
            total_steps=trainer.set_initial_training_values(trainer.args, trainer.get_train_dataloader())[-1],
            train_rows=len(training_rows),
            eval_rows=len(subject.evaluation_rows),
            state_bytes=state_bytes(optimizer),
            limit_bytes=limit_bytes(optimizer, self._spec.placement),
            buffer_bytes=optimizer.buffer_pool_bytes,
            schedule=schedule,
            schedule_reason=reason,
            direct_io=optimizer.uses_direct_io,
        )

    def _evaluate(self, subject: _Subject, when: When) -> float | None:
        loss = subject.recipe.evaluate(
            subject.model,
            subject.tokenizer,
            subject.evaluation_rows,
            self._spec,
            between_batches=self._stop_if_asked,
        )
        said = self._spool.emit(
            EvaluationCompleted,
            when=when,
            step=self._step,
            loss=loss if math.isfinite(loss) else None,
            rows=len(subject.evaluation_rows),
        )
        return said.loss

    def _sample(self, subject: _Subject, when: When) -> list[SampleGenerated]:
        said = []
        for index, prompt in enumerate(subject.prompts):
            self._stop_if_asked()
            text = answer(subject.model, subject.tokenizer, prompt, max_new_tokens=self._spec.evaluation.sample_tokens)
            said.append(
                self._spool.emit(SampleGenerated, when=when, index=index, prompt=prompt[:4000], text=text[:8000])
            )
        return said
