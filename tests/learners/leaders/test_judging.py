"""What runs are judged by: the regret of one follower or of all, and what else would earn more."""

import numpy as np
import pytest

from gametheory_core import InvalidStrategy, UnsupportedGame, leaders, load_game
from learners.leaders import (
    ContextualQOptions,
    LearnedCommitment,
    MetaStackelberg,
    judge_commitment,
    judge_followers,
)
from learners.leaders.judging import BY_BEST_RESPONSE, Regrets, oracle_gap
from tests.learners.leaders.led_games import iterated, trained
from tests.learners.leaders.test_commitments import BETRAYED, DILEMMA

GOODS = leaders.followers_view(load_game("iterated_public_goods:rounds=4"))


@pytest.mark.parametrize("follower_class", leaders.FollowerClass)
def test_metrics_are_the_exact_returns_and_the_regret(follower_class):
    assert Regrets(DILEMMA, follower_class).metrics(BETRAYED) == {
        "greedy return/leader": -9.0,
        "greedy return/follower": -12.0,
        "regret/follower": 10.0,
    }


def test_one_of_several_is_judged_as_the_one_follower():
    shared = leaders.followers_view(DILEMMA.game)
    judged, alone = judge_followers(shared, BETRAYED), judge_commitment(DILEMMA, BETRAYED)
    assert judged.returns == alone.returns
    assert judged.regrets_stationary == (alone.regret_stationary,)
    assert judged.regrets_time_aware == (alone.regret_time_aware,)


def test_the_largest_regret_is_that_of_the_class():
    giving = GOODS.together([leaders.StationaryFollower((0,) * 9)] * 2)
    keeping = leaders.DeterministicLeader((1,) * 9)
    judged = judge_followers(GOODS, LearnedCommitment(keeping, giving))
    assert judged.returns == (4 * 4, 4, 4)
    assert judged.regrets_stationary == judged.regrets_time_aware == (4, 4)
    for own in leaders.FollowerClass:
        assert judged.largest(own) == 4
    unknown = type(judged)(judged.returns, (None, judged.returns[1]), judged.regrets_time_aware)
    assert unknown.largest(leaders.FollowerClass.STATIONARY) is None


def test_refuses_followers_with_a_clock():
    timed = leaders.TimedFollower(((0,) * 9,) * 4)
    with pytest.raises(InvalidStrategy, match="followers without a clock"):
        judge_followers(GOODS, LearnedCommitment(leaders.DeterministicLeader((1,) * 9), timed))


def test_the_oracle_gap_is_to_the_best_leader_against_what_followers_learned():
    view = iterated("chicken", rounds=3)
    learner = MetaStackelberg(
        view, follower=ContextualQOptions(iterations=0), rng=np.random.default_rng(0)
    )
    own = learner.commitment()
    meek = own.follower
    returns = [leaders.leader_returns(view, pi, meek)[0] for pi in leaders.leader_policies(view)]
    now = leaders.leader_returns(view, own.leader, meek)[0]
    assert oracle_gap(learner) == max(returns) - now > 0


def test_several_followers_are_appraised_one_by_one_and_have_no_one_value():
    learner = MetaStackelberg(
        GOODS, follower=ContextualQOptions(iterations=1), rng=np.random.default_rng(0)
    )
    trained(learner, 9)
    found = BY_BEST_RESPONSE.appraise(learner, None)
    judged = judge_followers(GOODS, learner.commitment())
    assert [found[f"return/player {i}"] for i in (1, 2, 3)] == list(judged.returns)
    assert [found[f"regret/player {i}"] for i in (2, 3)] == list(judged.regrets_time_aware)
    for name, own in (("stationary", "STATIONARY"), ("time_aware", "TIME_AWARE")):
        largest = judged.largest(leaders.FollowerClass[own])
        assert BY_BEST_RESPONSE.measures[f"regret_{name}"](learner) == largest
        with pytest.raises(UnsupportedGame, match="one follower, so that there is one value"):
            BY_BEST_RESPONSE.measures[f"gap_{name}"](learner)


def test_refuses_to_try_too_many_commitments():
    many = leaders.followers_view(load_game("iterated_public_goods:players=4,rounds=2"))
    learner = MetaStackelberg(
        many, follower=ContextualQOptions(iterations=0), rng=np.random.default_rng(0)
    )
    with pytest.raises(UnsupportedGame, match="at most 4,096 commitments"):
        oracle_gap(learner)
