"""Von Neumann 1928: in finite zero-sum games, what one side can guarantee the other can hold it to.

For every finite two-player zero-sum matrix some mixed strategies guarantee lower = upper, so that
all equilibria pay that value. On generated matrices, in rationals, without tolerance. Twins:
without mixing the two sides differ (matching pennies), and without a zero sum equilibria of one
game pay differently.
"""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from gametheory_core.certificates.minimax import certify_minimax
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import pure_profile
from gametheory_core.testing.generators import zero_sum_games
from solvers.nash.minimax import minimax
from solvers.nash.vertex_enumeration import vertex_enumeration

theorem = pytest.mark.theorem(
    source="von Neumann 1928",
    statement="Finite zero-sum games have a value in mixed strategies.",
)


@theorem
@settings(max_examples=100, deadline=None)
@given(zero_sum_games(max_actions=6))
def test_guarantees_of_both_sides_meet(game):
    certificate = minimax(game).certificate
    certificate.verify()
    assert certificate.lower == certificate.upper


@theorem
def test_pure_guarantees_need_not_meet():
    pennies = NormalFormGame.zero_sum([[1, -1], [-1, 1]])
    gaps = [
        certify_minimax(pennies, pure_profile(pennies, (a, b))).epsilon
        for a in (0, 1)
        for b in (0, 1)
    ]
    assert min(gaps) == 2


@theorem
@settings(max_examples=60, deadline=None)
@given(zero_sum_games(max_actions=4))
def test_all_equilibria_pay_the_value(game):
    value = minimax(game).certificate.game_value
    equilibria = vertex_enumeration(game).equilibria
    assert equilibria
    assert {equilibrium.payoffs for equilibrium in equilibria} == {(value, -value)}


@theorem
def test_without_a_zero_sum_equilibria_pay_differently():
    """No number is the value to the first player: three equilibria, three payoffs."""
    game = NormalFormGame.bimatrix([[2, 0], [0, 1]], [[1, 0], [0, 2]])
    equilibria = vertex_enumeration(game).equilibria
    for equilibrium in equilibria:
        equilibrium.certificate.verify()
        assert equilibrium.certificate.epsilon == 0
    assert sorted(equilibrium.payoffs[0] for equilibrium in equilibria) == [Fraction(2, 3), 1, 2]
