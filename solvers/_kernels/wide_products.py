"""Products of integers of a few words, without a loop: written for the compiler of machine code.

That one knows integers of any width, which neither Python's loops nor numba's do. Numbers stand in
one array of words of 64 bits, each at its own place, the lowest word first.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

WORD = 64
LONGEST = 5  # words of numbers that have functions of their own

_word, _wide = ir.IntType(WORD), ir.IntType(2 * WORD)


def _multiply_add(_typing: Any, first: Any, second: Any, third: Any, fourth: Any) -> Any:  # noqa: ARG001
    """Return the low and the high word of ``first * second + third + fourth``."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        a, b, c, d = (builder.zext(value, _wide) for value in values)
        whole = builder.add(builder.add(builder.mul(a, b), c), d)
        high = builder.lshr(whole, _wide(WORD))
        parts = [builder.trunc(part, _word) for part in (whole, high)]
        return context.make_tuple(builder, signature.return_type, parts)

    return types.UniTuple(types.uint64, 2)(*[types.uint64] * 4), generate


def _compare_cross(_typing: Any, a: Any, b: Any, c: Any, d: Any) -> Any:  # noqa: ARG001
    """Return the sign of ``a * b - c * d``; the words are signed."""

    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        first, second, third, fourth = (builder.sext(value, _wide) for value in values)
        left, right = builder.mul(first, second), builder.mul(third, fourth)
        above = builder.zext(builder.icmp_signed(">", left, right), _word)
        below = builder.zext(builder.icmp_signed("<", left, right), _word)
        return builder.sub(above, below)

    return types.int64(*[types.uint64] * 4), generate


def _shifted_cross(_typing: Any, a: Any, b: Any, c: Any, d: Any, bits: Any) -> Any:  # noqa: ARG001
    """Return the low word of ``(a * b - c * d) / 2^bits``; the words are signed."""

    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        first, second, third, fourth = (builder.sext(value, _wide) for value in values[:4])
        cross = builder.sub(builder.mul(first, second), builder.mul(third, fourth))
        return builder.trunc(builder.lshr(cross, builder.zext(values[4], _wide)), _word)

    return types.uint64(*[types.uint64] * 5), generate


def _number(context: Any, builder: Any, kind: Any, array: Any, at: Any, words: int) -> Any:
    """Return a pointer to the number at a place in an array of words."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), ir.IntType(WORD * words).as_pointer())


def _compare_wide(words: int) -> Any:
    """Compare ``a * b`` with ``c * d``, numbers of so many words, without a loop."""

    def compare(_typing: Any, numbers: Any, a: Any, b: Any, c: Any, d: Any) -> Any:  # noqa: ARG001
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kind, double = signature.args[0], ir.IntType(2 * WORD * words)
            factors = [
                builder.sext(
                    builder.load(_number(context, builder, kind, values[0], at, words), align=8),
                    double,
                )
                for at in values[1:]
            ]
            left, right = builder.mul(*factors[:2]), builder.mul(*factors[2:])
            above = builder.zext(builder.icmp_signed(">", left, right), _word)
            below = builder.zext(builder.icmp_signed("<", left, right), _word)
            return builder.sub(above, below)

        return types.int64(numbers, *[types.int64] * 4), generate

    return intrinsic(compare)


def _cross_divide_wide(words: int) -> Any:
    """Write ``(pivot * own - factor * beside) / 2^zeros * inverse`` over ``own``, without a loop.

    ``zeros`` is below 64, and ``inverse`` that of the divisor modulo ``2^(64 words)``.
    """

    def cross(
        _typing: Any,
        numbers: Any,
        pivot: Any,  # noqa: ARG001
        own: Any,  # noqa: ARG001
        factor: Any,  # noqa: ARG001
        beside: Any,  # noqa: ARG001
        inverse: Any,  # noqa: ARG001
        zeros: Any,  # noqa: ARG001
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kind, narrow, wide = (
                signature.args[0],
                ir.IntType(WORD * words),
                ir.IntType(WORD * words + WORD),
            )
            places = [_number(context, builder, kind, values[0], at, words) for at in values[1:6]]
            loaded = [builder.load(place, align=8) for place in places]
            a, b, c, d = (builder.sext(value, wide) for value in loaded[:4])
            cross = builder.sub(builder.mul(a, b), builder.mul(c, d))
            shifted = builder.lshr(cross, builder.zext(values[6], wide))
            quotient = builder.mul(builder.trunc(shifted, narrow), loaded[4])
            builder.store(quotient, places[1], align=8)
            return context.get_dummy_value()

        return types.void(numbers, *[types.int64] * 6), generate

    return intrinsic(cross)


multiply_add: Any = intrinsic(_multiply_add)
compare_2, compare_3, compare_4 = map(_compare_wide, range(2, LONGEST))
cross_2, cross_3, cross_4, cross_5 = map(_cross_divide_wide, range(2, LONGEST + 1))
compare_words: Any = intrinsic(_compare_cross)
shifted_words: Any = intrinsic(_shifted_cross)
