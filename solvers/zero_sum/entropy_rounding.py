"""From float faces to rationals: strategies as exact as can be had, and the prices of bounds.

A small face is solved exactly. On others, residuals that are computed exactly refine the floats.
"""

from fractions import Fraction

import numpy as np

from gametheory_core.arrays import (
    ZERO,
    ExactArray,
    FloatArray,
    NumberArray,
    ScaledIntegers,
    freeze,
    scaled_integers,
)
from gametheory_core.evaluation.exact_products import exact_product
from gametheory_core.games.normal_form import NormalFormGame
from solvers._programs.entropy_face import FaceEquations
from solvers._programs.exact_face import (
    exact_face_point,
    refined_weights,
    simple_point,
)
from solvers.zero_sum.entropy_prices import GRAIN_BITS, NEGLIGIBLE, Opposition, rounded_opposition
from solvers.zero_sum.optimal_faces import OptimalFace

MOST_EXACT = 24  # supports up to this size are solved exactly
LEAST_SHORTFALL = 1e-14  # below, an action outside the support is not suppressed


def exact_strategy(game: NormalFormGame, player: int, face: OptimalFace) -> ExactArray | None:
    """Return a rational strategy that satisfies the face's equations exactly, if one is near."""
    point = face.point
    if len(face.support) <= MOST_EXACT:
        cells = np.ix_(face.support, face.opposing[point.equations.columns])
        block = scaled_integers(_own_first(game.given_payoffs[player], player)[cells])
        values = exact_face_point(block.numerators.tolist(), point.equations, point.strategy)
    else:
        values = simple_point(point.strategy)
    if values is None:
        return None
    strategy = np.full(game.num_actions[player], ZERO, dtype=object)
    strategy[face.support] = values
    return freeze(strategy)


def refined_strategy(
    game: NormalFormGame, player: int, face: OptimalFace, *, unit: Fraction
) -> ExactArray:
    """Return a rational strategy that satisfies the face's equations to about 28 digits.

    ``unit`` is how many payoff units an entry of 1 in the float matrix means.
    """
    weights = refined_on(game, player, face, face.point.equations, face.point.strategy, unit)
    return freeze(weights / Fraction(weights.sum()))


def refined_on(
    game: NormalFormGame,
    player: int,
    face: OptimalFace,
    equations: FaceEquations,
    point: FloatArray,
    unit: Fraction,
) -> ExactArray:
    """Refine a point of the face by residuals of some equations that are computed exactly.

    Returns integer weights of all actions of the player, multiples of ``2**-96``.
    """
    cells = np.ix_(face.support, face.opposing[equations.columns])
    floats = game.scaled_floats[player]
    known = game.scaled_payoffs[player] if floats is None else floats
    table = np.ascontiguousarray(_own_first(known.numerators, player)[cells].T)

    def residuals(weights: list[int]) -> FloatArray:
        numerators = np.empty(len(weights), dtype=object)
        numerators[:] = weights
        if floats is None:
            values, scale = (table @ numerators).tolist(), 1 << GRAIN_BITS
        else:
            earned = exact_product(table, ScaledIntegers(freeze(numerators), 1 << GRAIN_BITS))
            values, scale = earned.numerators.tolist(), earned.denominator
        top, bottom = unit.denominator, unit.numerator * scale * known.denominator
        found = [(value - values[0]) * top / bottom for value in values[1:]]
        return np.array([*found, (sum(weights) - (1 << GRAIN_BITS)) / (1 << GRAIN_BITS)])

    strategy = np.zeros(game.num_actions[player], dtype=object)
    strategy[face.support] = refined_weights(equations, point, residuals, bits=GRAIN_BITS)
    return freeze(strategy)


def opposition(
    matrix: FloatArray, face: OptimalFace, against: ExactArray, *, unit: Fraction
) -> Opposition:
    """Return the prices that bound the entropy of a player's optimal strategies.

    Args:
        matrix (num_actions, num_opposing): With a row for each action of the player.
        face: The player's.
        against (num_opposing,): Weights of a strategy inside the opponent's face, as ``refined_on``
            returns.
        unit: Payoff units that an entry of 1 means.
    """
    shares = np.ldexp(against.astype(np.float64), -GRAIN_BITS)
    strategy, prices = face.point.strategy, face.prices
    exponents, earned = matrix @ prices, matrix @ shares
    level = float(strategy @ (exponents[face.support] - np.log(strategy)))
    outside = np.ones(len(matrix), dtype=bool)
    outside[face.support] = False
    shortfalls = float(strategy @ earned[face.support]) - earned[outside]
    suppressing = exponents[outside] - level + NEGLIGIBLE
    played = shares > 0
    weight = max(
        0.0,
        float((suppressing / np.maximum(shortfalls, LEAST_SHORTFALL)).max(initial=0.0)),
        float((-prices[played] / shares[played]).max(initial=0.0)),
    )
    return rounded_opposition(prices, weight, against, unit=unit)


def _own_first(table: NumberArray, player: int) -> NumberArray:
    return table if player == 0 else table.T
