import torch
import pytest
from offload_core import NvmePath, Placement

transformers = pytest.importorskip("transformers")
from offload_core.integrations.transformers import OffloadArguments, OffloadedTrainerMixin  # noqa: E402


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
    )
    return transformers.LlamaForCausalLM(config)


def dataset():
    generator = torch.Generator().manual_seed(1)
    rows = [torch.randint(0, 67, (12,), generator=generator) for _ in range(24)]
    return [{"input_ids": row, "labels": row} for row in rows]


class OffloadedTrainer(OffloadedTrainerMixin, transformers.Trainer):
    pass


def arguments(tmp_path, **changes):
    return transformers.TrainingArguments(
        output_dir=str(tmp_path / "out"),
        per_device_train_batch_size=2,
        gradient_accumulation_steps=2,
        max_steps=8,
        learning_rate=1e-2,
        weight_decay=0.1,
        warmup_steps=2,
        max_grad_norm=0.5,
        logging_steps=1,
        report_to=[],
        save_strategy="no",
        use_cpu=True,
        optim="adamw_torch_fused",
        disable_tqdm=True,
        **changes,
    )


@pytest.mark.parametrize("schedule", ["plain", "into_forward"])
def test_trainer_with_the_mixin_gives_the_weights_and_logs_of_the_plain_trainer(tmp_path, schedule):
    want = transformers.Trainer(tiny_llama(), arguments(tmp_path), train_dataset=dataset())
    want.train()
    reports = []
    got = OffloadedTrainer(
        tiny_llama(),
        arguments(tmp_path),
        train_dataset=dataset(),
        offload=OffloadArguments(
            placement=Placement(host_bytes=20000, nvme=[NvmePath(tmp_path / "nvme")]),
            run_dir=tmp_path / "run",
            partition_bytes=4096,
            buffer_bytes=32768,
            schedule=schedule,
            on_step_report=reports.append,
        ),
    )
    got.train()
    got.offloaded_optimizer.close()
    for a, b in zip(want.model.parameters(), got.model.parameters(), strict=True):
        assert torch.equal(a, b)
    strip = lambda t: [
        {k: v for k, v in e.items() if k in {"loss", "grad_norm", "learning_rate"}} for e in t.state.log_history
    ]
    assert strip(want) == strip(got)
    assert [report.step for report in reports] == list(range(1, 9))
