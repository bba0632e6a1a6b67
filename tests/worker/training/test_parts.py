"""The parts a run is made of, one by one."""

import errno
import math
import mmap
from pathlib import Path

import pytest
import torch
from torch.nn import functional

from contracts.job import PlacementSpec
from contracts.reasons import Reason
from offload_core.errors import DiskFullError, PlacementError
from offload_core.planning.placement import NvmePath
from worker.training.engine_settings import engine_placement
from worker.training.errors import DivergedError
from worker.training.evaluation import answer, mean_token_loss
from worker.training.failures import explain
from worker.training.model_loading import load_model
from worker.training.process_memory import peak_rss_bytes, reset_peak_rss, rss_bytes


def test_evaluation_weighs_every_answer_token_alike_however_rows_are_batched(tiny_model: Path) -> None:
    model = load_model(str(tiny_model), None, "float32").model
    rows = [
        {"input_ids": torch.tensor([[1, 30, 31, 32]]), "labels": torch.tensor([[-100, -100, 31, 32]])},
        {"input_ids": torch.tensor([[1, 40, 41, 42]]), "labels": torch.tensor([[-100, 40, 41, 42]])},
    ]
    for row in rows:
        row["attention_mask"] = torch.ones_like(row["input_ids"])
    together = {name: torch.cat([row[name] for row in rows]) for name in rows[0]}
    with torch.no_grad():
        logits = model(together["input_ids"]).logits
    wanted = torch.cat([logits[0, 1:3], logits[1, 0:3]])
    expected = float(functional.cross_entropy(wanted, torch.tensor([31, 32, 40, 41, 42])))
    model.train()
    for batches in (rows, [together]):
        assert mean_token_loss(model, batches, between_batches=lambda: None) == pytest.approx(expected, rel=1e-6)
    assert model.training


def test_answers_are_greedy_and_leave_the_models_mode_alone(tiny_model: Path) -> None:
    loaded = load_model(str(tiny_model), None, "float32")
    first = answer(loaded.model, loaded.tokenizer, "What?", max_new_tokens=6)
    assert first == answer(loaded.model, loaded.tokenizer, "What?", max_new_tokens=6)
    assert not loaded.model.training


def test_the_peak_of_memory_is_counted_anew_after_a_reset() -> None:
    size_bytes = 256 << 20
    with mmap.mmap(-1, size_bytes) as block:
        block.write(b"x" * size_bytes)
    assert peak_rss_bytes() > rss_bytes() + size_bytes // 2
    reset_peak_rss()
    assert peak_rss_bytes() < rss_bytes() + size_bytes // 2


@pytest.mark.parametrize(
    ("error", "reason", "words"),
    [
        (DivergedError(step=7, num_steps=3), Reason.DIVERGED, "step 7"),
        (
            PlacementError("state_does_not_fit", "It takes 8 bytes.", next_step="Add 4 bytes."),
            Reason.PLACEMENT_IMPOSSIBLE,
            "It takes 8 bytes. Add 4 bytes.",
        ),
        (
            DiskFullError("disk_full", "No room for 8 bytes.", next_step="Free some.", path=Path("/x")),
            Reason.DISK_FULL,
            "No room for 8 bytes. Free some.",
        ),
        (OSError(errno.ENOSPC, "No space left on device"), Reason.DISK_FULL, "No space left"),
        (OSError(errno.EIO, "Input/output error"), Reason.DISK_ERROR, "Input/output"),
        (MemoryError(), Reason.HOST_RAM_EXHAUSTED, "placement: nvme"),
        (torch.OutOfMemoryError("CUDA out of memory. Tried\nmore"), Reason.DEVICE_OUT_OF_MEMORY, "gradient_check"),
        (KeyError("x"), Reason.INTERNAL, "KeyError"),
    ],
)
def test_failures_are_told_by_their_reason(error: Exception, reason: Reason, words: str) -> None:
    failure = explain(error)
    assert failure.reason is reason
    assert words in failure.message


def test_torch_running_out_of_host_ram_is_told_as_such() -> None:
    with pytest.raises(RuntimeError) as caught:
        torch.empty(1 << 58, dtype=torch.uint8)
    assert explain(caught.value).reason is Reason.HOST_RAM_EXHAUSTED


def test_an_nvme_budget_is_shared_by_the_folders_and_nothing_goes_where_none_is_wanted() -> None:
    folders = [Path("/a"), Path("/b")]
    split = engine_placement(PlacementSpec(host_bytes=5, nvme_bytes=100), folders)
    assert (split.host_bytes, split.nvme) == (5, (NvmePath("/a", 50), NvmePath("/b", 50)))
    assert engine_placement(PlacementSpec(host_bytes=0, nvme_bytes=None), folders).nvme[1] == NvmePath("/b", None)
    in_ram = engine_placement(PlacementSpec(host_bytes=None, nvme_bytes=0), folders)
    assert in_ram.nvme == ()
    assert math.log2(in_ram.host_bytes) > 60
