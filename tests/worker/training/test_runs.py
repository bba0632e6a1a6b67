"""Whole runs of the training process on a tiny model, with its real engine, disk and spool."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from contracts.events import (
    EvaluationCompleted,
    Phase,
    PhaseChanged,
    PlanMade,
    SampleGenerated,
    StepCompleted,
    StepSpans,
    TrainingFinished,
)
from contracts.spool import EVENTS_FILE, spans_file
from contracts.wire import MAX_STEP_EVENT_BYTES
from tests.tiny_model import make_tiny_model
from tests.worker.training.conftest import Attempt, MakeAttempt, attempt_below
from worker.training.event_text import event_text


@pytest.fixture(scope="module")
def nvme_run(tmp_path_factory: pytest.TempPathFactory, tiny_model: Path, tiny_dataset: Path) -> Attempt:
    attempt = attempt_below(
        tmp_path_factory.mktemp("nvme-run"), "first", model=tiny_model, dataset=tiny_dataset,
        training={"gradient_accumulation": 2, "warmup_steps": 1},
    )  # fmt: skip
    assert attempt.run() == 0, (attempt.folder / "output.log").read_text()
    return attempt


def test_where_the_state_lies_changes_no_bit_of_losses_or_weights(nvme_run: Attempt, make_attempt: MakeAttempt) -> None:
    again = make_attempt("again", training={"gradient_accumulation": 2, "warmup_steps": 1})
    host = make_attempt("host", training={"gradient_accumulation": 2, "warmup_steps": 1}, placement="host")
    assert [again.run(), host.run()] == [0, 0]
    assert len(nvme_run.losses()) == 6
    assert nvme_run.losses() == again.losses() == host.losses()
    weights = [(run.artifact / "model.safetensors").read_bytes() for run in (nvme_run, again, host)]
    assert weights[0] == weights[1] == weights[2]


def test_the_log_tells_the_same_to_a_person(nvme_run: Attempt) -> None:
    log = (nvme_run.folder / "output.log").read_text()
    for event in nvme_run.events():
        assert f"{event.time:%H:%M:%S}Z {event_text(event, total_steps=4)}\n" in log
    assert "train_runtime" not in log


def test_events_tell_the_whole_run(nvme_run: Attempt) -> None:
    events = nvme_run.events()
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [event.phase for event in events if isinstance(event, PhaseChanged)] == list(Phase)

    (plan,) = [event for event in events if isinstance(event, PlanMade)]
    assert (plan.total_steps, plan.train_rows, plan.eval_rows) == (4, 36, 4)
    assert plan.state_bytes.nvme == plan.num_parameters * 8
    assert plan.state_bytes.host == plan.state_bytes.device == 0

    steps = [event for event in events if isinstance(event, StepCompleted)]
    assert [step.step for step in steps] == [1, 2, 3, 4]
    assert steps[0].learning_rate == 0  # warm-up starts at nothing
    assert steps[1].learning_rate == 1e-3
    for step in steps:
        assert step.finite
        assert step.grad_norm is not None
        assert step.grad_norm > 0
        assert step.written_bytes >= plan.state_bytes.nvme
        assert step.occupancy_bytes.nvme == plan.state_bytes.nvme
        spans = StepSpans.model_validate_json((nvme_run.folder / spans_file(step.step)).read_bytes())
        assert {"compute", "update", "nvme_write"} <= {span.lane for span in spans.spans}
    lines = (nvme_run.folder / EVENTS_FILE).read_bytes().splitlines()
    assert max(len(line) for line in lines if b'"step.completed"' in line) < MAX_STEP_EVENT_BYTES

    before, after = [event for event in events if isinstance(event, EvaluationCompleted)]
    assert (before.when, after.when) == ("before", "after")
    assert after.loss < before.loss
    samples = [event for event in events if isinstance(event, SampleGenerated)]
    assert [sample.when for sample in samples] == ["before", "before", "after", "after"]
    assert samples[0].prompt == samples[2].prompt

    finished = events[-1]
    assert isinstance(finished, TrainingFinished)
    assert finished.steps == 4
    assert finished.tokens_per_second > 0
    assert 0 < finished.seconds_to_first_step < 120
    # The kernel folds its per-thread counts into the peak a little late.
    assert finished.peak_rss_bytes > 0.99 * max(step.rss_bytes for step in steps) > 0
    assert finished.state_bytes == plan.state_bytes


def test_nothing_of_the_run_stays_but_artifact_events_and_spans(nvme_run: Attempt) -> None:
    assert list(nvme_run.nvme.iterdir()) == []
    names = {path.name for path in nvme_run.folder.iterdir()}
    assert names == {"artifact", "events.jsonl", "spans", "run.json", "output.log"}


def test_the_artifact_answers_differently_without_spillway_in_a_fresh_process(
    make_attempt: MakeAttempt, tiny_model: Path
) -> None:
    attempt = make_attempt("learn", training={"max_steps": 40, "learning_rate": 1e-2, "batch_size": 8})
    attempt.artifact.mkdir()  # as the agent does
    assert attempt.run_here() == 0
    script = """
