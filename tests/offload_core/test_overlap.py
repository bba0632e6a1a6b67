"""What runs while what waits: proved with a disk whose reads and writes stop at will."""

from __future__ import annotations

import threading

import pytest
import torch
from torch import nn

from offload_core.storage.files import DirectFile

WIDTH = 32
EXTENT = 12288  # a Linear(32, 32) in float32: 32 * 33 * 8 bytes of state, rounded up


class Disk:
    """A disk that holds back transfers of some extents until it is told to let them through."""

    def __init__(self):
        self.held: dict[tuple[str, int], threading.Event] = {}
        self.seen: list[tuple[str, int]] = []
        self.changed = threading.Condition()

    def hold(self, action, extent):
        self.held[action, extent] = threading.Event()

    def let_through(self, action, extent):
        self.held.pop((action, extent)).set()

    def arrive(self, action, offset):
        with self.changed:
            self.seen.append((action, offset // EXTENT))
            self.changed.notify_all()
        if event := self.held.get((action, offset // EXTENT)):
            assert event.wait(30)

    def wait_for(self, *expected):
        with self.changed:
            assert self.changed.wait_for(lambda: set(expected) <= set(self.seen), 30), self.seen

    def open(self, path):
        disk = self

        class File(DirectFile):
            def read_at(self, view, offset):
                disk.arrive("read", offset)
                return super().read_at(view, offset)

            def write_at(self, view, offset):
                disk.arrive("write", offset)
                return super().write_at(view, offset)

        return File(path)


@pytest.fixture
def disk():
    disk = Disk()
    yield disk
    for action, extent in list(disk.held):
        disk.let_through(action, extent)


@pytest.fixture
def model():
    torch.manual_seed(0)
    return nn.Sequential(*(nn.Linear(WIDTH, WIDTH) for _ in range(4)))


@pytest.fixture
def optimizer(disk, model, offloaded):
    # One layer a partition; state is born by a first step.
    optimizer = offloaded(
        model.parameters(), model=model, schedule="into_forward", partition_bytes=WIDTH * (WIDTH + 1) * 8,
        buffer_bytes=8 * EXTENT, open_file=disk.open,
    )  # fmt: skip
    assert len(optimizer.plan.partitions) == 4
    backward(model)
    optimizer.step()
    return optimizer


def backward(model):
    model(torch.ones(1, WIDTH)).sum().backward()


def in_thread(work):
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_state_is_read_ahead_before_step_is_called(disk, optimizer):
    optimizer.synchronize()
    disk.wait_for(*(("read", extent) for extent in range(4)))


def test_step_returns_and_early_layers_compute_while_a_late_read_is_under_way(disk, model, optimizer):
    disk.hold("read", 2)
    backward(model)
    before = [layer.weight.detach().clone() for layer in model]
    optimizer.step()
    x = model[1](model[0](torch.ones(1, WIDTH)))
    assert [not torch.equal(layer.weight, old) for layer, old in zip(model, before, strict=True)][0:3] == [1, 1, 0]
    done = []
    waiting = in_thread(lambda: done.append(model[2](x)))
    waiting.join(0.05)
    assert not done
    disk.let_through("read", 2)
    waiting.join(30)
    assert done
    optimizer.synchronize()
    assert optimizer.last_step.stall_seconds["nvme_read"] >= 0.04


def test_a_slow_write_holds_up_nobody_until_its_buffer_is_needed(disk, model, optimizer):
    optimizer.synchronize()
    disk.seen.clear()
    disk.hold("write", 0)
    backward(model)
    optimizer.step()
    backward(model)
    disk.wait_for(("write", 0), ("write", 3))
    disk.let_through("write", 0)
    optimizer.synchronize()


def test_saving_the_model_or_a_part_of_it_waits_for_fresh_weights(disk, model, optimizer):
    for saved in (model, model[3]):
        backward(model)
        disk.hold("read", 3)
        old = model[3].weight.detach().clone()
        optimizer.step()
        found = []
        saving = in_thread(lambda saved=saved, found=found: found.append(saved.state_dict()))
        # The read of this round may have been done ahead; then nothing is left to wait for.
        saving.join(0.05)
        disk.let_through("read", 3)
        saving.join(30)
        assert not torch.equal(next(v for k, v in found[0].items() if k in {"3.weight", "weight"}), old)


def test_a_fast_path_that_skips_submodules_waits_for_them(disk, offloaded):
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(16, 1, 16, dropout=0.0, batch_first=True)
    optimizer = offloaded(layer.parameters(), lr=0.1, model=layer, schedule="into_forward", open_file=disk.open)
    x = torch.ones(1, 2, 16)
    for _ in range(2):
        layer.train()(x).sum().backward()
        optimizer.step()
        with torch.no_grad():
            early = layer.eval()(x)
            optimizer.synchronize()
            assert torch.equal(early, layer(x))


class ReadsPastHead(nn.Module):
    """Calls its head in evaluation, and reads the head's weight past it in training."""

    def __init__(self):
        super().__init__()
        self.body = nn.Linear(WIDTH, WIDTH)
        self.head = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        x = self.body(x)
        return nn.functional.linear(x, self.head.weight, self.head.bias) if self.training else self.head(x)


def test_a_head_that_training_reads_past_is_fresh_though_evaluation_calls_it(disk, offloaded):
    torch.manual_seed(0)
    model = ReadsPastHead()
    optimizer = offloaded(model.parameters(), lr=0.1, model=model, schedule="into_forward", open_file=disk.open)
    model.eval()(torch.ones(1, WIDTH)).sum()
    for _ in range(3):
        backward(model.train())
        optimizer.step()
        early = model(torch.ones(1, WIDTH))
        optimizer.synchronize()
        assert torch.equal(early, model(torch.ones(1, WIDTH)))
        model.eval()(torch.ones(1, WIDTH))


def test_gates_hold_from_the_first_step_though_no_forward_came_before_it(disk, offloaded):
    torch.manual_seed(0)
    model = ReadsPastHead()
    optimizer = offloaded(model.parameters(), lr=0.1, model=model, schedule="into_forward", open_file=disk.open)
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    early = model(torch.ones(1, WIDTH))
    optimizer.synchronize()
    assert torch.equal(early, model(torch.ones(1, WIDTH)))


def test_a_stale_weight_read_past_the_gates_is_an_error_in_backward(disk, model, optimizer):
    disk.hold("read", 3)
    backward(model)
    optimizer.step()
    # Not through the module's forward: nothing can make it wait.
    loss = nn.functional.linear(model[0](torch.ones(1, WIDTH)), model[3].weight).sum()
    disk.let_through("read", 3)
    optimizer.synchronize()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


@pytest.mark.parametrize("how", ["wrapped", "in place"])
def test_a_compiled_model_trains_like_torch(how, offloaded):
    def build():
        torch.manual_seed(0)
        return nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH))

    expected, plain = build(), build()
    if how == "wrapped":
        compiled = torch.compile(plain, backend="eager")
    else:
        plain.compile(backend="eager")
        compiled = plain
    optimizer = offloaded(compiled.parameters(), model=compiled, schedule="into_forward")
    reference = torch.optim.AdamW(expected.parameters(), fused=True)
    for _ in range(4):
        backward(expected), reference.step(), reference.zero_grad()
        backward(compiled), optimizer.step()
    optimizer.synchronize()
    assert all(torch.equal(a, b) for a, b in zip(expected.parameters(), plain.parameters(), strict=True))
