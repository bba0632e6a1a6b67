"""What users do to optimizers and models: skips, failures, forks, copies, second runs, limits."""

from __future__ import annotations

import copy
import errno
import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from offload_core import NvmePath, OffloadedAdamW, Placement
from offload_core.engine.rounds import GrantOrder
from offload_core.errors import (
    DiskFullError,
    EngineCopyError,
    EngineStateError,
    GradientError,
    OffloadError,
    ParameterError,
    PlacementError,
    RunDirectoryError,
)
from offload_core.storage.files import DirectFile


def step(model, optimizer, value=1.0):
    model(torch.full((2, 64), value)).sum().backward()
    optimizer.step()


def linear(**options):
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(64, 64, **options), nn.Linear(64, 64, **options))


@pytest.mark.parametrize("schedule", ["plain", "into_forward"])
def test_a_step_whose_norm_is_not_finite_changes_nothing(schedule, offloaded):
    model, other = linear(), linear()
    optimizer = offloaded(model.parameters(), max_grad_norm=1.0, model=model, schedule=schedule)
    plain = offloaded(other.parameters(), max_grad_norm=1.0, model=other)
    for value in (1.0, float("nan"), 2.0, float("inf"), 3.0):
        step(model, optimizer, value)
        assert optimizer.step_was_skipped == (not value < 10)
        if value < 10:
            step(other, plain, value)
    optimizer.synchronize(), plain.synchronize()
    assert optimizer.skipped_steps == 2
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), other.parameters(), strict=True))
    assert optimizer.state_dict()["state"][0]["step"] == 3
    assert optimizer.last_step.step == 5


def test_a_skipped_step_writes_nothing(offloaded):
    model, reports = linear(), []
    optimizer = offloaded(model.parameters(), max_grad_norm=1.0, model=model, on_step_report=reports.append)
    step(model, optimizer)
    optimizer.synchronize()
    step(model, optimizer, float("nan"))
    optimizer.synchronize()
    assert [report.is_skipped for report in reports] == [False, True]
    assert reports[0].bytes_written > 0
    assert reports[1].bytes_written == 0


def test_gradients_that_come_and_go_do_not_confuse_the_buffers(offloaded):
    """Partitions that were read ahead may turn out to have no gradient, and the other way round."""
    torch.manual_seed(0)
    parameters = [nn.Parameter(torch.randn(600)) for _ in range(7)]
    twins = [nn.Parameter(p.detach().clone()) for p in parameters]
    optimizer = offloaded(parameters, lr=1e-2, buffer_bytes=2 * 8192, partition_bytes=8192)
    expected = torch.optim.AdamW(twins, lr=1e-2, fused=True)
    for number in range(40):
        for index, (p, twin) in enumerate(zip(parameters, twins, strict=True)):
            if (number * 5 + index * 3) % 7 < number % 4:
                p.grad, twin.grad = torch.full((600,), float(number)), torch.full((600,), float(number))
        optimizer.step()
        expected.step()
        expected.zero_grad()
    assert all(torch.equal(a, b) for a, b in zip(parameters, twins, strict=True))


@settings(max_examples=25, deadline=None)
@given(
    sizes=st.lists(st.integers(0, 3000), min_size=1, max_size=6), dtype=st.sampled_from([torch.float32, torch.bfloat16])
)
def test_any_shapes_train_like_torch(sizes, dtype, tmp_path_factory):
    directory = tmp_path_factory.mktemp("shapes")
    torch.manual_seed(len(sizes))
    parameters = [nn.Parameter(torch.randn(size).to(dtype)) for size in sizes]
    masters = [nn.Parameter(p.detach().float()) for p in parameters]
    expected = torch.optim.AdamW(masters, lr=1e-2, fused=True)
    placement = Placement(host_bytes=6000, nvme=[NvmePath(directory)])
    with OffloadedAdamW(
        parameters, lr=1e-2, placement=placement, run_dir=directory / "run", partition_bytes=4096, buffer_bytes=8192
    ) as optimizer:
        for _ in range(3):
            for p, master in zip(parameters, masters, strict=True):
                p.grad = torch.randn(p.shape).to(dtype)
                master.grad = p.grad.float()
            optimizer.step()
            expected.step()
    assert all(torch.equal(p, m.to(dtype)) for p, m in zip(parameters, masters, strict=True))


