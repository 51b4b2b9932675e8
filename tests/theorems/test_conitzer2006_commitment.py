"""Conitzer and Sandholm 2006; von Stengel and Zamir 2010: commitment never hurts the leader.

In a two-player game the leader's strong Stackelberg payoff is at least the leader's payoff in every
Nash equilibrium: the equilibrium strategy is itself a commitment, and the follower's reply to it
one that a friendly follower would improve. Checked against all extreme equilibria (a linear payoff
on a convex set of equilibria is largest at one of them), in rationals, without tolerance.

Why it matters (commitment): Being seen to commit is an advantage in every two-player game if ties
are broken for the leader; without mixing or friendly ties it is not.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame
from solvers import strong_stackelberg, vertex_enumeration, weak_stackelberg
from tests.solvers.stackelberg.region_vertices import bimatrix_games, from_the_leaders_side

theorem = pytest.mark.theorem(
    source="Conitzer and Sandholm 2006",
    statement="Strong commitment to a mixed strategy earns at least every Nash payoff.",
)
PENNIES = NormalFormGame.zero_sum([[1, -1], [-1, 1]])


def nash_payoffs(game, leader):
    return [solution.payoffs[leader] for solution in vertex_enumeration(game).equilibria]


@theorem
@given(bimatrix_games(), st.sampled_from([0, 1]))
def test_commitment_earns_at_least_every_equilibrium(game, leader):
    solution = strong_stackelberg(game, leader=leader)
    solution.certificate.verify()
    assert solution.payoffs[leader] >= max(nash_payoffs(game, leader))


@theorem
def test_hostile_follower_twin_earns_less_than_an_equilibrium():
    """Ties must break for the leader."""
    game = NormalFormGame.bimatrix([[2, 0]], [[1, 1]])
    assert weak_stackelberg(game).payoffs[0] < max(nash_payoffs(game, 0))
    assert strong_stackelberg(game).payoffs[0] == max(nash_payoffs(game, 0))


@theorem
def test_pure_commitment_twin_earns_less_than_the_equilibrium():
    """The commitment must be allowed to be mixed."""
    own, others = from_the_leaders_side(PENNIES, 0)
    pure = [own[a][list(others[a]).index(max(others[a]))] for a in range(2)]
    assert max(pure) == -1
    assert nash_payoffs(PENNIES, 0) == [0]
    assert strong_stackelberg(PENNIES).payoffs[0] == 0


@theorem
def test_follower_twin_can_lose_by_being_led():
    """Only the leader is sure to gain: a follower may get less than in every equilibrium."""
    game = NormalFormGame.bimatrix([[1, 3], [0, 2]], [[2, 1], [0, 1]])
    (equilibrium,) = vertex_enumeration(game).equilibria
    led = strong_stackelberg(game)
    assert equilibrium.payoffs == (1, 2)
    assert led.payoffs == (Fraction(5, 2), 1)
