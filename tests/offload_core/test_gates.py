"""Whatever way a model is called, its forward reads fresh weights, or the step says that it cannot."""

from __future__ import annotations

import time

import pytest
import torch
from torch import nn
from torch.nn import functional

from offload_core.engine.passes import Passes
from offload_core.errors import GradientError, WeightError
from offload_core.storage.files import DirectFile

WIDTH = 32


class SlowFile(DirectFile):
    """A disk so slow that whoever does not wait reads what is stale."""

    def read_at(self, view, offset):
        time.sleep(0.005)
        return super().read_at(view, offset)


class Net(nn.Module):
    """A body before a head; parameters of its own that autograd does not save, so that only gates keep them fresh."""

    def __init__(self):
        super().__init__()
        self.position = nn.Parameter(torch.randn(WIDTH))
        self.body = nn.Sequential(*(nn.Linear(WIDTH, WIDTH) for _ in range(4)))
        self.head = nn.Linear(WIDTH, WIDTH)

    def features(self, x):
        return self.body(x + self.position)

    def forward(self, x, *, reads_past_head=False):
        x = self.features(x)
        return x + self.head.bias if reads_past_head else self.head(x)


@pytest.fixture
def slow(offloaded):
    """The engine on a slow disk, a partition a layer, updates in the next forward."""

    def build(params, **options):
        defaults = {"lr": 0.1, "partition_bytes": 8192, "buffer_bytes": 8192, "schedule": "into_forward"}
        return offloaded(params, **{**defaults, "open_file": SlowFile, **options})

    return build


def train_both(slow, forward, build=Net, params=lambda model: list(model.parameters()), max_grad_norm=None):
    """Train by torch and by the engine; return the losses of each."""
    both = []
    for is_ours in (False, True):
        torch.manual_seed(0)
        model = build()
        trained = params(model)
        if is_ours:
            optimizer = slow(trained, model=model, max_grad_norm=max_grad_norm)
        else:
            optimizer = torch.optim.AdamW(trained, lr=0.1, fused=True)
        losses = []
        for step in range(4):
            x = torch.randn(2, WIDTH, generator=torch.Generator().manual_seed(step))
            loss = forward(model, x, step).square().mean()
            loss.backward()
            if max_grad_norm is not None and not is_ours:
                nn.utils.clip_grad_norm_(trained, max_grad_norm)
            optimizer.step()
            for parameter in trained:
                parameter.grad = None
            losses.append(loss.item())
        both.append(losses)
    return both


def evaluated_in_between(model, x, _step):
    # With a graph, and after the training pass: it calls the head, training does not.
    out = model(x, reads_past_head=True)
    model.eval()(x)
    model.train()
    return out


@pytest.mark.parametrize("forward", [
    lambda model, x, _: model.head(model.features(x)),
    lambda model, x, _: model.forward(x),
    lambda model, x, _: model(x) + model(x, reads_past_head=True),
    lambda model, x, _: model(x, reads_past_head=True) + model(x),
    evaluated_in_between,
], ids=["method", "forward", "called then past", "past then called", "evaluated"])  # fmt: skip
def test_losses_are_those_of_torch_however_the_model_is_called(forward, slow):
    want, got = train_both(slow, forward)
    assert got == want


def with_weight_norm(norm):
    def build():
        model = Net()
        model.head = norm(model.head)
        return model

    return build


@pytest.mark.filterwarnings("ignore:.*weight_norm.*:FutureWarning")
@pytest.mark.parametrize("norm", [
    nn.utils.weight_norm, nn.utils.spectral_norm, nn.utils.parametrizations.weight_norm
], ids=["hook", "spectral hook", "parametrization"])  # fmt: skip
def test_weights_that_are_computed_in_a_hook_come_of_fresh_ones(norm, slow):
    want, got = train_both(slow, lambda model, x, _: model(x), build=with_weight_norm(norm))
    assert got == want


def with_a_scale_outside():
    model = Net()
    # Not registered: the model knows nothing of it.
    model.__dict__["scale"] = nn.Parameter(torch.randn(WIDTH))
    return model


@pytest.mark.parametrize("max_grad_norm", [None, 0.1])
def test_parameters_outside_of_the_attached_model_are_fresh_and_clipped_with_it(max_grad_norm, slow):
    want, got = train_both(
        slow,
        lambda model, x, _: model(x + model.scale),
        build=with_a_scale_outside,
        params=lambda model: [*model.parameters(), model.scale],
        max_grad_norm=max_grad_norm,
    )
    assert got == want


def test_a_functional_call_of_the_weights_waits_for_them(slow):
    torch.manual_seed(0)
    model = Net()
    optimizer = slow(model.parameters(), model=model)
    x = torch.ones(1, WIDTH)
    for mode in (True, False):
        model.train()(x).sum().backward()
        optimizer.step()
        model.train(mode)
        with torch.no_grad():
            weights = {name: parameter.detach() for name, parameter in model.named_parameters()}
            early = torch.func.functional_call(model, weights, (x,))
            optimizer.synchronize()
            assert torch.equal(early, model(x))


