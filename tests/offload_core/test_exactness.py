"""Placement, partitions, threads and schedule never change a bit; the bits are torch's."""

from __future__ import annotations

from itertools import product

import pytest
import torch
from safetensors.torch import load_file
from torch import nn

from offload_core.errors import StorageError

OPTIONS = {"lr": 1e-2, "betas": (0.9, 0.99), "eps": 1e-8}


def groups_of(model, *, freezes=False):
    """Two groups whose order is not the model's."""
    if freezes:
        model.blocks[0].mlp.requires_grad_(False)
    trained = [p for p in model.parameters() if p.requires_grad]
    return [
        {"params": [p for p in trained if p.ndim < 2], "weight_decay": 0.0},
        {"params": [p for p in trained if p.ndim >= 2], "weight_decay": 0.1, "lr": 3e-3},
    ]


def assert_same_bits(model, expected, optimizer, reference):
    optimizer.synchronize()
    for (name, got), want in zip(model.named_parameters(), expected.parameters(), strict=True):
        assert torch.equal(got, want), name
    got_state = optimizer.state_dict()
    want_state = reference.inner.state_dict()
    assert got_state["state"].keys() == want_state["state"].keys()
    for number, want in want_state["state"].items():
        for name, value in want.items():
            assert torch.equal(got_state["state"][number][name], value), (number, name)
    masters = [master for group in reference.param_groups for master in group["params"]]
    for number, entry in got_state["state"].items():
        assert torch.equal(entry.get("master", masters[number]), masters[number])


HOST = (0, 6000, "1GiB")
PARTITIONS = (768, 4096, 1 << 20)
SCHEDULES = ("plain", "into_forward")
DTYPES = (torch.float32, torch.bfloat16)


MATRIX = list(product(HOST, PARTITIONS, SCHEDULES, DTYPES))


@pytest.mark.parametrize(("host_bytes", "partition_bytes", "schedule", "dtype"), MATRIX)
def test_every_placement_gives_the_bits_of_torch(
    host_bytes, partition_bytes, schedule, dtype, tiny, offloaded, train, reference
):
    expected, model = tiny(dtype=dtype), tiny(dtype=dtype)
    torch_way = reference(groups_of(expected), 0.5, list(expected.parameters()), **OPTIONS)
    optimizer = offloaded(
        groups_of(model),
        **OPTIONS,
        max_grad_norm=0.5,
        host_bytes=host_bytes,
        partition_bytes=partition_bytes,
        buffer_bytes=max(4 * 4096, 2 * partition_bytes),
        schedule=schedule,
        model=model,
    )
    want = train(expected, torch_way, accumulation=2, schedules_lr=True)
    got = train(model, optimizer, accumulation=2, schedules_lr=True)
    assert got == want
    assert optimizer.grad_norm == torch_way.norms[-1]
    assert_same_bits(model, expected, optimizer, torch_way)


@pytest.mark.parametrize("changes", [
    {"max_norm": None},
    {"max_norm": 1e9},
    {"freezes": True},
    {"checkpoints": True},
    {"betas": (0.3, 0.999)},
    {"betas": (0.0, 0.5)},
    {"io_threads": 1},
    {"one_buffer": True},
], ids="-".join)  # fmt: skip
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_way_to_train_gives_the_bits_of_torch(changes, dtype, tiny, offloaded, train, reference):
    options = {**OPTIONS, "betas": changes.get("betas", OPTIONS["betas"])}
    max_norm, checkpoints = changes.get("max_norm", 0.5), changes.get("checkpoints", False)
    expected, model = (tiny(dtype=dtype, checkpoints=checkpoints) for _ in range(2))
    freezes = changes.get("freezes", False)
    torch_way = reference(groups_of(expected, freezes=freezes), max_norm, list(expected.parameters()), **options)
    optimizer = offloaded(
        groups_of(model, freezes=freezes),
        **options,
        max_grad_norm=max_norm,
        num_io_threads=changes.get("io_threads", 3),
        buffer_bytes=4096 if changes.get("one_buffer") else 8 * 4096,
        host_bytes=4096,
        schedule="into_forward",
        model=model,
    )
    assert train(model, optimizer) == train(expected, torch_way)
    assert_same_bits(model, expected, optimizer, torch_way)


