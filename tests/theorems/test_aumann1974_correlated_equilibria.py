"""Aumann 1974 and 1987: Nash equilibria are correlated, and correlation can pay everyone more.

The product of an equilibrium's strategies is a correlated equilibrium, and every correlated
equilibrium is a coarse one. Both inclusions are strict. Checked in rationals, without tolerance, on
all extreme equilibria of generated bimatrix games and all pure ones of games with more players.

Why it matters (correlation): A mediator can do at least as well as any equilibrium of independent
players, and sometimes better for all of them: the reason to ask for correlated equilibria at all.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.certificates import CorrelatedKind, certify_coarse_correlated
from gametheory_core.strategies import product_distribution
from gametheory_core.testing import PayoffKind, mixed_profiles, normal_form_games
from solvers import correlated_equilibrium, pure, vertex_enumeration
from solvers.correlated import correlated_payoff_vertices

theorem = pytest.mark.theorem(
    source="Aumann 1974",
    statement="Nash equilibria are correlated equilibria, and these are coarse correlated ones.",
)
KINDS = tuple(PayoffKind)
BIMATRIX = normal_form_games(num_players=(2, 2), max_actions=4, kinds=KINDS)
MORE_PLAYERS = normal_form_games(num_players=(1, 4), max_actions=3, kinds=KINDS)
CHICKEN = gt.NormalFormGame.symmetric([[6, 2], [7, 0]])


@theorem
@given(BIMATRIX)
def test_every_nash_equilibrium_is_correlated(game):
    for solution in vertex_enumeration(game).equilibria:
        distribution = product_distribution(solution.profile)
        assert gt.certify_correlated(game, distribution).epsilon == 0
        assert certify_coarse_correlated(game, distribution).epsilon == 0


@theorem
@given(MORE_PLAYERS)
def test_every_pure_equilibrium_is_correlated(game):
    for solution in pure(game).equilibria:
        assert gt.certify_correlated(game, product_distribution(solution.profile)).epsilon == 0


@theorem
@given(st.data(), MORE_PLAYERS)
def test_independent_play_is_correlated_only_in_equilibrium(data, game):
    """For products all three notions are one."""
    profile = data.draw(mixed_profiles(game))
    distribution = product_distribution(profile)
    is_nash = gt.epsilon(game, profile) == 0
    assert (gt.certify_correlated(game, distribution).epsilon == 0) == is_nash
    assert (certify_coarse_correlated(game, distribution).epsilon == 0) == is_nash


@theorem
def test_twin_play_out_of_equilibrium_is_not_correlated():
    game = gt.NormalFormGame.symmetric([[3, 0], [5, 1]])
    assert (
        certify_coarse_correlated(game, product_distribution(gt.uniform_profile(game))).epsilon > 0
    )


@theorem
@given(MORE_PLAYERS)
def test_correlated_equilibria_are_coarse(game):
    best = correlated_equilibrium(game)
    assert certify_coarse_correlated(game, best.profile).epsilon == 0
    assert sum(correlated_equilibrium(game, kind=CorrelatedKind.COARSE).payoffs) >= sum(
        best.payoffs
    )


@theorem
def test_twin_coarse_equilibrium_that_is_not_correlated():
    """Who is told to play the second action would play the third; always playing it gains nothing.

    Correlated equilibria pay nobody anything here, coarse ones up to 1/2 each.
    """
    game = gt.NormalFormGame.symmetric([[0, 1, -1], [0, 0, 0], [1, 0, 0]])
    turns = gt.correlated_distribution([[0, "1/2", 0], ["1/2", 0, 0], [0, 0, 0]])
    coarse = certify_coarse_correlated(game, turns)
    assert (coarse.epsilon, coarse.payoffs) == (0, (Fraction(1, 2),) * 2)
    assert gt.certify_correlated(game, turns).epsilon == Fraction(1, 2)
    assert correlated_equilibrium(game, kind=CorrelatedKind.COARSE).payoffs == coarse.payoffs
    assert correlated_equilibrium(game).payoffs == (0, 0)


@theorem
def test_correlation_can_pay_both_more_than_every_mixture_of_equilibria():
    """Aumann's chicken: (21/4, 21/4) lies beyond the triangle of the three Nash payoffs."""
    nash = sorted(solution.payoffs for solution in vertex_enumeration(CHICKEN).equilibria)
    assert nash == [(2, 7), (Fraction(14, 3),) * 2, (7, 2)]
    best = correlated_equilibrium(CHICKEN)
    assert best.payoffs == (Fraction(21, 4),) * 2
    assert sum(best.payoffs) > max(map(sum, nash))
    polygon = correlated_payoff_vertices(CHICKEN).vertices
    assert set(nash[::2]) < set(polygon)


@theorem
def test_zero_sum_twin_leaves_nothing_to_correlate():
    pennies = gt.NormalFormGame.zero_sum([[1, -1], [-1, 1]])
    for kind in CorrelatedKind:
        assert correlated_payoff_vertices(pennies, kind=kind).vertices == ((0, 0),)
