"""Independent draws for answers and play, against a tree of draws."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, InvalidStrategy, UnsupportedGame, leaders
from gametheory_core.catalog import iterated_prisoners_dilemma
from tests.sample_sizes import examples

KINDS = [(kind, ties) for kind in leaders.FollowerClass for ties in leaders.FollowerTies]


@examples(30)
@given(st.data(), st.sampled_from(KINDS))
def test_returns_are_the_mean_over_all_answers(data, kind):
    follower_class, ties = kind
    view = data.draw(leaders.leader_games(max_states=3, max_horizon=3))
    policy = data.draw(leaders.stochastic_leaders(view))
    expected = [Fraction(0), Fraction(0)]
    for actions in product(*(range(len(own)) if own else (-1,) for own in policy.lotteries)):
        pairs = zip(actions, policy.lotteries, strict=True)
        chance = prod(own[a] for a, own in pairs if own)
        if chance:
            response = leaders.follower_response(
                view, leaders.DeterministicLeader(actions), follower_class=follower_class, ties=ties
            )
            paid = leaders.leader_returns(view, policy, response.policy)
            expected = [total + chance * own for total, own in zip(expected, paid, strict=True)]
    found = leaders.sampled_query_returns(view, policy, follower_class=follower_class, ties=ties)
    assert found == tuple(expected)


@examples(30)
@given(st.data())
def test_certain_answers_deceive_nobody(data):
    view = data.draw(leaders.leader_games())
    plan = data.draw(leaders.deterministic_leaders(view))
    count = len(view.game.actions[view.leader])
    lotteries = tuple(
        tuple(Fraction(a == own) for a in range(count)) if own >= 0 else () for own in plan.actions
    )
    found = leaders.sampled_query_returns(view, leaders.StochasticLeader(lotteries))
    assert found == leaders.follower_response(view, plan).returns


def test_too_many_answers_are_refused():
    view = leaders.leader_view(iterated_prisoners_dilemma(rounds=3))
    policy = leaders.StochasticLeader(((Fraction(1, 2),) * 2,) * 5)
    with pytest.raises(UnsupportedGame, match="has 32. Raise it"):
        leaders.sampled_query_returns(view, policy, max_answers=31)


def test_other_leaders_are_refused():
    view = leaders.leader_view(iterated_prisoners_dilemma(rounds=3))
    with pytest.raises(InvalidArgument, match="Others answer as they play"):
        leaders.sampled_query_returns(view, leaders.DeterministicLeader((0, 0, 1, 0, 1)))
    with pytest.raises(InvalidStrategy, match="needs a tuple of 5 mixed actions"):
        leaders.sampled_query_returns(view, leaders.StochasticLeader(()))
