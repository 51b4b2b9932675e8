"""Von Neumann 1928: in finite zero-sum games, what one side can guarantee the other can hold it to.

For every finite two-player zero-sum matrix some mixed strategies guarantee lower = upper, so that
all equilibria pay that value. On generated matrices, in rationals, without tolerance. Twins:
without mixing the two sides differ (matching pennies); without a zero sum equilibria of one game
pay differently; and with three players, who pay each other, what they can guarantee does not add up
to zero, and falls short of what independent opponents can hold them to (odd one out).

Why it matters (zero-sum): Optimal play and the value of a two-player zero-sum game are well
defined: what one side can guarantee the other can hold it to.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

import gametheory_core as gt
from gametheory_core.games import is_zero_sum
from gametheory_core.testing import rationals, zero_sum_games
from solvers import minimax, vertex_enumeration
from tests.sample_sizes import many

theorem = pytest.mark.theorem(
    source="von Neumann 1928", statement="Finite zero-sum games have a value in mixed strategies."
)


@theorem
@given(zero_sum_games(max_actions=6))
def test_guarantees_of_both_sides_meet(game):
    certificate = minimax(game).certificate
    certificate.verify()
    assert certificate.lower == certificate.upper


@theorem
def test_pure_guarantees_need_not_meet():
    pennies = gt.NormalFormGame.zero_sum([[1, -1], [-1, 1]])
    gaps = [
        gt.certify_minimax(pennies, gt.pure_profile(pennies, (a, b))).epsilon
        for a in (0, 1)
        for b in (0, 1)
    ]
    assert min(gaps) == 2


@theorem
@given(zero_sum_games(max_actions=4))
def test_all_equilibria_pay_the_value(game):
    value = minimax(game).certificate.game_value
    equilibria = vertex_enumeration(game).equilibria
    assert equilibria
    assert {equilibrium.payoffs for equilibrium in equilibria} == {(value, -value)}


@theorem
def test_without_a_zero_sum_equilibria_pay_differently():
    """No number is the value to the first player: three equilibria, three payoffs."""
    game = gt.NormalFormGame.bimatrix([[2, 0], [0, 1]], [[1, 0], [0, 2]])
    equilibria = vertex_enumeration(game).equilibria
    for equilibrium in equilibria:
        equilibrium.certificate.verify()
        assert equilibrium.certificate.epsilon == 0
    assert sorted(equilibrium.payoffs[0] for equilibrium in equilibria) == [Fraction(2, 3), 1, 2]


def odd_one_out():
    """Three players name 0 or 1; one who is alone with a number pays 1 to each of the others."""
    payoffs = np.zeros((3, 2, 2, 2), dtype=object)
    for named in np.ndindex(2, 2, 2):
        for player in range(3):
            if named.count(named[player]) == 1:
                payoffs[(slice(None), *named)] = 1
                payoffs[(player, *named)] = -2
    return gt.NormalFormGame.from_payoffs(payoffs)


def against_all_others(game, player):
    """The matrix game of one player against the others as one, who choose their actions jointly."""
    own = np.moveaxis(game.exact_payoffs[player], player, 0)
    return gt.NormalFormGame.zero_sum(own.reshape(len(own), -1))


@theorem
def test_guarantees_of_three_players_do_not_add_up_to_zero():
    game = odd_one_out()
    assert is_zero_sum(game)
    certificates = [minimax(against_all_others(game, player)).certificate for player in range(3)]
    for certificate in certificates:
        certificate.verify()
    assert [certificate.game_value for certificate in certificates] == [-1, -1, -1]


@theorem
@many
@given(rationals(low=0, high=1, max_denominator=50), rationals(low=0, high=1, max_denominator=50))
def test_two_independent_opponents_cannot_hold_the_third_to_its_guarantee(first, second):
    """A player is guaranteed -1, but can answer any two independent strategies with 0 or more."""
    game = odd_one_out()

    def best_answer(p, q):
        profile = gt.MixedProfile(tuple([1 - share, share] for share in (Fraction(0), p, q)))
        return gt.best_response(game, profile, player=0).value

    assert best_answer(first, second) >= 0
    assert best_answer(Fraction(1, 2), Fraction(1, 2)) == 0
