"""One pass over gradient, state and weight, with the roundings of torch's fused AdamW on CPU.

torch computes constants in double and rounds them once to float. Its builds for AVX2 and AVX-512 fuse multiply and
add, one way in the vector body and another in the scalar tail; its build for older CPUs fuses nothing. `select.py`
finds which of them this process runs, by comparing bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import extending, njit, types

# Called inside compiled code, where they convert.
float32: Any = types.float32
uint16: Any = types.uint16
uint32: Any = types.uint32


def _intrinsic(generator: Callable[..., Any]) -> Callable[..., Any]:
    compiled: Callable[..., Any] = extending.intrinsic(generator)
    return compiled


def _inline(function: Callable[..., Any]) -> Callable[..., Any]:
    compiled: Callable[..., Any] = njit(inline="always", error_model="numpy")(function)
    return compiled


def _kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    # No fastmath: every rounding below is meant.
    compiled: Callable[..., Any] = njit(nogil=True, cache=True, error_model="numpy")(function)
    return compiled


@_intrinsic
def _fma(_typing_context: Any, a: Any, b: Any, c: Any) -> Any:  # noqa: ARG001 - numba gives types by position
    """a * b + c, rounded once."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.fma(*arguments)

    return types.float32(types.float32, types.float32, types.float32), generate


@_intrinsic
def _as_float(_typing_context: Any, bits: Any) -> Any:  # noqa: ARG001
    """The float32 with these 32 bits."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.FloatType())

    return types.float32(types.uint32), generate


@_intrinsic
def _as_bits(_typing_context: Any, value: Any) -> Any:  # noqa: ARG001
    """The 32 bits of this float32."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(32))

    return types.uint32(types.float32), generate


@_inline
def _first_moment(g: Any, m: Any, lerp: Any, is_fused: Any) -> Any:
    # torch's lerp starts from the nearer end, so that a weight of 1 gives the gradient exactly.
    difference = g - m
    is_near = abs(lerp) < float32(0.5)
    factor = lerp if is_near else lerp - float32(1)
    start = m if is_near else g
    return _fma(factor, difference, start) if is_fused else factor * difference + start


@_inline
def _body_second_moment(g: Any, v: Any, beta2: Any, square: Any, is_fused: Any) -> Any:
    return _fma(square * g, g, v * beta2) if is_fused else v * beta2 + (square * g) * g


@_inline
def _tail_second_moment(g: Any, v: Any, beta2: Any, square: Any, is_fused: Any) -> Any:
    return _fma(v, beta2, (square * g) * g) if is_fused else v * beta2 + (square * g) * g


@_inline
def _stepped(p: Any, m: Any, v: Any, constants: Any) -> Any:
    _, decay, _, _, _, step_size, scale, eps = constants
    return p * decay + (step_size * m) / (np.sqrt(v) / scale + eps)


@_inline
def _widened(bits: Any) -> Any:
    return _as_float(uint32(bits) << uint32(16))


@_inline
def _trusted_master(master: Any, weight_bits: Any) -> Any:
    # The weight is the master rounded, so their bits differ by half a step at most. More: somebody wrote the weight
    # from outside (or the state is new), past every counter if need be, and the master starts anew from it.
    bits = uint32(weight_bits) << uint32(16)
    is_ours = uint32(_as_bits(master) - bits + uint32(0x8000)) <= uint32(0x10000)
    return master if is_ours else _as_float(bits)


@_inline
def _narrowed(value: Any) -> Any:
    bits = _as_bits(value)
    rounded = (bits + uint32(0x7FFF) + ((bits >> uint32(16)) & uint32(1))) >> uint32(16)
    return uint16(rounded) if value == value else uint16(0x7FC0)  # noqa: PLR0124 - only NaN differs from itself


@_kernel
def update_float32(arrays: Any, constants: Any, tail: Any, is_fused: Any) -> None:
    """Step float32 arrays of one length in place: weight, grad, exp_avg, exp_avg_sq.

    Their last `tail` elements are torch's scalar tail.
    """
    weight, grad, exp_avg, exp_avg_sq = arrays
    clip, _, lerp, beta2, square, _, _, _ = constants
    body = weight.size - tail
    for i in range(body):
        g = grad[i] * clip
        m = _first_moment(g, exp_avg[i], lerp, is_fused)
        v = _body_second_moment(g, exp_avg_sq[i], beta2, square, is_fused)
        exp_avg[i] = m
        exp_avg_sq[i] = v
        weight[i] = _stepped(weight[i], m, v, constants)
    for i in range(body, weight.size):
        g = grad[i] * clip
        m = _first_moment(g, exp_avg[i], lerp, is_fused)
        v = _tail_second_moment(g, exp_avg_sq[i], beta2, square, is_fused)
        exp_avg[i] = m
        exp_avg_sq[i] = v
        weight[i] = _stepped(weight[i], m, v, constants)


@_kernel
def update_bfloat16(arrays: Any, constants: Any, tail: Any, is_fused: Any) -> None:
    """As update_float32, with a float32 master as fifth array; weight and grad are bfloat16 as uint16."""
    weight, grad, exp_avg, exp_avg_sq, master = arrays
    clip, _, lerp, beta2, square, _, _, _ = constants
    body = weight.size - tail
    for i in range(body):
        g = _widened(grad[i]) * clip
        m = _first_moment(g, exp_avg[i], lerp, is_fused)
        v = _body_second_moment(g, exp_avg_sq[i], beta2, square, is_fused)
        p = _stepped(_trusted_master(master[i], weight[i]), m, v, constants)
        exp_avg[i] = m
        exp_avg_sq[i] = v
        master[i] = p
        weight[i] = _narrowed(p)
    for i in range(body, weight.size):
        g = _widened(grad[i]) * clip
        m = _first_moment(g, exp_avg[i], lerp, is_fused)
        v = _tail_second_moment(g, exp_avg_sq[i], beta2, square, is_fused)
        p = _stepped(_trusted_master(master[i], weight[i]), m, v, constants)
        exp_avg[i] = m
        exp_avg_sq[i] = v
        master[i] = p
        weight[i] = _narrowed(p)
