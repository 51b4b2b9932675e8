"""Letchford et al. 2012: what leaders of stochastic games can earn by committing to correlation.

A leader of a Markov game who may announce things commits best by a plan that tells the follower at
each step what to do, and that is obeyed because deviations are punished by minmax ever after. So
the best such commitment is found by backward induction over what both can get. It is an upper
bound for leaders who announce nothing. (1) In the iterated prisoner's dilemma the bound is attained
by lotteries that depend on the last round only: -(h + 3)/2 over h rounds, although the bound of
one price, minmax in the whole game alone, is -h/2. (2) With other payoffs memory earns more.
"""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gametheory_core.catalog.iterated import iterated_prisoners_dilemma
from gametheory_core.catalog.repeated import RepeatedGame
from gametheory_core.conversions.leader_view import leader_view
from gametheory_core.evaluation.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
)
from gametheory_core.strategies.leader_policies import StochasticLeader
from gametheory_core.testing.leader_generators import (
    leader_games,
    memoized_leaders,
    stochastic_leaders,
)
from solvers.leaders.commitment_bound import BoundMethod, commitment_upper_bound
from tests.solvers.leaders.announced_commitment import announced_value

SOURCE = "Letchford et al. 2012"
bounded = pytest.mark.theorem(
    source=SOURCE, statement="No commitment earns more than one that announces and punishes."
)
attained = pytest.mark.theorem(
    source=SOURCE, statement="In the iterated dilemma lotteries after each round are optimal."
)
HALF = Fraction(1, 2)
SMALL = {"max_states": 3, "max_horizon": 3}


def bound_of(game, method=BoundMethod.PROMISES):
    found = commitment_upper_bound(game, method=method)
    found.verify()
    return found.upper_bound


@bounded
@settings(max_examples=25, deadline=None)
@given(leader_games(**SMALL))
def test_bound_is_the_best_announced_commitment(view):
    assert float(bound_of(view)) == pytest.approx(announced_value(view), abs=1e-6)


@bounded
@settings(max_examples=40, deadline=None)
@given(st.data(), st.sampled_from(FollowerTies))
def test_leaders_who_announce_nothing_earn_no_more(data, ties):
    view = data.draw(leader_games())
    policy = data.draw(st.one_of(stochastic_leaders(view), memoized_leaders(view)))
    assert follower_response(view, policy, ties=ties).returns[0] <= bound_of(view)


@bounded
def test_unless_the_follower_is_stationary():
    """Who cannot act by the step cannot defend herself."""
    view = leader_view(iterated_prisoners_dilemma(rounds=10))
    policy = mixing(Fraction(1, 3))
    stationary = FollowerClass.STATIONARY
    assert follower_response(view, policy, follower_class=stationary).returns[0] > bound_of(view)


def mixing(after_cooperation):
    """Defect first, with a chance after (C, C), always after (C, D), and half after (D, C)."""
    chances = (Fraction(1), after_cooperation, Fraction(1), HALF, Fraction(1))
    return StochasticLeader(tuple((1 - x, x) for x in chances))


@attained
@pytest.mark.parametrize("rounds", [2, 3, 5, 8, 10, 12, 20])
def test_half_after_cooperation_attains_the_bound(rounds):
    view = leader_view(iterated_prisoners_dilemma(rounds=rounds))
    earned = follower_response(view, mixing(HALF)).returns[0]
    assert earned == bound_of(view) == -Fraction(rounds + 3, 2)
    assert bound_of(view, BoundMethod.SINGLE_PRICE) == -Fraction(rounds, 2)


@attained
def test_unless_ties_break_against_the_leader():
    """Then the bound is approached: less than half makes cooperation strictly better."""
    view = leader_view(iterated_prisoners_dilemma(rounds=10))

    def weakly(chance):
        chances = (Fraction(1), chance, Fraction(1), chance, Fraction(1))
        policy = StochasticLeader(tuple((1 - x, x) for x in chances))
        return follower_response(view, policy, ties=FollowerTies.WEAK).returns[0]

    assert weakly(HALF) < -10
    assert -Fraction(66, 10) < weakly(HALF - Fraction(1, 100)) < -Fraction(65, 10)
    assert -Fraction(6501, 1000) < weakly(HALF - Fraction(1, 10_000)) < -Fraction(65, 10)


@attained
def test_unless_payoffs_are_others():
    """With 3, 0, 5 and 1 a grid of lotteries stays below the bound over three rounds."""
    view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=3))
    grid = [Fraction(k, 8) for k in range(9)]
    earned = max(
        follower_response(view, StochasticLeader(tuple((1 - x, x) for x in chances))).returns[0]
        for one in grid
        for other in grid
        for third in grid
        for chances in [(Fraction(1), one, Fraction(1), other, third)]
    )
    assert earned < bound_of(view) == Fraction(21, 2)
