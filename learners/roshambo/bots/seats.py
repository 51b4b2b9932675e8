"""What a compiled bot sees and remembers, its random numbers, and the loops that let bots play.

Random numbers are those of SplitMix64, a counter and a mixing of its bits
(:cite:`steele2014fast`); the counter lies in the bot's memory.
"""

from functools import partial
from typing import Any

import numpy as np

from learners.roshambo.bots.compiled_bot import Ints, Seat
from solvers._kernels.compile import addressed, call_at, compiled, placed

COUNTER = 0  # where the counter of random numbers lies in ``ints``
GOLDEN = 0x9E3779B97F4A7C15
STEP, FIRST_FACTOR, SECOND_FACTOR = (
    np.uint64(word) for word in (GOLDEN, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)
SHIFTS = tuple(np.uint64(shift) for shift in (30, 27, 31, 11))
TIE = 1e-9  # scores that differ by less are equal


part = partial(compiled, _nrt=False)


@part
def uniform(ints: Ints) -> float:
    """Return a random number in [0, 1), a multiple of 2^-53; counts on in ``ints``."""
    word = np.uint64(ints[COUNTER]) + STEP
    ints[COUNTER] = np.int64(word)
    word = (word ^ (word >> SHIFTS[0])) * FIRST_FACTOR
    word = (word ^ (word >> SHIFTS[1])) * SECOND_FACTOR
    word = word ^ (word >> SHIFTS[2])
    return np.float64(word >> SHIFTS[3]) * 2.0**-53


@part
def drawn(ints: Ints, a: float, b: float, c: float) -> int:
    """Return 0, 1 or 2, drawn in proportion to weights that are not all zero."""
    number = uniform(ints) * (a + b + c)
    return 0 if number < a else (1 if number < a + b else 2)


@part
def largest(ints: Ints, a: float, b: float, c: float) -> int:
    """Return which of three is largest; among equal ones, one is drawn."""
    most = max(a, b, c) - TIE
    tied = int(a >= most) + int(b >= most) + int(c >= most)
    if tied == 1:
        return 0 if a >= most else (1 if b >= most else 2)
    rest = int(uniform(ints) * tied)
    if a >= most:
        if rest == 0:
            return 0
        rest -= 1
    if b >= most:
        if rest == 0:
            return 1
        rest -= 1
    return 2


@part
def paid(one: int, two: int) -> int:
    """Return what a throw is paid against another: 1, 0 or -1."""
    return (one - two + 4) % 3 - 1


@part
def context(history: Ints, t: int, order: int) -> int:
    """Return a number for the last throws before ``t``, of which there are ``order`` at least."""
    code = 0
    for k in range(order):
        code = 3 * code + history[t - 1 - k]
    return code


@compiled
def play(first: int, second: int, one: Seat, two: Seat) -> int:
    """Let two bots at addresses throw until histories are full; return how many throws are valid.

    ``one.own`` is ``two.other`` and the other way round; they are filled, and memories modified.
    """
    own, other = one.own, one.other
    left, right = placed(one), placed(two)
    for t in range(len(own)):
        a = call_at(first, left, t)
        b = call_at(second, right, t)
        own[t], other[t] = a, b
        if a < 0 or a > 2 or b < 0 or b > 2:
            return t
    return len(own)


@compiled
def ask(address: int, seat: Seat, t: int) -> int:
    """Return throw ``t`` of a bot; its memory is modified."""
    return call_at(address, placed(seat), t)


def throwing(throw: Any) -> Any:
    """Compile ``throw(seat, t) -> int``; the result has an ``address``."""
    floats, ints = np.zeros(1), np.zeros(1, dtype=np.int64)
    return addressed(throw, Seat(floats, floats, ints, ints, ints))
