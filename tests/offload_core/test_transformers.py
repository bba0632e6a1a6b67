"""The mixin changes where state lies, not what a trainer learns, logs or saves."""

from __future__ import annotations

import pytest
import torch

from offload_core import NvmePath, Placement
from offload_core.errors import ParameterError

transformers = pytest.importorskip("transformers")
from offload_core.integrations.transformers import OffloadArguments, OffloadedTrainerMixin  # noqa: E402

# What trainers warn of about each other's versions is not ours to act on.
pytestmark = pytest.mark.filterwarnings("ignore")


def tiny_llama():
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=67,
        hidden_size=24,
        intermediate_size=44,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=64,
        tie_word_embeddings=True,
        bos_token_id=1,
        eos_token_id=2,
        pad_token_id=0,
    )
    return transformers.LlamaForCausalLM(config)


def rows():
    generator = torch.Generator().manual_seed(1)
    return [torch.randint(3, 67, (12,), generator=generator) for _ in range(24)]


class OffloadedTrainer(OffloadedTrainerMixin, transformers.Trainer):
    pass


def options(tmp_path, **changes):
    return {
        "output_dir": str(tmp_path / "out"),
        "per_device_train_batch_size": 2,
        "gradient_accumulation_steps": 2,
        "max_steps": 8,
        "learning_rate": 1e-2,
        "weight_decay": 0.1,
        "warmup_steps": 2,
        "max_grad_norm": 0.5,
        "logging_steps": 1,
        "report_to": [],
        "save_strategy": "no",
        "use_cpu": True,
        "disable_tqdm": True,
        **changes,
    }


def offload(tmp_path, **changes):
    return OffloadArguments(
        **{
            "placement": Placement(host_bytes=20000, nvme=[NvmePath(tmp_path / "nvme")]),
            "run_dir": tmp_path / "run",
            "partition_bytes": 4096,
            "buffer_bytes": 32768,
            **changes,
        }
    )


def logged(trainer):
    names = {"loss", "grad_norm", "learning_rate", "eval_loss"}
    return [{name: value for name, value in entry.items() if name in names} for entry in trainer.state.log_history]


def assert_same_weights(left, right):
    for a, b in zip(left.parameters(), right.parameters(), strict=True):
        assert torch.equal(a, b)


@pytest.mark.parametrize(
    "changes", [{}, {"max_grad_norm": 0.0}, {"gradient_checkpointing": True}], ids=["clipped", "free", "checkpointed"]
)
def test_a_trainer_learns_and_logs_the_same(changes, tmp_path):
    data = [{"input_ids": row, "labels": row} for row in rows()]
    arguments = transformers.TrainingArguments(**options(tmp_path, **changes, eval_strategy="steps", eval_steps=3))
    want = transformers.Trainer(tiny_llama(), arguments, train_dataset=data, eval_dataset=data[:4])
    want.train()
    reports = []
    got = OffloadedTrainer(
        tiny_llama(),
        arguments,
        train_dataset=data,
        eval_dataset=data[:4],
        offload=offload(tmp_path, schedule="into_forward", on_step_report=reports.append),
    )
    got.train()
    got.offloaded_optimizer.close()
    assert_same_weights(want.model, got.model)
    assert logged(want) == logged(got)
    assert [report.step for report in reports] == list(range(1, 9))


@pytest.mark.parametrize("first", ["own", "plain"])
def test_a_trainer_resumes_from_its_own_checkpoint_and_from_a_plain_one(first, tmp_path):
    data = [{"input_ids": row, "labels": row} for row in rows()]

    def trainer(name, **changes):
        arguments = transformers.TrainingArguments(**options(tmp_path, save_strategy="steps", save_steps=4, **changes))
        return OffloadedTrainer(
            tiny_llama(), arguments, train_dataset=data, offload=offload(tmp_path, run_dir=tmp_path / name)
        )

    whole = trainer("whole")
    if first == "plain":
        whole = transformers.Trainer(tiny_llama(), whole.args, train_dataset=data)
    whole.train()
    if first == "own":
        whole.offloaded_optimizer.close()
    resumed = trainer("resumed")
    resumed.train(resume_from_checkpoint=str(tmp_path / "out" / "checkpoint-4"))
    resumed.offloaded_optimizer.close()
    assert_same_weights(whole.model, resumed.model)


def test_an_sft_trainer_learns_and_logs_the_same(tmp_path):
    datasets, trl = pytest.importorskip("datasets"), pytest.importorskip("trl")
    tokenizers = pytest.importorskip("tokenizers")

    class OffloadedSFTTrainer(OffloadedTrainerMixin, trl.SFTTrainer):
        pass

    words = {"<pad>": 0, "<s>": 1, "</s>": 2} | {f"w{number}": number for number in range(3, 67)}
    model = tokenizers.models.WordLevel(words, unk_token="<pad>")
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizers.Tokenizer(model), pad_token="<pad>", bos_token="<s>", eos_token="</s>"
    )
    data = datasets.Dataset.from_list([{"input_ids": row.tolist()} for row in rows()])
    arguments = trl.SFTConfig(**options(tmp_path), max_length=12)
    want = trl.SFTTrainer(tiny_llama(), arguments, train_dataset=data, processing_class=tokenizer)
    want.train()
    got = OffloadedSFTTrainer(
        tiny_llama(), arguments, train_dataset=data, processing_class=tokenizer, offload=offload(tmp_path)
    )
    got.train()
    got.offloaded_optimizer.close()
    assert_same_weights(want.model, got.model)
    assert logged(want) == logged(got)


def test_another_optimizer_is_refused(tmp_path):
    arguments = transformers.TrainingArguments(**options(tmp_path, optim="adafactor"))
    trainer = OffloadedTrainer(tiny_llama(), arguments, offload=offload(tmp_path))
    with pytest.raises(ParameterError, match="optimizer_unsupported"):
        trainer.create_optimizer()
