"""Things that users do around a step, each of which once could go wrong without a word."""

from __future__ import annotations

import gc
import threading

import pytest
import torch
from torch import nn

from offload_core import NvmePath, OffloadedAdamW, Placement
from offload_core.errors import GradientError, StorageError
from offload_core.storage.files import DirectFile


def linears():
    torch.manual_seed(0)
    return nn.Sequential(*(nn.Linear(64, 64) for _ in range(6)))


def backward(model, value=1.0):
    model(torch.full((2, 64), value)).square().mean().backward()


def trained_by_torch(steps):
    model = linears()
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    for _ in range(steps):
        backward(model)
        optimizer.step(), optimizer.zero_grad()
    return model


def assert_same(left, right):
    for a, b in zip(left.parameters(), right.parameters(), strict=True):
        assert torch.equal(a, b)


def built(model, tmp_path, **options):
    optimizer = OffloadedAdamW(
        model.parameters(), placement=Placement(nvme=[NvmePath(tmp_path / "nvme")]), run_dir=tmp_path / "run",
        partition_bytes=8192, buffer_bytes=16384, schedule="into_forward", **options,
    )  # fmt: skip
    optimizer.attach(model)
    return optimizer


def test_the_last_step_of_an_optimizer_that_is_dropped_is_done_whole(tmp_path):
    model = linears()
    optimizer = built(model, tmp_path)
    for _ in range(3):
        backward(model)
        optimizer.step()
    del optimizer
    gc.collect()
    assert_same(model, trained_by_torch(3))
    assert not list((tmp_path / "nvme").iterdir())


def test_an_optimizer_that_is_collected_on_its_own_thread_is_released_all_the_same(tmp_path):
    model, holder, collected_on, is_dropped = linears(), [], [], threading.Event()

    class CollectingFile(DirectFile):
        def read_at(self, view, offset):
            assert is_dropped.wait(30)
            if holder:
                holder.clear()
                collected_on.append(threading.current_thread())
                gc.collect()
            return super().read_at(view, offset)

    optimizer = built(model, tmp_path, open_file=CollectingFile)
    optimizer.itself = optimizer  # only the collector finds it
    gc.disable()
    try:
        backward(model)
        optimizer.step()
        backward(model)
        optimizer.step()
        holder.append(optimizer)
        del optimizer
        own = [thread for thread in threading.enumerate() if thread.name.startswith("spillway-")]
        is_dropped.set()
        for thread in own:
            thread.join(30)
    finally:
        gc.enable()
    assert collected_on[0] in own
    assert_same(model, trained_by_torch(2))


def test_a_clip_whose_gradients_were_zeroed_counts_for_nothing(offloaded):
    """As after a norm that the loop itself found too large."""
    model, expected = linears(), linears()
    optimizer = offloaded(model.parameters(), max_grad_norm=1.0)
    reference = torch.optim.AdamW(expected.parameters(), fused=True)
    for number in range(6):
        for zeroes in (optimizer.zero_grad, model.zero_grad, lambda: optimizer.zero_grad(set_to_none=False)):
            backward(model, float("nan"))
            assert not torch.isfinite(optimizer.clip_grad_norm_(1.0))
            zeroes()
        for net in (model, expected):
            backward(net, 1.0 + number)
        want = nn.utils.clip_grad_norm_(expected.parameters(), 1.0)
        if number % 2:
            assert torch.equal(optimizer.clip_grad_norm_(1.0), want)
        optimizer.step(), reference.step(), reference.zero_grad()
        assert not optimizer.step_was_skipped
        assert optimizer.grad_norm == want
    assert_same(model, expected)


def test_clipping_twice_multiplies_once_what_another_optimizer_steps(offloaded):
    model, expected = linears(), linears()
    optimizer = offloaded(model[0].parameters(), model=model)
    for net in (model, expected):
        backward(net, 100.0)
    for max_norm in (5.0, 0.5):
        assert torch.equal(
            optimizer.clip_grad_norm_(max_norm), nn.utils.clip_grad_norm_(expected.parameters(), max_norm)
        )
    for a, b in zip(model[1:].parameters(), expected[1:].parameters(), strict=True):
        assert torch.equal(a.grad, b.grad)


