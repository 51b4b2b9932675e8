"""From float faces to rationals: strategies as exact as can be had, and what bounds their entropy.

The multipliers of a face's most entropic point have either sign, and say nothing of actions
outside the support. Adding ``t`` times an optimal strategy of the opponent that plays all tight
columns, and against which those actions earn less, makes all of them nonnegative and such actions
negligible; the bound on the entropy stays, as all optimal strategies earn the value against it.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray, FloatArray, ScaledIntegers, freeze
from gametheory_core.evaluation.exact_products import exact_product
from gametheory_core.games.normal_form import NormalFormGame
from solvers._programs.exact_face import (
    GRAIN_BITS,
    exact_face_point,
    refined_weights,
    simple_point,
)
from solvers.nash.optimal_faces import OptimalFace

MOST_EXACT = 24  # supports up to this size are solved exactly
NEGLIGIBLE = 40.0  # exp(-40) is the most that an action outside the support adds to the bound
LEAST_SHORTFALL = 1e-8  # below, an action outside the support is not suppressed
PRICE_BITS = 34  # rounding errors of prices count squared


@dataclass(frozen=True)
class Opposition:
    """Prices of one player's bound: a strategy of the opponent, and its weight.

    Attributes
    ----------
    strategy : exact array (num_opposing,)
    weight : Fraction
        In nats per payoff unit.
    """

    strategy: ExactArray
    weight: Fraction


def exact_strategy(game: NormalFormGame, player: int, face: OptimalFace) -> ExactArray | None:
    """Return a rational strategy that satisfies the face's equations exactly, if one is near."""
    values = simple_point(face.point.strategy)
    if values is None and len(face.support) <= MOST_EXACT:
        own_first = _own_first(game.scaled_payoffs[player].numerators, player)
        table = own_first[np.ix_(face.support, face.tight)].tolist()
        values = exact_face_point(table, face.point.equations, face.point.strategy)
    return None if values is None else _spread(values, face, game.num_actions[player])


def refined_strategy(
    game: NormalFormGame, player: int, face: OptimalFace, *, unit: Fraction
) -> ExactArray:
    """Return a rational strategy that satisfies the face's equations to about 28 digits.

    ``unit`` is how many payoff units an entry of 1 in the float matrix means.
    """
    cells = np.ix_(face.support, face.tight)
    floats = game.scaled_floats[player]
    if floats is not None:
        table = np.ascontiguousarray(_own_first(floats.numerators, player)[cells].T)
    else:
        table = _own_first(game.scaled_payoffs[player].numerators, player)[cells].T
    denominator = game.scaled_payoffs[player].denominator if floats is None else floats.denominator

    def residuals(weights: list[int]) -> FloatArray:
        numerators = np.empty(len(weights), dtype=object)
        numerators[:] = weights
        if floats is not None:
            earned = exact_product(table, ScaledIntegers(freeze(numerators), 1 << GRAIN_BITS))
            values, scale = earned.numerators.tolist(), earned.denominator * denominator
        else:
            values, scale = (table @ numerators).tolist(), denominator << GRAIN_BITS
        top, bottom = unit.denominator, unit.numerator * scale
        found = [(value - values[0]) * top / bottom for value in values[1:]]
        return np.array([*found, (sum(weights) - (1 << GRAIN_BITS)) / (1 << GRAIN_BITS)])

    weights = refined_weights(face.point.equations, face.point.strategy, residuals)
    whole = sum(weights)
    values = [Fraction(weight, whole) for weight in weights]
    return _spread(values, face, game.num_actions[player])


def opposition(
    matrix: FloatArray, face: OptimalFace, opponent: OptimalFace, *, unit: Fraction
) -> Opposition:
    """Return the prices that bound the entropy of a player's optimal strategies.

    ``matrix`` has a row for each action of the player.
    """
    support, tight = face.support, opponent.support
    against = np.zeros(matrix.shape[1])
    against[tight] = (opponent.point.center + opponent.point.strategy) / 2
    strategy, prices = face.point.strategy, face.prices
    exponents, earned = matrix @ prices, matrix @ against
    level = float(strategy @ (exponents[support] - np.log(strategy)))
    outside = np.ones(len(matrix), dtype=bool)
    outside[support] = False
    shortfalls = np.maximum(float(strategy @ earned[support]) - earned[outside], LEAST_SHORTFALL)
    suppressing = (exponents[outside] - level + NEGLIGIBLE) / shortfalls
    weight = max(
        0.0,
        float(suppressing.max(initial=0.0)),
        float((-prices[tight] / against[tight]).max(initial=0.0)),
    )
    return rounded_opposition(prices + weight * against, unit=unit)


def rounded_opposition(prices: FloatArray, *, unit: Fraction) -> Opposition:
    """Write float prices, in nats per entry of 1 in the float matrix, as a weighted strategy."""
    parts = [
        round(math.ldexp(max(price, 0.0), PRICE_BITS))
        for price in cast("list[float]", prices.tolist())
    ]
    total = sum(parts)
    strategy = np.empty(len(parts), dtype=object)
    strategy[:] = [Fraction(part, total) if total else Fraction(1, len(parts)) for part in parts]
    return Opposition(freeze(strategy), Fraction(total, 1 << PRICE_BITS) / unit)


def _own_first(table: np.ndarray, player: int) -> np.ndarray:
    return table if player == 0 else table.T


def _spread(values: list[Fraction], face: OptimalFace, size: int) -> ExactArray:
    """Put the probabilities of a support among all actions."""
    strategy = np.full(size, ZERO, dtype=object)
    strategy[face.support] = values
    return freeze(strategy)
