"""Exact payoffs of joint plans, by float matrix products that cannot round.

The payoff of a joint plan is the sum, over ends of play that all plans allow, of chance's weight
times what is paid there. Over a common denominator these are integers; cut into digits small enough
that no sum of them reaches 2**53, they are multiplied as floats without any rounding.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ExactArray, scaled_integers
from gametheory_core.conversions.plans import PlayerPlans, compatible_terminals
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.strategies.sequence_form import chance_reach

FLOAT_BITS = 53


def plan_payoffs(
    game: ExtensiveFormGame,
    plans: tuple[PlayerPlans, ...],
    *,
    on_iteration: Callable[[int], None] | None = None,
) -> ExactArray:
    """Return payoffs of all joint plans, exact, shape (num_players, *num_plans).

    ``on_iteration`` is called after each matrix product with their number so far, and may raise.
    """
    report = on_iteration or _silent
    products = 0
    weights = chance_reach(game)[game.terminals]
    allowed = [compatible_terminals(game, own).astype(np.float64) for own in plans]
    shape = tuple(len(own.actions) for own in plans)
    out = np.empty((game.num_players, *shape), dtype=object)
    for player in range(game.num_players):
        scaled = scaled_integers(weights * game.exact_terminal_payoffs[:, player])
        total = np.zeros(shape, dtype=object)
        base = 1 << _digit_bits(len(weights))
        place = 1
        for digit in _digits(scaled.numerators.tolist(), base):
            total += _contracted(allowed, digit).astype(np.int64).astype(object) * place
            place *= base
            products += 1
            report(products)
        out[player] = _over(total, scaled.denominator)
    return out


def _silent(_products: int) -> None:
    pass


def _digit_bits(num_terms: int) -> int:
    return FLOAT_BITS - 1 - num_terms.bit_length()


def _digits(values: list[int], base: int) -> list[NDArray[np.float64]]:
    """Cut integers into digits of absolute value below ``base``, lowest first."""
    digits: list[NDArray[np.float64]] = []
    signs = [-1 if value < 0 else 1 for value in values]
    rest = [abs(value) for value in values]
    while any(rest):
        low = [s * (value % base) for s, value in zip(signs, rest, strict=True)]
        digits.append(np.array(low, dtype=np.float64))
        rest = [value // base for value in rest]
    return digits


def _contracted(allowed: list[NDArray[np.float64]], digit: NDArray[Any]) -> NDArray[np.float64]:
    """Sum ``digit`` over the ends that each joint plan allows, by matrix products."""
    if len(allowed) == 1:
        return allowed[0] @ digit
    leading, (rows, columns) = allowed[:-2], allowed[-2:]
    shape = tuple(len(matrix) for matrix in allowed)
    out = np.empty(shape)
    for joint in product(*(range(len(matrix)) for matrix in leading)):
        live = digit != 0
        for matrix, plan in zip(leading, joint, strict=True):
            live = live & (matrix[plan] > 0)
        ends = np.flatnonzero(live)
        out[joint] = (rows[:, ends] * digit[ends]) @ columns[:, ends].T
    return out


def _over(numerators: ExactArray, denominator: int) -> ExactArray:
    known = {value: Fraction(value, denominator) for value in set(numerators.ravel().tolist())}
    out = np.empty(numerators.size, dtype=object)
    out[:] = [known[value] for value in numerators.ravel().tolist()]
    return out.reshape(numerators.shape)
