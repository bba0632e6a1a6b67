"""Gates: a module's forward waits for its own weights, and for nothing else."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import torch
from torch import nn
from torch.utils.hooks import RemovableHandle

from offload_core.engine.passes import Passes
from offload_core.errors import WeightError


class Gated(Protocol):
    """What a gate asks of the optimizer."""

    def wait_fresh(self, parameters: list[torch.Tensor] | None) -> None:
        """Return when these parameters (None: all) have the weights of the newest step."""
        ...

    def is_fresh(self) -> bool:
        """Whether all have them now."""
        ...


class Gates:
    """The hooks of one attached model.

    A module waits for its own parameters. Parameters of a submodule whose forward the newest training pass did not call
    (nn.MultiheadAttention uses `out_proj.weight` itself, TRL's trainers the weight of `lm_head`) are waited for by the
    nearest caller above it, and by whatever is called outside of the whole model's forward.
    """

    def __init__(self, model: nn.Module, optimizer: Gated) -> None:
        self._model = weakref.ref(model)
        self._optimizer = weakref.ref(optimizer)
        self._passes = Passes()
        self._is_inside = False
        self._began_stale = False
        self._settled: frozenset[int] = frozenset()
        self._read_past: set[int] = set()
        self._waits: weakref.WeakKeyDictionary[nn.Module, list[torch.Tensor]] = weakref.WeakKeyDictionary()
        # As they are now: functional_call() puts other tensors in their place for the time of a forward.
        self._below: weakref.WeakKeyDictionary[nn.Module, list[torch.Tensor]] = weakref.WeakKeyDictionary(
            (module, list(module.parameters())) for module in model.modules()
        )
        self._unguarded: list[torch.Tensor] = list(model.parameters(recurse=False))
        # A hook inside a compiled callable is traced away: one gate for everything, outside of what is compiled.
        self._has_one_gate = any(_is_compiled(module) for module in model.modules())
        self._handles: list[RemovableHandle] = []
        self._register(model)

    def _register(self, model: nn.Module) -> None:
        enter, leave = _forward_hooks(weakref.ref(self))
        whole = _whole_model_hook(self._optimizer)
        if self._has_one_gate:
            self._handles.append(model.register_forward_pre_hook(enter, prepend=True))
        else:
            for module, below in self._below.items():
                if below:
                    # First: weight_norm and its kind compute the weight in such a hook of their own.
                    self._handles.append(module.register_forward_pre_hook(enter, prepend=True))
            self._handles.append(model.register_forward_hook(leave, always_call=True))
        # On every module: a part of the model may be saved or loaded by itself.
        for module in model.modules():
            untyped: Any = module
            self._handles.append(untyped.register_state_dict_pre_hook(whole))
            self._handles.append(untyped.register_load_state_dict_pre_hook(whole))

    def enter(self, module: nn.Module) -> None:
        """Wait for what the module's forward reads, and note that it was called. May stall."""
        optimizer = self._optimizer()
        if optimizer is None:
            return
        is_model = module is self._model()
        # An evaluation may call what training reads past: only passes that build a graph count.
        builds_graph = torch.is_grad_enabled()
        if is_model:
            self._is_inside = True
            if builds_graph:
                self._passes.begin(is_training=module.training)
                self._began_stale |= module.training and not optimizer.is_fresh()
        if self._has_one_gate:
            optimizer.wait_fresh(None)
            return
        if builds_graph:
            self._passes.note(id(module))
        # Fast paths of eval mode read the weights of submodules that are called in training.
        waits = (self._waits if module.training else self._below).get(module, [])
        optimizer.wait_fresh(waits if self._is_inside else [*waits, *self._unguarded])

    def leave(self) -> None:
        """The whole model's forward has ended, or failed."""
        self._is_inside = False

    def settle(self) -> bool:
        """Decide who waits for what from now on, by who was called since the step before and what has gradients.

        False where the model's own forward was not called: nothing is sure to wait, so that the step has to. Raises
        WeightError (`stale_weights_read`) where weights were read past the gates while they were being updated.
        """
        model, passes, began_stale = self._model(), self._passes, self._began_stale
        self._passes, self._began_stale = Passes(), False
        passes.end()
        if model is None or not passes.were_any:
            return False
        # In eval mode the model waits for everything.
        if self._has_one_gate or passes.called_always is None:
            return True
        read_past = dict(_read_past(model, passes.called_ever))
        if began_stale and (surprises := [name for key, name in read_past.items() if key in self._settled]):
            raise WeightError(
                "stale_weights_read",
                f"The forward pass read weights of {', '.join(surprises[:3])} without calling it, as earlier passes"
                " did, while they were being updated.",
                next_step='Drop this step\'s gradients, or train with schedule="plain".',
            )
        self._read_past |= read_past.keys()
        called = frozenset(passes.called_always - self._read_past)
        if called != self._settled:
            self._settled = called
            self._assign(model)
        return True

    def _assign(self, model: nn.Module) -> None:
        waits: weakref.WeakKeyDictionary[nn.Module, list[torch.Tensor]] = weakref.WeakKeyDictionary()
        self._unguarded = []
        for module, caller in _nearest_callers(model, self._settled):
            own = list(module.parameters(recurse=False))
            # A module that was not called may be next time: it waits for its own in any case.
            for waiting in {module, caller}:
                waits.setdefault(waiting, []).extend(own)
            if caller is not module or module is model:
                self._unguarded.extend(own)
        self._waits = waits

    def remove(self) -> None:
        """Take every hook off the model."""
        while self._handles:
            self._handles.pop().remove()


def _is_compiled(module: nn.Module) -> bool:
    return hasattr(module, "_orig_mod") or getattr(module, "_compiled_call_impl", None) is not None


def _nearest_callers(model: nn.Module, called: frozenset[int]) -> Iterator[tuple[nn.Module, nn.Module]]:
    def walk(module: nn.Module, above: nn.Module) -> Iterator[tuple[nn.Module, nn.Module]]:
        caller = module if id(module) in called else above
        yield module, caller
        for child in module.children():
            yield from walk(child, caller)

    return walk(model, model)


def _read_past(model: nn.Module, called: set[int]) -> Iterator[tuple[int, str]]:
    """Modules that were not called although parameters that no called module holds have gradients."""
    held: set[int] | None = None
    for name, module in model.named_modules():
        if id(module) in called:
            continue
        for parameter in module.parameters(recurse=False):
            if parameter.grad is None:
                continue
            if held is None:
                holders = (holder for holder in model.modules() if id(holder) in called)
                held = {id(own) for holder in holders for own in holder.parameters(recurse=False)}
            if id(parameter) not in held:
                yield id(module), name
                break


# Plain functions with weak references: a bound method would be copied by deepcopy(model), and the optimizer with it.


def _forward_hooks(gates: weakref.ref[Gates]) -> tuple[Callable[..., None], Callable[..., None]]:
    def enter(module: nn.Module, _arguments: tuple[Any, ...]) -> None:
        if own_gates := gates():
            own_gates.enter(module)

    def leave(_module: nn.Module, _arguments: tuple[Any, ...], _result: Any) -> None:
        if own_gates := gates():
            own_gates.leave()

    # Where the model is compiled after all, they have to run in every call, not only while it is traced.
    disable: Any = torch.compiler.disable
    return disable(enter), disable(leave)


def _whole_model_hook(optimizer: weakref.ref[Gated]) -> Callable[..., None]:
    def wait_for_all_weights(*_arguments: Any) -> None:
        gated = optimizer()
        if gated is not None:
            gated.wait_fresh(None)

    return wait_for_all_weights