def test_float32_without_a_model_equals_fused_adamw_and_clip_grad_norm(tiny, offloaded, train):
    class Plain(torch.optim.AdamW):
        def step(self):
            nn.utils.clip_grad_norm_([p for group in self.param_groups for p in group["params"]], 0.5)
            super().step()

    expected, model = tiny(), tiny()
    got = offloaded(model.parameters(), lr=1e-2, max_grad_norm=0.5)
    assert got.schedule[0] == "plain"
    assert train(model, got) == train(expected, Plain(expected.parameters(), lr=1e-2, fused=True))


def test_state_dict_travels_between_torch_and_the_engine(tiny, offloaded, train):
    expected, model = tiny(), tiny()
    torch_way = torch.optim.AdamW(expected.parameters(), lr=1e-2, fused=True)
    first = offloaded(model.parameters(), lr=1e-2, model=model)
    train(expected, torch_way, steps=5), train(model, first, steps=5)
    second = offloaded(model.parameters(), lr=1.0, model=model, schedule="into_forward")
    second.load_state_dict(torch_way.state_dict())
    first.close()
    other = torch.optim.AdamW(expected.parameters(), lr=1.0, fused=True)
    other.load_state_dict(second.state_dict())
    assert second.param_groups[0]["lr"] == 1e-2
    assert train(model, second, steps=5) == train(expected, other, steps=5)


def test_bfloat16_moments_and_master_survive_a_round_trip(tiny, offloaded, train):
    model, other = tiny(dtype=torch.bfloat16), tiny(dtype=torch.bfloat16)
    first = offloaded(model.parameters(), lr=1e-2, model=model)
    train(model, first, steps=5)
    second = offloaded(other.parameters(), lr=1e-2, model=other)
    other.load_state_dict(model.state_dict())
    second.load_state_dict(first.state_dict())
    assert train(model, first, steps=5) == train(other, second, steps=5)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_checkpoint_is_independent_of_placement_and_readable_by_others(dtype, tiny, offloaded, train, tmp_path):
    model, other = tiny(dtype=dtype), tiny(dtype=dtype)
    first = offloaded(model.parameters(), lr=1e-2, model=model, schedule="into_forward")
    train(model, first, steps=5)
    first.save(tmp_path / "checkpoint")
    first.save(tmp_path / "checkpoint")
    second = offloaded(other.parameters(), lr=1.0, model=other, host_bytes="1GiB", partition_bytes=1 << 20)
    other.load_state_dict(model.state_dict())
    second.load(tmp_path / "checkpoint")
    assert second.param_groups[0]["lr"] == 1e-2
    tensors = load_file(tmp_path / "checkpoint" / "state.safetensors")
    number = [name for name, _ in other.named_parameters()].index("blocks.1.norm.weight")
    for name, value in first.state_dict()["state"][number].items():
        assert name == "step" or torch.equal(tensors[f"blocks.1.norm.weight.{name}"], value)
    assert train(model, first, steps=5) == train(other, second, steps=5)
    for a, b in zip(model.parameters(), other.parameters(), strict=True):
        assert torch.equal(a, b)


def test_a_checkpoint_of_another_model_is_refused_and_changes_nothing(tiny, offloaded, train, tmp_path):
    model, other = tiny(), tiny(width=11)
    first = offloaded(model.parameters(), model=model)
    train(model, first, steps=2)
    first.save(tmp_path / "checkpoint")
    second = offloaded(other.parameters(), model=other)
    train(other, second, steps=1)
    with pytest.raises(StorageError, match=r"scale|embedding.weight.*\(29, 11\).*\(29, 13\)"):
        second.load(tmp_path / "checkpoint")
    train(other, second, steps=1)


@pytest.mark.parametrize("host_bytes", [0, "1GiB"])
def test_weights_written_from_outside_rebuild_the_master(host_bytes, tiny, offloaded, train, reference):
    expected, model = (tiny(dtype=torch.bfloat16) for _ in range(2))
    torch_way = reference([{"params": list(expected.parameters())}], None, [], lr=1e-2)
    optimizer = offloaded(model.parameters(), lr=1e-2, host_bytes=host_bytes, model=model, schedule="into_forward")
    train(expected, torch_way, steps=3), train(model, optimizer, steps=3)
    model.load_state_dict({name: value * 0.5 for name, value in model.state_dict().items()})
    with torch.no_grad():
        for parameter, master in torch_way.masters.items():
            parameter.mul_(0.5)
            master.copy_(parameter)
    assert train(model, optimizer, steps=3) == train(expected, torch_way, steps=3)
