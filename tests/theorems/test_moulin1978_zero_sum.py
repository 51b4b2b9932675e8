"""Moulin and Vial 1978: in zero-sum games a mediator has nothing to offer.

Every coarse correlated equilibrium of a two-player zero-sum game pays the value, and each player's
part of it, played alone, is an optimal strategy. Checked on the coarse correlated equilibria that
are extreme in generated directions, in rationals, without tolerance.

Why it matters (zero-sum): Regret minimizers and mediators lead to minimax play where interests are
opposed, so that no separate theory is needed there.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, certify_minimax, certify_nash, correlated_distribution
from gametheory_core.certificates import CorrelatedKind, LinearObjective, certify_coarse_correlated
from gametheory_core.testing import PayoffKind, rationals, zero_sum_games
from solvers import correlated_equilibrium, minimax
from solvers.correlated import correlated_payoff_vertices

theorem = pytest.mark.theorem(
    source="Moulin and Vial 1978",
    statement="Coarse correlated equilibria of zero-sum games pay the value, by optimal marginals.",
)
GAMES = zero_sum_games(max_actions=4, kinds=tuple(PayoffKind))


@theorem
@given(st.data(), GAMES)
def test_marginals_are_optimal_and_pay_the_value(data, game):
    size = game.given_payoffs[0].size
    weights = data.draw(st.lists(rationals(), min_size=size, max_size=size))
    table = np.array(weights, dtype=object).reshape(game.num_actions)
    objective = LinearObjective.of_outcomes(game, table)
    solution = correlated_equilibrium(game, kind=CorrelatedKind.COARSE, objective=objective)
    value = minimax(game).certificate.game_value
    assert solution.payoffs == (value, -value)
    marginals = certify_minimax(game, solution.profile.marginals)
    assert (marginals.epsilon, marginals.game_value) == (0, value)


@theorem
@given(GAMES, st.sampled_from(list(CorrelatedKind)))
def test_all_equilibria_pay_the_value(game, kind):
    value = minimax(game).certificate.game_value
    assert correlated_payoff_vertices(game, kind=kind).vertices == ((value, -value),)


@theorem
def test_general_sum_twin_has_marginals_that_are_no_equilibrium():
    """Traffic lights in chicken: obeying pays, but each part played alone does not."""
    chicken = NormalFormGame.symmetric([[6, 2], [7, 0]])
    best = correlated_equilibrium(chicken)
    assert best.payoffs == (Fraction(21, 4),) * 2
    assert certify_nash(chicken, best.profile.marginals).epsilon > 0


@theorem
def test_general_sum_twin_pays_differently():
    game = NormalFormGame.bimatrix([[2, 0], [0, 1]], [[2, 0], [0, 1]])
    assert len(correlated_payoff_vertices(game, kind=CorrelatedKind.COARSE).vertices) > 1


@theorem
def test_three_player_twin_pays_beyond_every_guarantee():
    """The third pays two who match. Payoffs sum to 0, and mediators beat what both can secure."""
    payoffs = np.zeros((3, 2, 2, 2), dtype=int)
    payoffs[:, 0, 0, :] = np.array([1, 1, -2])[:, None]
    payoffs[:, 1, 1, :] = np.array([1, 1, -2])[:, None]
    payoffs[:, 0, 1, :] = np.array([-1, -1, 2])[:, None]
    payoffs[:, 1, 0, :] = np.array([-1, -1, 2])[:, None]
    game = NormalFormGame.from_payoffs(payoffs)
    together = correlated_equilibrium(
        game, kind=CorrelatedKind.COARSE, objective=LinearObjective.payoff(game, player=0)
    )
    assert together.certificate.epsilon == 0
    assert together.payoffs == (1, 1, -2)
    # the others, as one opponent with joint actions, hold each player down to this
    secured = tuple(
        minimax(
            NormalFormGame.zero_sum(np.moveaxis(game.exact_payoffs[i], i, 0).reshape(2, 4))
        ).certificate.game_value
        for i in range(3)
    )
    assert secured == (0, 0, -2)
    assert together.payoffs[0] > secured[0]
    assert together.payoffs[1] > secured[1]


@theorem
def test_inexact_twin_misses_the_value():
    """Nobody may gain anything at all: an epsilon buys payoff."""
    pennies = NormalFormGame.zero_sum([[1, -1], [-1, 1]])
    tilted = correlated_distribution([["3/8", "1/8"], ["1/8", "3/8"]])
    claim = certify_coarse_correlated(pennies, tilted)
    assert claim.epsilon == Fraction(1, 2)
    assert claim.payoffs == (Fraction(1, 2), Fraction(-1, 2))