@given(rounds=st.lists(st.sets(st.integers(0, 5)), max_size=6), num_buffers=st.integers(1, 4), data=st.data())
def test_buffers_are_granted_in_order_and_never_deadlock(rounds, num_buffers, data):
    """A model of the pipeline: any interleaving of finished writes lets every round end."""
    order, held, granted, launched = GrantOrder(range(6)), {}, [], 0
    active = None

    def grant():
        while len(held) < num_buffers:
            partition = order.next_grant(launched=launched, active=active, held=held)
            if partition is None:
                return
            granted.append((order.round, partition))
            held[partition] = order.round

    for number, active in enumerate(rounds):
        order.finish_rounds_before(launched)
        launched += 1
        grant()
        for partition in range(6):
            if held.get(partition) == number:
                if partition not in active or data.draw(st.booleans()):
                    del held[partition]
                    grant()
                else:
                    held[partition] = -1
            else:
                # Whoever writes, ends some time: writes need no buffer.
                while partition in active and held.get(partition) != number:
                    writing = [p for p, stage in held.items() if stage == -1]
                    assert writing, "nothing could ever free a buffer"
                    del held[data.draw(st.sampled_from(writing))]
                    grant()
                if partition in active:
                    held[partition] = -1
    assert granted == sorted(granted)


def test_clipping_twice_multiplies_as_torch_does(offloaded):
    model, other = linear(), linear()
    optimizer, expected = offloaded(model.parameters()), torch.optim.AdamW(other.parameters(), fused=True)
    for value in (1.0, 2.0):
        for net in (model, other):
            net(torch.full((2, 64), value)).sum().backward()
        for max_norm in (5.0, 0.5):
            want = nn.utils.clip_grad_norm_(other.parameters(), max_norm)
            assert torch.equal(optimizer.clip_grad_norm_(max_norm), want)
        optimizer.step(), expected.step(), expected.zero_grad()
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), other.parameters(), strict=True))


def test_a_gradient_that_grows_after_clipping_is_an_error(offloaded):
    model = linear()
    optimizer = offloaded(model.parameters())
    model(torch.ones(2, 64)).sum().backward()
    optimizer.clip_grad_norm_(1.0)
    model(torch.ones(2, 64)).sum().backward()
    with pytest.raises(GradientError, match="gradient_changed_after_clip"):
        optimizer.step()


def test_a_grad_scaler_is_refused(offloaded):
    model = linear()
    optimizer = offloaded(model.parameters())
    scaler = torch.amp.GradScaler("cpu")
    scaler.scale(model(torch.ones(2, 64)).sum()).backward()
    with pytest.raises(GradientError, match="grad_scaler_unsupported"):
        scaler.step(optimizer)


@pytest.mark.parametrize(("parameter", "code"), [
    (torch.zeros(4, dtype=torch.float16), "dtype_unsupported"),
    (torch.zeros(4, 4).t()[1:], "layout_unsupported"),
    (torch.zeros(4, device="meta"), "device_unsupported"),
])  # fmt: skip
def test_parameters_without_an_exact_step_are_refused(parameter, code, offloaded):
    with pytest.raises(ParameterError) as caught:
        offloaded([nn.Parameter(parameter)])
    assert caught.value.code == code


def test_a_closure_and_schedulers_work(offloaded):
    model = linear()
    optimizer = offloaded(model.parameters(), lr=1.0, model=model, schedule="into_forward")
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 / (step + 1))

    def closure():
        loss = model(torch.ones(2, 64)).sum()
        loss.backward()
        return loss.item()

    assert isinstance(optimizer.step(closure), float)
    scheduler.step()
    assert optimizer.param_groups[0]["lr"] == 0.5


def test_copying_the_model_works_and_copying_the_optimizer_does_not(offloaded):
    model = linear()
    optimizer = offloaded(model.parameters(), model=model)
    step(model, optimizer)
    assert copy.deepcopy(model)(torch.ones(1, 64)).shape == (1, 64)
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(EngineCopyError):
            attempt(optimizer)


def test_two_runs_cannot_share_a_run_directory(tmp_path):
    placement = Placement(host_bytes="1MiB")
    first = OffloadedAdamW([nn.Parameter(torch.ones(3))], placement=placement, run_dir=tmp_path)
    with pytest.raises(RunDirectoryError):
        OffloadedAdamW([nn.Parameter(torch.ones(3))], placement=placement, run_dir=tmp_path)
    first.close()
    OffloadedAdamW([nn.Parameter(torch.ones(3))], placement=placement, run_dir=tmp_path).close()


