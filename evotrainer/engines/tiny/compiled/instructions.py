"""What the compiled decoder needs and Python cannot say: products in vector registers, bits of floats, wide products.

A tile of a matrix product keeps its sums in registers while it runs over the depth, which no loop over arrays does.
Each sum is taken in the order of the depth, one fused multiply-add after the other, whatever the tile's place: a row's
numbers do not depend on the rows beside it.
"""

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.extending import intrinsic

VECTOR = 16 if binding.get_host_cpu_features().get("avx512f") else 8
"""Floats in a vector register of this machine."""
PANEL = 2 * VECTOR
"""Columns of a tile."""
ROWS = 4
"""Rows of a tile."""

_INT, _FLOAT = ir.IntType(64), ir.FloatType()


def instruction(define: Callable[..., Any]) -> Any:
    """Return what compiled code may call, from a function that gives its signature and emits it."""
    return intrinsic(define)


@instruction
def multiply_tile(
    typing: Any, out: Any, out_at: Any, out_step: Any, x: Any, x_at: Any, x_step: Any, w: Any, w_at: Any, depth: Any
) -> Any:
    """Put x [ROWS, depth] @ w [depth, PANEL] into out [ROWS, PANEL].

    Arrays are float32 and contiguous; a tile of one is the offset of its first number and the step between its rows,
    in numbers. The panel of w lies in one piece.
    """
    place = types.intp
    signature = types.void(out, place, place, x, place, place, w, place, place)
    return signature, _emit_tile


def _emit_tile(context: Any, builder: ir.IRBuilder, signature: Any, values: Sequence[Any]) -> Any:
    out, out_at, out_step, x, x_at, x_step, w, w_at, depth = values
    out, x, w = (_data(context, builder, signature.args[i], values[i]) for i in (0, 3, 6))
    vector = ir.VectorType(_FLOAT, VECTOR)
    multiply_add = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(vector, [vector] * 3), f"llvm.fmuladd.v{VECTOR}f32"
    )
    before = builder.basic_block
    body, after = builder.append_basic_block("depth"), builder.append_basic_block("stored")
    builder.branch(body)
    builder.position_at_end(body)
    k = builder.phi(_INT)
    k.add_incoming(_INT(0), before)
    sums = [builder.phi(vector) for _ in range(ROWS * PANEL // VECTOR)]
    w_row = builder.add(w_at, builder.mul(k, _INT(PANEL)))
    columns = [_load(builder, w, builder.add(w_row, _INT(VECTOR * i)), vector) for i in range(PANEL // VECTOR)]
    added = []
    for row in range(ROWS):
        at = builder.add(builder.add(x_at, k), builder.mul(x_step, _INT(row)))
        factor = _spread(builder, builder.load(builder.gep(x, [at])), vector)
        for column in columns:
            added.append(builder.call(multiply_add, [factor, column, sums[len(added)]]))
    following = builder.add(k, _INT(1))
    k.add_incoming(following, body)
    for total, value in zip(sums, added, strict=True):
        total.add_incoming(ir.Constant(vector, [0.0] * VECTOR), before)
        total.add_incoming(value, body)
    builder.cbranch(builder.icmp_signed("<", following, depth), body, after)
    builder.position_at_end(after)
    for index, value in enumerate(added):
        row, part = divmod(index, PANEL // VECTOR)
        at = builder.add(builder.add(out_at, builder.mul(out_step, _INT(row))), _INT(VECTOR * part))
        builder.store(value, builder.bitcast(builder.gep(out, [at]), ir.PointerType(vector)), align=4)
    return context.get_dummy_value()


def _data(context: Any, builder: ir.IRBuilder, kind: Any, value: Any) -> Any:
    return context.make_array(kind)(context, builder, value).data


def _load(builder: ir.IRBuilder, base: Any, at: Any, vector: ir.Type) -> Any:
    return builder.load(builder.bitcast(builder.gep(base, [at]), ir.PointerType(vector)), align=4)


def _spread(builder: ir.IRBuilder, value: Any, vector: ir.Type) -> Any:
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), VECTOR), [0] * VECTOR)
    return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), zeros)


@instruction
def power_of_two(typing: Any, exponent: Any) -> Any:
    """Return 2**exponent of a whole float32 from -126 to 127."""

    def emit(context: Any, builder: ir.IRBuilder, signature: Any, values: Sequence[Any]) -> Any:
        bits = ir.IntType(32)
        biased = builder.add(builder.fptosi(values[0], bits), bits(127))
        return builder.bitcast(builder.shl(biased, bits(23)), _FLOAT)

    return types.float32(types.float32), emit


@instruction
def high_product(typing: Any, left: Any, right: Any) -> Any:
    """Return the upper 64 bits of a product of two uint64."""

    def emit(context: Any, builder: ir.IRBuilder, signature: Any, values: Sequence[Any]) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(values[0], wide), builder.zext(values[1], wide))
        return builder.trunc(builder.lshr(product, wide(64)), _INT)

    return types.uint64(types.uint64, types.uint64), emit
