"""Keep a max-entropy solution when actions are added that earn less.

Suppose that each new action earns less than the value against the opponent's strategy. Then no
optimal strategy of the larger game plays one, so all of them are optimal in the smaller game; and
its most entropic ones stay optimal. Only the bounds on entropies have new terms, which more weight
on the opponent's strategy makes negligible.
"""

from dataclasses import dataclass

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray, NumberArray, freeze
from gametheory_core.certificates.max_entropy import MaxEntropyCertificate
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.solution import Solution
from solvers.zero_sum.entropy_prices import NEGLIGIBLE, Opposition, grains, rounded_opposition
from solvers.zero_sum.optimal_faces import CLEARLY_LESS, Board

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
