"""Gates: a module's forward waits for its own partitions' weights, and for nothing else."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import torch
from torch import nn
from torch.utils.hooks import RemovableHandle


class Gated(Protocol):
    """What a gate asks of the optimizer."""

    def wait_fresh(self, parameters: list[torch.Tensor] | None) -> None:
        """Return when these parameters (None: all) have the weights of the newest step."""
        ...


class Gates:
    """The hooks of one attached model.

    A module waits for its own parameters. Parameters of a submodule whose forward the newest training pass did not call
    (nn.MultiheadAttention uses `out_proj.weight` itself, TRL's trainers the weight of `lm_head`) are waited for by the
    nearest caller above it.
    """

    def __init__(self, model: nn.Module, optimizer: Gated) -> None:
        self._model = weakref.ref(model)
        self._called: set[int] = set()
        self._settled: set[int] | None = None
        self._waits: weakref.WeakKeyDictionary[nn.Module, list[torch.Tensor]] = weakref.WeakKeyDictionary()
        self._handles: list[RemovableHandle] = []
        hook = _forward_hook(weakref.ref(self), weakref.ref(optimizer))
        whole = _whole_model_hook(weakref.ref(optimizer))
        if _is_compiled(model):
            # A hook inside a compiled callable is traced away: one gate for everything, outside of what is compiled.
            outside = torch.compiler.disable(whole)  # type: ignore[no-untyped-call]
            self._handles.append(model.register_forward_pre_hook(outside))
        else:
            for module in model.modules():
                if next(module.parameters(), None) is not None:
                    self._handles.append(module.register_forward_pre_hook(hook))
        # On every module: a part of the model may be saved or loaded by itself.
        for module in model.modules():
            untyped: Any = module
            self._handles.append(untyped.register_state_dict_pre_hook(whole))
            self._handles.append(untyped.register_load_state_dict_pre_hook(whole))

    def parameters_of(self, module: nn.Module) -> list[torch.Tensor]:
        """Return what the module's forward waits for; note that it was called."""
        # An evaluation may call what training reads past: only passes that build a graph count, and each call of the
        # whole model starts anew.
        if torch.is_grad_enabled():
            if module is self._model():
                self._called.clear()
            self._called.add(id(module))
        # Fast paths of eval mode read the weights of submodules that are called in training.
        return self._waits.get(module, []) if module.training else list(module.parameters())

    def settle(self) -> None:
        """Decide who waits for what from now on, by who was called in the pass before this step."""
        model = self._model()
        if model is None or self._called == self._settled:
            return
        self._settled = set(self._called)
        waits: weakref.WeakKeyDictionary[nn.Module, list[torch.Tensor]] = weakref.WeakKeyDictionary()
        for module, caller in _nearest_callers(model, self._settled):
            own = list(module.parameters(recurse=False))
            # A module that was not called may be next time: it waits for its own in any case.
            for waiting in {module, caller}:
                waits.setdefault(waiting, []).extend(own)
        self._waits = waits

    def remove(self) -> None:
        """Take every hook off the model."""
        while self._handles:
            self._handles.pop().remove()


def _is_compiled(model: nn.Module) -> bool:
    return hasattr(model, "_orig_mod") or getattr(model, "_compiled_call_impl", None) is not None


def _nearest_callers(model: nn.Module, called: set[int]) -> Iterator[tuple[nn.Module, nn.Module]]:
    def walk(module: nn.Module, above: nn.Module) -> Iterator[tuple[nn.Module, nn.Module]]:
        caller = module if id(module) in called else above
        yield module, caller
        for child in module.children():
            yield from walk(child, caller)

    return walk(model, model)


# Plain functions with weak references: a bound method would be copied by deepcopy(model), and the optimizer with it.


def _forward_hook(
    gates: weakref.ref[Gates], optimizer: weakref.ref[Gated]
) -> Callable[[nn.Module, tuple[Any, ...]], None]:
    def wait_for_own_weights(module: nn.Module, _arguments: tuple[Any, ...]) -> None:
        own_gates, gated = gates(), optimizer()
        if own_gates is not None and gated is not None and (parameters := own_gates.parameters_of(module)):
            gated.wait_fresh(parameters)

    return wait_for_own_weights


def _whole_model_hook(optimizer: weakref.ref[Gated]) -> Callable[..., None]:
    def wait_for_all_weights(*_arguments: Any) -> None:
        gated = optimizer()
        if gated is not None:
            gated.wait_fresh(None)

    return wait_for_all_weights
