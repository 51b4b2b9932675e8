"""Moulin and Vial 1978: games with the best replies of a zero-sum game have its equilibria.

Where ``alpha A + beta B`` is a sum of a term of the row and one of the column, alpha and beta
positive, equilibria can be exchanged: any first strategy of one with any second strategy of
another. Checked on all extreme equilibria of generated games, listed from both best-response
polytopes without looking for a zero-sum game, in rationals.

Why it matters (zero-sum): Good properties of zero-sum games, exchangeable equilibria above all,
hold for more games than it seems.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import MixedProfile, NormalFormGame, certify_nash
from gametheory_core.certificates import certify_completeness
from gametheory_core.testing import PayoffKind, rationals, zero_sum_games
from solvers import vertex_enumeration
from tests.sample_sizes import examples

theorem = pytest.mark.theorem(
    source="Moulin and Vial 1978",
    statement="Zero-sum games keep their equilibria under positive scale and terms of the others.",
)
KINDS = (PayoffKind.GENERIC, PayoffKind.DEGENERATE, PayoffKind.RATIONAL)


def profiles(game):
    return {solution.profile for solution in vertex_enumeration(game).equilibria}


def changed(game, alpha, beta, own, other):
    """Scale payoffs; add terms of the row to the second player's, of the column to the first's."""
    first, second = game.exact_payoffs
    return NormalFormGame.bimatrix(alpha * first + other, beta * second + own[:, None])


@theorem
@examples(50)
@given(st.data(), zero_sum_games(max_actions=4, kinds=KINDS), st.integers(1, 5), st.integers(1, 5))
def test_extreme_equilibria_are_those_of_the_zero_sum_game(data, game, alpha, beta):
    terms = [
        np.array(data.draw(st.lists(rationals(), min_size=n, max_size=n)), dtype=object)
        for n in game.num_actions
    ]
    other_game = changed(game, alpha, beta, *terms)
    listed = set(certify_completeness(other_game).profiles)
    assert listed == profiles(other_game) == profiles(game)
    firsts, seconds = ({rational(p, k) for p in listed} for k in (0, 1))
    assert len(listed) == len(firsts) * len(seconds)


def rational(profile, player):
    return tuple(profile.strategies[player].tolist())


@theorem
def test_negative_scale_twin_has_equilibria_that_cannot_be_exchanged():
    """Both like to meet: A - B has no interaction, but nobody's loss is another's gain."""
    game = NormalFormGame.symmetric([[2, 0], [0, 1]])
    first, second = (certify_nash(game, profile) for profile in pure_meetings(game))
    assert first.epsilon == second.epsilon == 0
    mixed = MixedProfile((first.profile.strategies[0], second.profile.strategies[1]))
    assert certify_nash(game, mixed).epsilon > 0


def pure_meetings(game):
    return [p for p in profiles(game) if all(1 in own.tolist() for own in p.strategies)]


@theorem
def test_term_of_the_own_action_twin_has_another_equilibrium():
    pennies = NormalFormGame.zero_sum([[1, -1], [-1, 1]])
    first, second = pennies.exact_payoffs
    paid = NormalFormGame.bimatrix(first + np.array([[3], [0]]), second)
    assert profiles(paid) != profiles(pennies)
