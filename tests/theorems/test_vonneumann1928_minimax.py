"""Von Neumann 1928: in finite zero-sum games, what one side can guarantee the other can hold it to.

For every finite two-player zero-sum matrix some mixed strategies guarantee lower = upper. On
generated matrices, in rationals, without tolerance. Twins: without mixing the two sides differ
(matching pennies), and without a zero sum both sides together can get more than they guarantee.
"""

import pytest
from hypothesis import given, settings

from gametheory_core.certificates.minimax import certify_minimax
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import pure_profile
from gametheory_core.testing.generators import zero_sum_games
from solvers.nash.minimax import minimax

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
def test_general_sums_have_no_common_value():
    rows = NormalFormGame.zero_sum([[2, 0], [0, 1]])
    columns = NormalFormGame.zero_sum([[1, 0], [0, 2]])  # the column player's payoffs, transposed
    levels = [minimax(own).certificate.game_value for own in (rows, columns)]
    # (first, first) pays 2 + 1: no strategies hold both to their guaranteed 2/3
    assert sum(levels) < 3
