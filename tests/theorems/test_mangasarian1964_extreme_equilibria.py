"""Mangasarian 1964: equilibria of a bimatrix game are mixtures of extreme ones.

So the best payoff, or sum of payoffs, of all equilibria is that of an extreme one: within a set of
equilibria that can be mixed, each player's payoff depends on the other's strategy alone, and is
linear in it. The best of all is found, and proved to be the best, by branch and bound; the extreme
ones by vertex enumeration. In rationals, so without tolerance.

Why it matters (equilibria): Infinitely many equilibria of a degenerate game are described by
finitely many, and the best of all is among these.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import MixedProfile, NormalFormGame, certify_nash, expected_payoffs
from gametheory_core.arrays import exact_array
from gametheory_core.catalog import indifference
from gametheory_core.certificates import EquilibriumObjective
from gametheory_core.certificates.optimal_equilibrium import score_of
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import mixed_integer, vertex_enumeration

BY = EquilibriumObjective
theorem = pytest.mark.theorem(
    source="Mangasarian 1964",
    statement="No equilibrium of a bimatrix game pays more, or less, than every extreme one.",
)


def extreme_scores(game, objective, player=0):
    return [
        score_of(game, solution.profile, objective=objective, player=player)
        for solution in vertex_enumeration(game).equilibria
    ]


@theorem
@given(
    normal_form_games(num_players=(2, 2), max_actions=4, kinds=tuple(PayoffKind)),
    st.sampled_from([BY.LARGEST_WELFARE, BY.LEAST_WELFARE, BY.LARGEST_PAYOFF, BY.LEAST_PAYOFF]),
    st.integers(0, 1),
)
def test_best_payoffs_are_those_of_extreme_equilibria(game, objective, player):
    own = player if "payoff" in objective.value else None
    best = mixed_integer(game, objective=objective, player=own).certificate
    best.verify()
    assert best.epsilon == 0
    assert best.score == max(extreme_scores(game, objective, player))


@theorem
def test_unless_it_is_the_number_of_actions_played_that_counts():
    """Where nothing matters, extreme equilibria are pure, and their mixtures play everything."""
    game = indifference(size=3)
    assert max(extreme_scores(game, BY.LARGEST_SUPPORT)) == 2
    assert mixed_integer(game, objective=BY.LARGEST_SUPPORT).certificate.value == 6


@theorem
def test_unless_it_is_the_distance_of_payoffs_from_a_half_that_counts():
    """Each player's action gives the other 0 or 1; only mixtures give both a half."""
    game = NormalFormGame.bimatrix([[1, 0], [1, 0]], [[0, 0], [1, 1]])
    half = Fraction(1, 2)
    fair = MixedProfile((exact_array([half, half]), exact_array([half, half])))
    assert certify_nash(game, fair).epsilon == 0
    assert expected_payoffs(game, fair).tolist() == [half, half]
    distances = [
        abs(solution.payoffs[0] - half) + abs(solution.payoffs[1] - half)
        for solution in vertex_enumeration(game).equilibria
    ]
    assert min(distances) == 1
