"""From float faces to rationals: strategies as exact as can be had, and the prices of bounds.

A small face is solved exactly. On others, residuals that are computed exactly refine the floats.

*Prices* that bound entropies are a strategy of the opponent and its weight, in rationals. The
multipliers of a face's most entropic point have either sign, and say nothing of actions
outside the support. Adding a weight times an optimal strategy of the opponent that plays all tight
columns, and against which those actions earn less, makes all of them nonnegative and such actions
negligible; the bound on the entropy stays, as all optimal strategies earn the value against it.

A solution can be kept when actions are added that earn less. Suppose that each new action earns
less than the value against the opponent's strategy. Then no optimal strategy of the larger game
plays one, so all of them are optimal in the smaller game; and its most entropic ones stay optimal.
Only the bounds on entropies have new terms, which more weight on the opponent's strategy makes
negligible.
"""

import math
from dataclasses import dataclass
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
from gametheory_core.certificates.max_entropy import MaxEntropyCertificate
from gametheory_core.evaluation.collected_payoffs import exact_product
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers._programs.entropy_face import FaceEquations
from solvers._programs.exact_face import exact_face_point, refined_weights, simple_point
from solvers.solution import Solution
from solvers.zero_sum.optimal_faces import CLEARLY_LESS, Board, OptimalFace

GRAIN_BITS = 96  # refined probabilities are multiples of 2**-96, before they are scaled to sum 1
NEGLIGIBLE = 45.0  # exp(-45) is the most that an action outside the support adds to the bound
PRICE_BITS = 40  # after the point; rounding errors of prices count squared


@dataclass(frozen=True)
class Opposition:
    """Prices of one player's bound: a strategy of the opponent, and its weight.

    Attributes:
        strategy (num_opposing,)
        weight: In nats per payoff unit.
    """

    strategy: ExactArray
    weight: Fraction


def rounded_opposition(
    prices: FloatArray, weight: float, against: ExactArray, *, unit: Fraction
) -> Opposition:
    """Write prices plus a weighted strategy as one weighted strategy, without cancellation.

    Prices are in nats per entry of 1 in the float matrix; ``against`` is in units of ``2**-96``.
    """
    scale = math.ceil(math.ldexp(weight, PRICE_BITS))
    parts = [
        max(0, round(math.ldexp(price, PRICE_BITS)) + ((scale * share) >> GRAIN_BITS))
        for price, share in zip(prices.tolist(), against.tolist(), strict=True)
    ]
    return weighted_strategy(parts, bits=PRICE_BITS, unit=unit)


def weighted_strategy(parts: list[int], *, bits: int, unit: Fraction) -> Opposition:
    """Part prices, in multiples of ``2**-bits`` nats per unit, into a strategy and its weight."""
    total = sum(parts)
    strategy = np.empty(len(parts), dtype=object)
    strategy[:] = [Fraction(part, total) if total else Fraction(1, len(parts)) for part in parts]
    return Opposition(freeze(strategy), Fraction(total, 1 << bits) / unit)


def grains(strategy: ExactArray) -> ExactArray:
    """Return probabilities in units of ``2**-96``, rounded."""
    units = np.empty(len(strategy), dtype=object)
    units[:] = [round(value * (1 << GRAIN_BITS)) for value in strategy.tolist()]
    return freeze(units)


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


LARGEST_WEIGHT = 2**100  # of an opponent's strategy, in payoffs of a board


@dataclass(frozen=True)
class Continuation:
    """A profile of the larger game, and prices for its bounds."""

    profile: MixedProfile
    prices: tuple[Opposition, Opposition]


def continued(
    game: NormalFormGame, board: Board, start: Solution[MixedProfile, MaxEntropyCertificate]
) -> Continuation | None:
    """Extend a solution by actions that are not played; None if one may have to be.

    That the old payoffs are still the same is not checked here: the result is to be certified.
    """
    counts = game.num_actions
    old = start.profile.strategies
    if any(len(strategy) > count for strategy, count in zip(old, counts, strict=True)):
        return None
    profile = tuple(_padded(vector, count) for vector, count in zip(old, counts, strict=True))
    prices: list[Opposition] = []
    for player in range(1 if board.symmetric else 2):
        more = _extended_prices(board, start, profile, player)
        if more is None:
            return None
        prices.append(more)
    return Continuation(MixedProfile(profile), (prices[0], prices[-1]))


def _extended_prices(
    board: Board,
    start: Solution[MixedProfile, MaxEntropyCertificate],
    profile: tuple[ExactArray, ...],
    player: int,
) -> Opposition | None:
    certificate = start.certificate
    matrix = board.own_first(player)
    own, against = (profile[i].astype(np.float64) for i in (player, 1 - player))
    earned = matrix @ against
    new = slice(len(start.profile.strategies[player]), None)
    shortfalls = own @ earned - earned[new]
    if shortfalls.min(initial=1.0) < CLEARLY_LESS:
        return None
    opposition = _padded(certificate.opposition.strategies[1 - player], len(against))
    weight = certificate.weights[player] * board.unit
    if weight > LARGEST_WEIGHT:  # the new actions dwarf the old game
        return None
    prices = float(weight) * opposition.astype(np.float64)
    exponents = matrix @ prices
    support = own > 0
    level = float(own[support] @ (exponents[support] - np.log(own[support])))
    lacking = float(((exponents[new] - level + NEGLIGIBLE) / shortfalls).max(initial=0.0))
    return rounded_opposition(
        prices, max(0.0, lacking), grains(profile[1 - player]), unit=board.unit
    )


def _padded(strategy: NumberArray, count: int) -> ExactArray:
    extended = np.full(count, ZERO, dtype=object)
    extended[: len(strategy)] = strategy
    return freeze(extended)
