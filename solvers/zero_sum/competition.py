"""Strictly competitive matrices: minimax strategies, and what they prove about mediators.

With ``k u0 + u1 = c``, let ``y`` be the mixed strategy of player ``i``, and ``j`` the other player.
Who is priced ``w y(b)`` for playing ``b`` instead of whatever is recommended pays, in total,
``w (u_i(y, s_j) - u_i(s))``. With ``w`` the loss of player ``j`` for each unit that ``i`` gains,

    u_j(s) - w (u_i(y, s_j) - u_i(s))  =  u_j(y, s_j)  <=  max over b of u_j(y, b),

so that these prices bound the payoff of ``j`` by what ``y`` concedes, in all equilibria.
"""

from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core import MinimaxCertificate, MixedProfile, NormalFormGame
from gametheory_core.certificates.incentives import CorrelatedKind, IncentivePrice
from gametheory_core.errors import NotConverged
from gametheory_core.games.properties import is_constant_sum
from gametheory_core.strategies import CorrelatedDistribution, correlated_distribution
from solvers.solution import Budget, OnIteration, Solution
from solvers.zero_sum.matrix_games import minimax


def twin_minimax_of_matrix(
    game: NormalFormGame, *, budget: Budget, on_iteration: OnIteration | None = None
) -> Solution[MixedProfile, MinimaxCertificate]:
    """Return minimax strategies of the zero-sum twin of a strictly competitive matrix.

    Args:
        budget, on_iteration: In pivots.

    Returns:
        Exact ones, or the best found when the budget ends first.
    """
    twin = game if is_constant_sum(game) else NormalFormGame.zero_sum(game.exact_payoffs[0])
    try:
        return minimax(twin, budget=budget, on_iteration=on_iteration)
    except NotConverged as error:
        return cast("Solution[MixedProfile, MinimaxCertificate]", error.best)


def product_distribution(profile: MixedProfile) -> CorrelatedDistribution:
    """Return the distribution over joint actions of two players who mix on their own."""
    return correlated_distribution(np.outer(*profile.strategies))


def opposing_prices(
    game: NormalFormGame,
    profile: MixedProfile,
    *,
    player: int,
    weight: Fraction,
    kind: CorrelatedKind,
) -> tuple[IncentivePrice, ...]:
    """Price what a player's strategy plays, whatever is recommended, at so much for all of it."""
    told = range(game.num_actions[player]) if kind is CorrelatedKind.CORRELATED else (None,)
    return tuple(
        IncentivePrice(player, recommended, played, weight * share)
        for recommended in told
        for played, share in enumerate(profile.strategies[player].tolist())
        if share and played != recommended
    )
