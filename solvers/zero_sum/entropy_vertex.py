"""The most entropic optimal strategies where they are the only ones, in rationals throughout.

Payoffs that are nearly but not quite equal leave floats in doubt about which actions are played.
Then an exact linear program decides. Its solution is a vertex on either side; if every action not
played earns strictly less, both sides play as many, and there is no other solution unless the
payoffs among those played are singular. The prices that prove its entropy the largest solve the
same square system.
"""

import math
from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray, IntArray, freeze
from gametheory_core.errors import NotConverged
from gametheory_core.evaluation.payoffs import action_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, supports
from solvers._programs.square_system import solve_square
from solvers.solution import Budget
from solvers.zero_sum.entropy_bounds import (
    GRAIN_BITS,
    NEGLIGIBLE,
    PRICE_BITS,
    Opposition,
    weighted_strategy,
)
from solvers.zero_sum.minimax import minimax

LOGARITHM_BITS = 60


def only_optimum(
    game: NormalFormGame, near: tuple[IntArray, IntArray], budget: Budget
) -> MixedProfile | None:
    """Return the optimal strategies, exactly, if both are the only ones; else None.

    None as well if the budget ends. That a square system is not singular is left to the prices.

    Args:
        game: Two players, constant-sum.
        near: Rows and columns that may be played; that no other is, is checked.
        budget: Of the exact program.
    """
    restricted = NormalFormGame.zero_sum(game.given_payoffs[0][np.ix_(*near)])
    try:
        found = minimax(restricted, budget=budget).profile
    except NotConverged:
        return None
    strategies = [np.full(count, ZERO, dtype=object) for count in game.num_actions]
    for strategy, places, values in zip(strategies, near, found.strategies, strict=True):
        strategy[places] = values
    profile = MixedProfile(tuple(map(freeze, strategies)))
    for player, actions in enumerate(supports(profile)):
        earned = action_payoffs(game, profile, player=player)
        if tuple(np.flatnonzero(earned == earned.max()).tolist()) != actions:
            return None
    return profile


def only_prices(game: NormalFormGame, profile: MixedProfile, player: int) -> Opposition | None:
    """Return prices that bound the entropy of a player's only optimal strategy.

    None if there are others after all.
    """
    scaled = game.scaled_payoffs[player]
    table = scaled.numerators if player == 0 else scaled.numerators.T
    own, other = profile.strategies[player], profile.strategies[1 - player]
    played, tight = (np.flatnonzero(strategy).astype(np.int32) for strategy in (own, other))
    level_and_prices = _logarithms_as_payoffs(table, own, played, tight)
    if level_and_prices is None:
        return None
    level, prices = level_and_prices[-1], level_and_prices[:-1]
    outside = np.setdiff1d(np.arange(len(own)), played)
    earned = table[:, tight] @ other[tight]
    exponents = table[np.ix_(outside, tight)] @ prices + level
    suppressing = (exponents + Fraction(NEGLIGIBLE)) / (earned[played[0]] - earned[outside])
    weight = max([Fraction(0), *suppressing.tolist(), *(-prices / other[tight]).tolist()])
    combined = prices + math.ceil(weight) * other[tight]
    parts = [0] * len(other)
    for place, price in zip(tight.tolist(), combined.tolist(), strict=True):
        parts[place] = max(0, round(price * (1 << PRICE_BITS + GRAIN_BITS)))
    bits = PRICE_BITS + GRAIN_BITS
    return weighted_strategy(parts, bits=bits, unit=Fraction(1, scaled.denominator))


def _logarithms_as_payoffs(
    table: ExactArray, own: ExactArray, played: IntArray, tight: IntArray
) -> ExactArray | None:
    """Write ``ln`` of a strategy as payoffs against prices that sum to 0, and a level, the last."""
    rows = [[*row, 1] for row in table[np.ix_(played, tight)].tolist()]
    right = [
        round((math.log(p.numerator) - math.log(p.denominator)) * (1 << LOGARITHM_BITS))
        for p in cast("list[Fraction]", own[played].tolist())
    ]
    solved = solve_square([*rows, [1] * len(tight) + [0]], [*right, 0])
    return None if solved is None else solved / (1 << LOGARITHM_BITS)
