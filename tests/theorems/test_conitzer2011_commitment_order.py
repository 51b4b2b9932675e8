"""Conitzer and Korzhyk 2011: what the leader earns grows with the power to commit.

(1) With any number of players, the leader's payoff in every correlated equilibrium, hence in every
Nash equilibrium, is at most that of the optimal commitment to a correlated strategy; so is what
commitment to a mixed strategy earns when the followers answer by a pure equilibrium. (2) With one
follower, correlation adds nothing to mixed commitment: Nash <= strong Stackelberg = correlated
commitment. Checked in rationals on games of two and three players, degenerate ones included; the
best correlated equilibrium and all extreme equilibria come from solvers that know no leader.

Why it matters (commitment): It orders what a leader can get by what she can bind herself to, and
says when one linear program over joint actions solves the commitment problem.
"""

from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

import solvers
from gametheory_core import MixedProfile, NormalFormGame, certify_nash, expected_payoffs, load_game
from gametheory_core.certificates import CorrelatedKind, LinearObjective
from gametheory_core.errors import InfeasibleProgram
from tests.solvers.stackelberg.leader_games import games_of_three
from tests.solvers.stackelberg.region_vertices import bimatrix_games

SOURCE = "Conitzer and Korzhyk 2011"
order = pytest.mark.theorem(
    source=SOURCE,
    statement="No equilibrium, and no mixed commitment, beats the best correlated commitment.",
)
one_follower = pytest.mark.theorem(
    source=SOURCE, statement="With one follower, commitment gains nothing from correlation."
)
# Two drivers play chicken; who leads them has nothing to choose, and wants both to do well. A coin
# that nobody but the leader sees keeps them off the worst corner more often than equilibria do.
DRIVERS = NormalFormGame.from_payoffs([[[[12, 9], [9, 0]]], [[[6, 2], [7, 0]]], [[[6, 7], [2, 0]]]])


def proved(solution, leader):
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    return solution.payoffs[leader]


def best_correlated(game, leader, solver=solvers.correlated_equilibrium):
    objective = LinearObjective.payoff(game, player=leader)
    return proved(solver(game, objective=objective), leader)


def nash_payoffs(game, leader):
    return [solution.payoffs[leader] for solution in solvers.vertex_enumeration(game).equilibria]


@order
@given(bimatrix_games(), st.sampled_from([0, 1]))
def test_payoffs_are_ordered_with_one_follower(game, leader):
    nash = max(nash_payoffs(game, leader))
    correlated = best_correlated(game, leader)
    strong = proved(solvers.strong_stackelberg(game, leader=leader), leader)
    assert (
        nash
        <= correlated
        <= strong
        <= proved(solvers.correlated_commitment(game, leader=leader), leader)
    )


@order
@given(games_of_three(), st.sampled_from([0, 1, 2]))
def test_payoffs_are_ordered_with_two_followers(game, leader):
    committed = proved(solvers.correlated_commitment(game, leader=leader), leader)
    assert best_correlated(game, leader) <= committed
    try:
        mixed = proved(solvers.pure_followers_stackelberg(game, leader=leader), leader)
    except InfeasibleProgram:
        return  # no commitment leaves the followers a pure equilibrium: nothing to compare
    assert mixed <= committed


@order
def test_each_step_can_be_strict():
    game = load_game("commitment_example")
    assert max(nash_payoffs(game, 0)) == best_correlated(game, 0) == 2
    assert proved(solvers.strong_stackelberg(game), 0) == Fraction(7, 2)
    chicken = load_game("chicken")
    assert best_correlated(chicken, 0) <= proved(solvers.strong_stackelberg(chicken), 0) == 1
    assert proved(solvers.pure_followers_stackelberg(DRIVERS), 0) == 9
    assert proved(solvers.correlated_commitment(DRIVERS), 0) == Fraction(21, 2)


@order
def test_without_obedience_twin_coarse_equilibria_can_pay_more():
    """Recommendations must be worth following once seen: coarse equilibria are not bounded."""
    game = NormalFormGame.bimatrix(
        [[2, 1, 2], [0, 1, 0], [3, 0, 0]], [[0, 2, 0], [3, 0, 3], [0, 0, 1]]
    )
    assert best_correlated(
        game, 0, partial(solvers.correlated_equilibrium, kind=CorrelatedKind.COARSE)
    ) == Fraction(7, 3)
    assert proved(solvers.correlated_commitment(game), 0) == Fraction(6, 5)


@order
def test_without_friendly_ties_twin_an_equilibrium_pays_more():
    game = NormalFormGame.bimatrix([[2, 0]], [[1, 1]])
    assert solvers.weak_stackelberg(game).payoffs[0] == 0 < max(nash_payoffs(game, 0)) == 2


@order
def test_without_mixing_twin_followers_in_pure_equilibrium_pay_less_than_a_nash_equilibrium():
    """Mixed commitment beats every Nash payoff only if followers may play any equilibrium."""
    third = Fraction(1, 3)
    mixed = MixedProfile(([1], [2 * third, third], [2 * third, third]))
    assert certify_nash(DRIVERS, mixed).epsilon == 0
    assert expected_payoffs(DRIVERS, mixed)[0] == Fraction(28, 3)
    assert proved(solvers.pure_followers_stackelberg(DRIVERS), 0) < Fraction(28, 3)


@one_follower
@given(bimatrix_games(), st.sampled_from([0, 1]))
def test_correlation_adds_nothing_with_one_follower(game, leader):
    strong = proved(solvers.strong_stackelberg(game, leader=leader), leader)
    assert proved(solvers.correlated_commitment(game, leader=leader), leader) == strong


@one_follower
def test_two_followers_twin_gain_from_correlation():
    """Whatever equilibrium the two drivers play, pure or mixed, the leader earns less than 21/2."""
    drivers = NormalFormGame.bimatrix(*DRIVERS.exact_payoffs[1:, 0])
    own = DRIVERS.exact_payoffs[0, 0]
    paid = [
        row.strategies[0] @ own @ row.strategies[1]
        for row in (solution.profile for solution in solvers.vertex_enumeration(drivers).equilibria)
    ]
    assert sorted(paid) == [9, 9, Fraction(28, 3)]
    assert proved(solvers.correlated_commitment(DRIVERS), 0) == Fraction(21, 2)
