"""Products of integers of a few words, without a loop: written for the compiler of machine code.

That one knows integers of any width, which neither Python's loops nor numba's do. Numbers stand in
one array of words of 64 bits, each at its own place, the lowest word first.
"""

from functools import partial
from typing import Any

from solvers._kernels.compile import machine_code

WORD = 64
LONGEST = 5  # words of numbers that have functions of their own


def _multiply_add(ir: Any, builder: Any, *words: Any) -> Any:
    """Return the low and the high word of ``first * second + third + fourth``."""
    wide = ir.IntType(2 * WORD)
    first, second, third, fourth = (builder.zext(word, wide) for word in words)
    whole = builder.add(builder.add(builder.mul(first, second), third), fourth)
    high = builder.lshr(whole, wide(WORD))
    return [builder.trunc(part, ir.IntType(WORD)) for part in (whole, high)]


def _sign_of_difference(ir: Any, builder: Any, left: Any, right: Any) -> Any:
    above = builder.zext(builder.icmp_signed(">", left, right), ir.IntType(WORD))
    return builder.sub(above, builder.zext(builder.icmp_signed("<", left, right), ir.IntType(WORD)))


def _compare_words(ir: Any, builder: Any, *words: Any) -> Any:
    """Return the sign of ``a * b - c * d``; the words are signed."""
    a, b, c, d = (builder.sext(word, ir.IntType(2 * WORD)) for word in words)
    return _sign_of_difference(ir, builder, builder.mul(a, b), builder.mul(c, d))


def _shifted_words(ir: Any, builder: Any, *words: Any) -> Any:
    """Return the low word of ``(a * b - c * d) / 2^bits``; the words are signed."""
    wide = ir.IntType(2 * WORD)
    a, b, c, d = (builder.sext(word, wide) for word in words[:4])
    cross = builder.sub(builder.mul(a, b), builder.mul(c, d))
    shifted = builder.lshr(cross, builder.zext(words[4], wide))
    return builder.trunc(shifted, ir.IntType(WORD))


def _place(ir: Any, builder: Any, numbers: Any, at: Any, words: int) -> Any:
    """Return a pointer to the number at a place in an array of words."""
    return builder.bitcast(builder.gep(numbers, [at]), ir.IntType(WORD * words).as_pointer())


def _compare_wide(words: int, ir: Any, builder: Any, numbers: Any, *places: Any) -> Any:
    """Return the sign of ``a * b - c * d``, of numbers of so many words."""
    double = ir.IntType(2 * WORD * words)
    a, b, c, d = (
        builder.sext(builder.load(_place(ir, builder, numbers, at, words), align=8), double)
        for at in places
    )
    return _sign_of_difference(ir, builder, builder.mul(a, b), builder.mul(c, d))


def _cross_divide_wide(words: int, ir: Any, builder: Any, numbers: Any, *given: Any) -> None:
    """Write ``(pivot * own - factor * beside) / 2^zeros * inverse`` over ``own``.

    ``zeros`` is below 64, and ``inverse`` that of the divisor modulo ``2^(64 words)``.
    """
    *places, zeros = given
    narrow, wide = ir.IntType(WORD * words), ir.IntType(WORD * words + WORD)
    pointers = [_place(ir, builder, numbers, at, words) for at in places]
    *factors, inverse = (builder.load(pointer, align=8) for pointer in pointers)
    pivot, own, factor, beside = (builder.sext(value, wide) for value in factors)
    cross = builder.sub(builder.mul(pivot, own), builder.mul(factor, beside))
    shifted = builder.lshr(cross, builder.zext(zeros, wide))
    quotient = builder.mul(builder.trunc(shifted, narrow), inverse)
    builder.store(quotient, pointers[1], align=8)


_FOUR = dict.fromkeys(("a", "b", "c", "d"), "uint64")
_FOUR_PLACES = {"numbers": "words"} | dict.fromkeys(("a", "b", "c", "d"), "int64")
_CROSS_PLACES = {"numbers": "words"} | dict.fromkeys(
    ("pivot", "own", "factor", "beside", "inverse", "zeros"), "int64"
)

multiply_add = machine_code("two words", _FOUR, _multiply_add)
compare_words = machine_code("int64", _FOUR, _compare_words)
shifted_words = machine_code("uint64", _FOUR | {"bits": "uint64"}, _shifted_words)
compare_2, compare_3, compare_4 = (
    machine_code("int64", _FOUR_PLACES, partial(_compare_wide, words))
    for words in range(2, LONGEST)
)
cross_2, cross_3, cross_4, cross_5 = (
    machine_code("nothing", _CROSS_PLACES, partial(_cross_divide_wide, words))
    for words in range(2, LONGEST + 1)
)
