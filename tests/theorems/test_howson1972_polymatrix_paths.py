"""Howson 1972: polymatrix games have an equilibrium at the end of a path of pivots.

Payoffs are linear in the strategies of all others together, so that equilibria of any number of
players solve a linear complementarity problem, and one of them is rational if payoffs are. Checked
on generated games, from generated priors.

Why it matters (compact): One equilibrium of many players is found exactly, where games of three
players with tables may have irrational ones only.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import compact, load_game
from gametheory_core.testing import PayoffKind, mixed_profiles
from solvers import polynomial_support_enumeration
from solvers.compact import polymatrix_lcp

theorem = pytest.mark.theorem(
    source="Howson 1972",
    statement="Polymatrix games have rational equilibria, which complementary pivots find.",
)


@theorem
@given(st.data())
def test_the_path_ends_at_a_rational_equilibrium(data):
    game = data.draw(compact.polymatrix_games(kinds=tuple(PayoffKind)))
    prior = data.draw(st.none() | mixed_profiles(game))
    solution = polymatrix_lcp(game, prior=prior)
    assert solution.profile.is_exact
    assert solution.certificate.epsilon == 0


@theorem
def test_twin_of_three_players_whose_payoffs_are_no_sums_over_pairs():
    """The only equilibrium is irrational."""
    game = load_game("irrational_equilibrium")
    assert not compact.is_polymatrix(game)
    (only,) = polynomial_support_enumeration(game).found.equilibria
    assert only.certificate.epsilon > 0