def test_budgets_are_checked_before_anything_is_allocated(tmp_path):
    parameters = [nn.Parameter(torch.ones(5000))]
    for options, code in (
        ({"placement": Placement(host_bytes=100)}, "state_does_not_fit"),
        ({"placement": Placement(device_bytes="1GiB")}, "device_tier_unavailable"),
        ({"placement": Placement(nvme=[tmp_path / "nvme"]), "buffer_bytes": 4096}, "buffer_too_small"),
    ):
        with pytest.raises(PlacementError) as caught:
            OffloadedAdamW(parameters, run_dir=tmp_path / "run", partition_bytes=8192, **options)
        assert caught.value.code == code
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="no tmpfs at /dev/shm")
def test_memory_given_as_a_disk_is_reported_as_memory(tmp_path):
    model = linear()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
        placement = Placement(nvme=[tmp_path / "nvme", memory])
        optimizer = OffloadedAdamW(
            model.parameters(), placement=placement, run_dir=tmp_path / "run", partition_bytes=8192
        )  # fmt: skip
        optimizer.attach(model)
        step(model, optimizer)
        optimizer.close()
        [notice] = optimizer.notices
        assert "is tmpfs" in notice
        assert optimizer.last_step.occupancy_bytes["host"] > 0
        assert sum(optimizer.last_step.occupancy_bytes.values()) == 2 * 64 * 65 * 8


def test_closing_leaves_weights_and_nothing_on_disk(tmp_path, offloaded):
    model = linear()
    optimizer = offloaded(model.parameters(), model=model, schedule="into_forward")
    step(model, optimizer)
    optimizer.close()
    optimizer.close()
    assert not list((tmp_path / "nvme").iterdir())
    model(torch.ones(1, 64))
    with pytest.raises(EngineStateError, match="engine_closed"):
        optimizer.step()


class FailingFile(DirectFile):
    """A disk that fills up after some writes."""

    writes_left = 5

    def write_at(self, view, offset):
        if FailingFile.writes_left == 0:
            raise OSError(errno.ENOSPC, "full")
        FailingFile.writes_left -= 1
        return super().write_at(view, offset)


def test_a_disk_that_fills_up_in_the_background_stops_training_with_its_own_error(tmp_path):
    model = linear()
    FailingFile.writes_left = 5
    optimizer = OffloadedAdamW(
        model.parameters(), placement=Placement(nvme=[tmp_path / "nvme"]), run_dir=tmp_path / "run",
        partition_bytes=8192, buffer_bytes=2 * 8192, open_file=FailingFile,
    )  # fmt: skip
    optimizer.attach(model)

    def train():
        for _ in range(3):
            step(model, optimizer)

    with pytest.raises(DiskFullError) as caught:
        train()
    assert caught.value.path.parent.parent == tmp_path / "nvme"
    with pytest.raises(DiskFullError):
        optimizer.close()
    assert not list((tmp_path / "nvme").iterdir())


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_may_use_the_model_but_not_the_engine(tmp_path, offloaded):
    model = linear()
    optimizer = offloaded(model.parameters(), model=model, schedule="into_forward")
    step(model, optimizer)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            try:
                optimizer.step()
            except EngineStateError:
                model.state_dict()
                optimizer.close()
                status = 0
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    step(model, optimizer)
    optimizer.synchronize()


PROGRAM = """
import sys
import offload_core
from offload_core import Placement, assign_tiers, NvmePath
from offload_core.planning import partitions, placement, sizes
assert not {"torch", "numpy", "numba"} & set(sys.modules), "the planner must not need them"
import offload_core.storage.store
assert not {"torch", "numba"} & set(sys.modules)
offload_core.OffloadedAdamW
assert "torch" in sys.modules
"""


def test_the_planner_and_the_store_do_not_import_torch():
    subprocess.run([sys.executable, "-c", PROGRAM], check=True)


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="Nothing"):
        __import__("offload_core").Nothing  # noqa: B018


def test_every_error_says_what_to_do():
    error = OffloadError("some_code", "It broke.", next_step="Fix it.")
    assert str(error) == "It broke. Fix it. [some_code]"
