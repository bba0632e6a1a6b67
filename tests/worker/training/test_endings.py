"""Runs that end early: asked to, or because something is wrong. Each says why and leaves no scratch or artifact."""

import json
import time
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from contracts.events import EvaluationCompleted, StepCompleted, TrainingFailed, TrainingStopped
from contracts.reasons import Reason
from contracts.spool import STOP_FILE, STOPPED_EXIT_CODE, StopReason
from tests.tiny_model import make_tiny_model
from tests.worker.training.conftest import Attempt, MakeAttempt


def _failure(attempt: Attempt) -> TrainingFailed:
    event = attempt.events()[-1]
    assert isinstance(event, TrainingFailed)
    assert not attempt.artifact.exists()
    assert not attempt.nvme.exists() or list(attempt.nvme.iterdir()) == []
    return event


def test_a_run_stops_at_the_step_boundary_after_it_is_asked_to(make_attempt: MakeAttempt) -> None:
    attempt = make_attempt("stopped", training={"max_steps": 1_000_000})
    process = attempt.start()
    try:
        deadline = time.monotonic() + 60
        while not (attempt.folder / "spans" / "step-000002.json").exists():
            assert process.poll() is None, (attempt.folder / "output.log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.02)
        (attempt.folder / STOP_FILE).write_text(StopReason.CANCEL)
        assert process.wait(timeout=30) == STOPPED_EXIT_CODE
    finally:
        process.kill()
        process.wait()
    events = attempt.events()
    stopped = events[-1]
    assert isinstance(stopped, TrainingStopped)
    # The last step's transfers were waited for, so that its event is there as well.
    assert stopped.step == [event.step for event in events if isinstance(event, StepCompleted)][-1] >= 2
    assert not attempt.artifact.exists()
    assert list(attempt.nvme.iterdir()) == []


def test_a_stop_before_the_first_step_is_heard_too(make_attempt: MakeAttempt) -> None:
    attempt = make_attempt("early")
    (attempt.folder / STOP_FILE).write_text(StopReason.INTERRUPT)
    assert attempt.run_here() == STOPPED_EXIT_CODE
    assert isinstance(attempt.events()[-1], TrainingStopped)
    assert attempt.events()[-1].step == 0


def test_three_losses_in_a_row_that_are_not_finite_end_the_run(tmp_path: Path, make_attempt: MakeAttempt) -> None:
    broken = make_tiny_model(tmp_path / "broken")
    weights = load_file(broken / "model.safetensors")
    weights["model.norm.weight"] = torch.full_like(weights["model.norm.weight"], torch.nan)
    save_file(weights, broken / "model.safetensors", metadata={"format": "pt"})
    attempt = make_attempt("diverged", model=broken, training={"max_steps": 20})
    assert attempt.run_here() == 1
    failure = _failure(attempt)
    assert failure.reason is Reason.DIVERGED
    assert "step 3" in failure.message
    assert "learning_rate" in failure.message
    (evaluation,) = [event for event in attempt.events() if isinstance(event, EvaluationCompleted)]
    assert evaluation.loss is None
    steps = [event for event in attempt.events() if isinstance(event, StepCompleted)]
    assert [(step.loss, step.grad_norm, step.finite, step.skipped) for step in steps] == [
        (None, None, False, True)
    ] * len(steps)
    assert len(steps) == 3


def test_gradients_that_are_never_finite_end_the_run_though_the_loss_is(
    tmp_path: Path, make_attempt: MakeAttempt
) -> None:
    steep = make_tiny_model(tmp_path / "model", tie_word_embeddings=False)
    weights = load_file(steep / "model.safetensors")
    # Embeddings next to nothing: normalizing them is fine forward and multiplies the gradient by 1e18 and more.
    weights["model.embed_tokens.weight"] *= 1e-18
    weights["model.norm.weight"] *= 1e30
    weights["lm_head.weight"] *= 1e-31
    save_file(weights, steep / "model.safetensors", metadata={"format": "pt"})
    attempt = make_attempt("steep", model=steep, training={"max_steps": 20})
    assert attempt.run_here() == 1
    assert _failure(attempt).reason is Reason.DIVERGED
    steps = [event for event in attempt.events() if isinstance(event, StepCompleted)]
    assert len(steps) == 3
    assert all(step.loss is not None and step.grad_norm is None and step.skipped for step in steps)


def test_a_disk_budget_that_is_too_small_is_named_with_its_bytes(make_attempt: MakeAttempt) -> None:
    attempt = make_attempt("tight", placement={"host_bytes": 0, "nvme_bytes": "1MB"})
    assert attempt.run_here() == 1
    failure = _failure(attempt)
    assert failure.reason is Reason.PLACEMENT_IMPOSSIBLE
    assert "1000000" in failure.message
    assert "PlacementError" in failure.detail


def test_an_unknown_recipe_is_named_with_those_there_are(make_attempt: MakeAttempt) -> None:
    attempt = make_attempt("recipe", recipe="alchemy")
    assert attempt.run_here() == 1
    assert "alchemy" in _failure(attempt).message
    assert "sft" in _failure(attempt).message


def test_a_bad_row_is_named_with_line_and_field(tmp_path: Path, make_attempt: MakeAttempt) -> None:
    dataset = tmp_path / "bad.jsonl"
    dataset.write_text('{"instruction": "q", "output": "a"}\n{"instruction": "q"}\n')
    attempt = make_attempt("rows", dataset=dataset)
    assert attempt.run_here() == 1
    assert _failure(attempt).reason is Reason.DATASET_INVALID
    assert "line 2, field output" in _failure(attempt).message


def _without_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")


def _without_template(folder: Path) -> None:
    (folder / "chat_template.jinja").unlink()


def _of_another_kind(folder: Path) -> None:
    (folder / "config.json").write_text(json.dumps({"model_type": "vit"}))


def _with_a_torn_file(folder: Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:100_000])


def _without_one_weight(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    del weights["model.norm.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def _without_config(folder: Path) -> None:
    (folder / "config.json").unlink()


@pytest.mark.parametrize(
    ("spoil", "reason", "words"),
    [
        (_without_config, Reason.MODEL_MISSING, "config.json is missing"),
        (_without_weights, Reason.MODEL_UNSUPPORTED, "pytorch_model.bin"),
        (_without_template, Reason.MODEL_UNSUPPORTED, "no chat template"),
        (_of_another_kind, Reason.MODEL_UNSUPPORTED, "vit"),
        (_without_one_weight, Reason.MODEL_UNSUPPORTED, "model.norm.weight"),
        (_with_a_torn_file, Reason.MODEL_UNSUPPORTED, "are damaged"),
    ],
)
def test_a_model_that_cannot_be_trained_is_told_why(tmp_path, make_attempt, spoil, reason, words) -> None:
    folder = make_tiny_model(tmp_path / "spoiled")
    spoil(folder)
    attempt = make_attempt("model", model=folder)
    assert attempt.run_here() == 1
    failure = _failure(attempt)
    assert failure.reason is reason, failure.detail
    assert words in failure.message