@pytest.mark.parametrize("when", ["before attach", "after attach"])
def test_a_model_whose_parts_are_compiled_trains_like_torch(when, slow):
    def build():
        torch.manual_seed(0)
        return nn.Sequential(*(nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU()) for _ in range(4)))

    expected, model = build(), build()
    reference = torch.optim.AdamW(expected.parameters(), lr=0.1, fused=True)

    def compile_parts():
        for part in model:
            part.compile(backend="eager")
        # From its first call on, a compiled callable may not look for hooks any more.
        model(torch.ones(2, WIDTH))

    if when == "before attach":
        compile_parts()
    optimizer = slow(model.parameters(), model=model)
    if when == "after attach":
        compile_parts()
    for _ in range(3):
        losses = [net(torch.ones(2, WIDTH)).square().mean() for net in (expected, model)]
        assert losses[0] == losses[1]
        for loss in losses:
            loss.backward()
        reference.step(), reference.zero_grad(), optimizer.step()


def test_weights_read_past_the_gates_for_the_first_time_while_they_are_updated_are_an_error(slow):
    model = Net()
    optimizer = slow(model.parameters(), model=model)
    x = torch.ones(1, WIDTH)
    for _ in range(2):
        model(x).sum().backward()
        optimizer.step()
    model(x, reads_past_head=True).sum().backward()
    with pytest.raises(WeightError, match=r"stale_weights_read") as caught:
        optimizer.step()
    assert "head" in caught.value.message
    optimizer.zero_grad()
    # From now on its weights are waited for at once.
    for reads_past_head in (True, False, True):
        out = model(x, reads_past_head=reads_past_head)
        out.sum().backward()
        optimizer.synchronize()
        assert torch.equal(out, model(x, reads_past_head=reads_past_head))
        optimizer.step()


def test_a_module_that_is_not_used_at_all_is_no_error(slow):
    class Tied(Net):
        def __init__(self):
            super().__init__()
            self.other = nn.Linear(WIDTH, WIDTH)
            self.other.weight = self.head.weight

        def forward(self, x, *, uses_other):
            return self.head(self.other(self.features(x)) if uses_other else self.features(x))

    want, got = train_both(slow, lambda model, x, step: model(x, uses_other=step % 2 == 0), build=Tied)
    assert got == want


@pytest.mark.parametrize("what", ["weight", "gradient"])
def test_what_is_written_before_its_update_has_come_is_an_error(what, slow):
    model = Net()
    optimizer = slow(model.parameters(), model=model)
    x = torch.ones(1, WIDTH)
    model(x).sum().backward()
    optimizer.step()
    model(x).sum().backward()
    gradient = model.head.weight.grad
    optimizer.step()
    with torch.no_grad():
        (model.head.weight if what == "weight" else gradient).mul_(0.5)
    with pytest.raises(WeightError if what == "weight" else GradientError, match=rf"{what}.*head\.weight|head\.weight"):
        optimizer.synchronize()
    with pytest.raises((WeightError, GradientError)):
        optimizer.close()


def test_parameters_that_are_views_of_one_tensor_may_share_its_counter(offloaded):
    flat, other = torch.randn(2, 256).to(torch.bfloat16).view(-1), []
    views = [nn.Parameter(flat[:256]), nn.Parameter(flat[256:])]
    assert views[0].untyped_storage().data_ptr() == views[1].untyped_storage().data_ptr()
    alone = [nn.Parameter(view.detach().clone()) for view in views]
    for parameters in (views, alone):
        optimizer = offloaded(parameters, lr=1e-3, partition_bytes=1024 * 3, buffer_bytes=4 * 4096)
        for _ in range(5):
            for parameter in parameters:
                parameter.grad = torch.ones_like(parameter)
            optimizer.step()
        other.append([optimizer.state_dict()["state"][index]["master"] for index in range(2)])
    assert all(torch.equal(a, b) for a, b in zip(*other, strict=True))


def test_passes_know_what_all_and_what_any_of_them_called():
    passes = Passes()
    assert not passes.were_any
    for is_training, called in ((True, {1, 2}), (False, {1, 4}), (True, {2, 3})):
        passes.begin(is_training=is_training)
        for module in called:
            passes.note(module)
    passes.end()
    assert passes.were_any
    assert passes.called_always == {2}
    assert passes.called_ever == {1, 2, 3, 4}
    only_evaluated = Passes()
    only_evaluated.begin(is_training=False)
    only_evaluated.end()
    assert only_evaluated.were_any
    assert only_evaluated.called_always is None


def test_functional_uses_of_the_models_own_parameters_are_fresh_between_steps(slow):
    """Called by its parts, in evaluation: what the whole model would have waited for is waited for by the parts."""
    torch.manual_seed(0)
    model = Net()
    optimizer = slow(model.parameters(), model=model)
    x = torch.ones(1, WIDTH)
    model(x, reads_past_head=True).sum().backward()
    optimizer.step()
    with torch.no_grad():
        early = functional.linear(model.body(x), model.position[None]) + model.head.bias.sum()
        optimizer.synchronize()
        assert torch.equal(early, functional.linear(model.body(x), model.position[None]) + model.head.bias.sum())