@pytest.mark.parametrize(("weight", "gradient"), [
    (torch.bfloat16, torch.float32), (torch.float32, torch.bfloat16)
])  # fmt: skip
def test_a_gradient_of_another_dtype_is_refused(weight, gradient, offloaded):
    parameter = nn.Parameter(torch.ones(64, dtype=weight))
    parameter.grad_dtype = gradient
    parameter.grad = torch.ones(64, dtype=gradient)
    with pytest.raises(GradientError, match="gradient_dtype"):
        offloaded([parameter]).step()


def test_a_gradient_that_is_refused_leaves_everything_as_it_was(offloaded):
    model = nn.Sequential(nn.Embedding(8, 8, sparse=True), nn.Linear(8, 8))
    optimizer = offloaded(reversed(list(model.parameters())))
    model(torch.tensor([1])).sum().backward()
    with pytest.raises(GradientError, match="gradient_sparse"):
        optimizer.step()
    assert all(parameter.grad is not None for parameter in model.parameters())
    model[0].weight.grad = None
    optimizer.step()
    assert {entry["step"].item() for entry in optimizer.state_dict()["state"].values()} == {1}


@pytest.mark.parametrize("how", ["data.copy_", "data =", "in place"])
def test_bfloat16_weights_written_past_every_counter_stay_written(how, offloaded):
    parameter = nn.Parameter(torch.full((300,), 2.0, dtype=torch.bfloat16))
    optimizer = offloaded([parameter], lr=1e-2, weight_decay=0.0)
    parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    written = torch.full((300,), 5.0, dtype=torch.bfloat16)
    if how == "data.copy_":
        parameter.data.copy_(written)
    elif how == "data =":
        parameter.data = written.clone()
    else:
        with torch.no_grad():
            parameter.copy_(written)
    parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    [entry] = optimizer.state_dict()["state"].values()
    assert torch.allclose(entry["master"], torch.full((300,), 4.99), atol=1e-4)


def test_state_of_torch_without_masters_survives_a_second_trip(offloaded):
    """The masters were never built when it is saved again: they must not come back as zeros."""
    parameter = nn.Parameter(torch.full((300,), 2.0, dtype=torch.bfloat16))
    foreign = torch.optim.AdamW([parameter], lr=1e-2)
    parameter.grad = torch.ones_like(parameter)
    foreign.step()
    second, third = offloaded([parameter]), offloaded([parameter])
    second.load_state_dict(foreign.state_dict())
    third.load_state_dict(second.state_dict())
    before = parameter.detach().clone()
    parameter.grad = torch.ones_like(parameter)
    third.step()
    assert torch.allclose(parameter, before, atol=0.02)


def test_weights_may_be_loaded_after_the_state(offloaded):
    model, other = (linears().to(torch.bfloat16) for _ in range(2))
    first, second = offloaded(model.parameters(), lr=1e-3), offloaded(other.parameters())
    for _ in range(3):
        model(torch.ones(2, 64, dtype=torch.bfloat16)).sum().backward()
        first.step()
    second.load_state_dict(first.state_dict())
    other.load_state_dict(model.state_dict())
    for net, optimizer in ((model, first), (other, second)):
        net(torch.ones(2, 64, dtype=torch.bfloat16)).sum().backward()
        optimizer.step()
    masters = [[entry["master"] for entry in o.state_dict()["state"].values()] for o in (first, second)]
    assert all(torch.equal(a, b) for a, b in zip(*masters, strict=True))


def test_parameters_of_one_name_do_not_share_a_place_in_a_checkpoint(offloaded, tmp_path):
    left, right = linears(), linears()
    optimizer = offloaded([{"params": list(net.named_parameters())} for net in (left, right)])
    backward(left), backward(right, 3.0)
    optimizer.step()
    before = optimizer.state_dict()["state"]
    optimizer.save(tmp_path / "checkpoint")
    optimizer.load(tmp_path / "checkpoint")
    for number, entry in optimizer.state_dict()["state"].items():
        assert all(torch.equal(value, before[number][name]) for name, value in entry.items())


def test_a_checkpoint_with_other_groups_is_refused_before_anything_changes(offloaded, tmp_path):
    model = linears()
    optimizer = offloaded(model.named_parameters())
    backward(model)
    optimizer.step()
    optimizer.save(tmp_path / "checkpoint")
    named = list(model.named_parameters())
    other = offloaded([{"params": named[:1]}, {"params": named[1:]}])
    with pytest.raises(StorageError, match="1 parameter groups, the optimizer 2"):
        other.load(tmp_path / "checkpoint")
    assert other.state_dict()["state"] == {}