import json, sys
from transformers import AutoModelForCausalLM, AutoTokenizer
answers = []
for folder in sys.argv[1:]:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder)
    turns = [{"role": "user", "content": "What does term 3 mean?"}]
    prompt = tokenizer.apply_chat_template(turns, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    tokens = model.generate(**prompt, do_sample=False, max_new_tokens=40)
    answers.append(tokenizer.decode(tokens[0, prompt["input_ids"].shape[1]:]))
assert not {"worker", "offload_core", "contracts"} & set(sys.modules)
print(json.dumps(answers))
"""
    ran = subprocess.run(
        [sys.executable, "-c", script, str(tiny_model), str(attempt.artifact)],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    base, trained = json.loads(ran.stdout.splitlines()[-1])
    assert trained.startswith("A bug is an unwanted property,")
    assert trained.endswith("<|im_end|>")
    assert base != trained
    record = json.loads((attempt.artifact / "spillway.json").read_text())
    assert record["spec"]["training"]["max_steps"] == 40
    assert record["result"]["eval_loss_after"] < 0.5 * record["result"]["eval_loss_before"]
    assert "What does term" in (attempt.artifact / "README.md").read_text()
    # What the trainer wanted of the model while it trained is not the artifact's.
    config, base_config = (
        json.loads((folder / "config.json").read_text()) for folder in (attempt.artifact, tiny_model)
    )
    assert config == base_config
    assert config["use_cache"] is True
    generation = [(folder / "generation_config.json").read_text() for folder in (attempt.artifact, tiny_model)]
    assert generation[0] == generation[1]


def test_a_head_with_weights_of_its_own_is_trained_with_fresh_ones(tmp_path: Path, make_attempt: MakeAttempt) -> None:
    # TRL uses the head's weight without calling the head, except where the model is evaluated before training.
    untied = make_tiny_model(tmp_path / "untied", tie_word_embeddings=False)
    losses = []
    for placement in ("nvme", "host"):
        attempt = make_attempt(
            placement, model=untied, placement=placement, engine={"partition_bytes": "64KiB", "buffer_bytes": "512KiB"}
        )
        assert attempt.run_here() == 0
        losses.append(attempt.losses())
    assert losses[0] == losses[1]


def test_bfloat16_weights_are_trained_and_stay_bfloat16(make_attempt: MakeAttempt) -> None:
    attempt = make_attempt("bf16", training={"dtype": "bfloat16", "gradient_checkpointing": True})
    assert attempt.run_here() == 0
    assert json.loads((attempt.artifact / "config.json").read_text())["dtype"] == "bfloat16"
    (plan,) = [event for event in attempt.events() if isinstance(event, PlanMade)]
    assert plan.state_bytes.nvme == plan.num_parameters * 12  # with a float32 master
    before, after = [event.loss for event in attempt.events() if isinstance(event, EvaluationCompleted)]
    assert after < before


def test_without_a_step_limit_the_epochs_decide(make_attempt: MakeAttempt) -> None:
    attempt = make_attempt("epochs", training={"max_steps": None, "epochs": 0.5, "batch_size": 6})
    assert attempt.run_here() == 0
    steps = [event for event in attempt.events() if isinstance(event, StepCompleted)]
    (plan,) = [event for event in attempt.events() if isinstance(event, PlanMade)]
    assert len(steps) == plan.total_steps == 3  # 36 rows are 6 batches an epoch


@pytest.mark.parametrize(
    ("schedule", "rates"),
    [
        ("constant", [0.0, 5e-4, 1e-3, 1e-3, 1e-3, 1e-3]),
        ("linear", [0.0, 5e-4, 1e-3, 7.5e-4, 5e-4, 2.5e-4]),
        ("cosine", [0.0, 5e-4, 1e-3, 8.535533905932737e-4, 5e-4, 1.4644660940672628e-4]),
    ],
)
def test_learning_rate_schedules(make_attempt: MakeAttempt, schedule: str, rates: list[float]) -> None:
    attempt = make_attempt(
        schedule, training={"max_steps": 6, "warmup_steps": 2, "learning_rate_schedule": schedule}, placement="host"
    )
    assert attempt.run_here() == 0
    seen = [event.learning_rate for event in attempt.events() if isinstance(event, StepCompleted)]
    assert seen == pytest.approx(rates)
