"""A follower with a network reads answers: she responds to leaders whom no table could hold."""

from dataclasses import replace

import numpy as np
import pytest

from gametheory_core import NormalFormGame, UnsupportedGame, load_game
from gametheory_core.catalog import iterated_game
from gametheory_core.conversions import normal_to_posg
from gametheory_core.leaders import DeterministicLeader, FollowerClass, leader_policies, leader_view
from learners.leaders import (
    ContextualNetworkOptions,
    ContextualQOptions,
    LeaderPPOOptions,
    MetaStackelberg,
    judge_commitment,
)
from learners.leaders.stage import Stage, situations_of
from tests.learners.continuing import assert_continues
from tests.learners.leaders.led_games import iterated, trained
from tests.theorems.test_gerstgrasser2023_centered_rewards import stopping_game

pytest.importorskip("torch")

QUICK = ContextualNetworkOptions(
    iterations=12, episodes=50, updates=20, hidden=(64,), step_size=0.005
)
MANY = replace(load_game("iterated_chicken:rounds=4"), recall=3)  # 2^85 leaders


def taught(game, options, seed=0):
    """Return a learner whose follower is prepared."""
    learner = MetaStackelberg(game, follower=options, rng=np.random.default_rng(seed))
    trained(learner, options.iterations)
    return learner


def regrets(learner, plans, name):
    return [getattr(judge_commitment(learner.view, learner.response_to(pi)), name) for pi in plans]


@pytest.mark.parametrize("shift", [0, -1000])
def test_she_best_responds_to_every_row_whatever_constant_is_paid(shift):
    payoffs = (np.array([[3, 0, 1], [0, 2, 0], [1, 0, 4]]) + shift).tolist()
    view = leader_view(normal_to_posg(NormalFormGame.bimatrix(payoffs, payoffs)).target)
    plans = list(leader_policies(view))
    assert set(regrets(taught(view, QUICK), plans, "regret_time_aware")) == {0}
    untaught = taught(view, replace(QUICK, iterations=0))
    assert max(regrets(untaught, plans, "regret_time_aware")) > 0


def test_with_a_clock_she_plans_to_the_last_step():
    options = replace(QUICK, follower_class=FollowerClass.TIME_AWARE, discount=1.0, iterations=30)
    view = iterated("prisoners_dilemma", rounds=2)
    found = regrets(taught(view, options), leader_policies(view), "regret_time_aware")
    assert np.mean([regret == 0 for regret in found]) >= 0.9


def test_what_she_learns_of_some_leaders_carries_over_to_others():
    """Of 2^21 leaders she meets 2,000; those who judge her are others."""
    view = leader_view(replace(load_game("iterated_chicken:rounds=6"), recall=2))
    options = replace(QUICK, iterations=40, updates=30)
    fresh = Stage(view).contexts.uniform_plans(40, np.random.default_rng(7))
    plans = [DeterministicLeader(tuple(own)) for own in fresh.tolist()]
    before, after = (
        np.mean([float(r) for r in regrets(taught(view, own), plans, "regret_time_aware")])
        for own in (replace(options, iterations=0), options)
    )
    assert after < 0.75 * before


def test_tables_that_are_too_large_advise_a_network():
    with pytest.raises(UnsupportedGame, match=r"may also have a network \(ContextualNetworkOpt"):
        MetaStackelberg(MANY, follower=ContextualQOptions(), rng=np.random.default_rng(1))
    learner = MetaStackelberg(
        MANY,
        follower=replace(QUICK, iterations=1),
        leader=LeaderPPOOptions(iterations=1, episodes=5),
        rng=np.random.default_rng(1),
    )
    assert trained(learner).metrics[-1]["environment steps"] == 50 * 4 + 5 * (85 + 4)


@pytest.mark.parametrize("after", [1, 3])
def test_going_on_from_a_snapshot_is_bit_for_bit_the_same(after, tmp_path):
    options = {
        "follower": replace(QUICK, iterations=2, episodes=5, updates=2),
        "leader": LeaderPPOOptions(iterations=3, episodes=5),
    }
    assert_continues(
        lambda: MetaStackelberg(iterated("hero"), rng=np.random.default_rng(5), **options),
        tmp_path,
        after=after,
    )


def test_values_in_the_middle_are_those_of_earning_it_all_along():
    stage = Stage(iterated("chicken", rounds=3))
    middle = -1.5  # of rewards from -3 to 0
    endless = situations_of(stage, FollowerClass.STATIONARY)
    assert np.allclose(stage.middle_values(endless, 0.9), middle / 0.1)
    assert np.allclose(stage.middle_values(endless, 1.0), 3 * middle)
    timed = situations_of(stage, FollowerClass.TIME_AWARE)
    steps = np.repeat([1.9 + 0.81, 1.9, 1.0], 5)
    assert np.allclose(stage.middle_values(timed, 0.9), middle * steps)
    assert np.allclose(stage.middle_values(timed, 1.0), middle * np.repeat([3, 2, 1], 5))


def test_where_play_ends_early_the_middle_is_earned_as_long_as_play_goes_on():
    """Half of uniform play ends at once, and half a round later: 3/2 steps in the mean."""
    stage = Stage(leader_view(stopping_game()))
    middle = 1.0  # of rewards from 0 to 2
    for follower_class in FollowerClass:
        situations = situations_of(stage, follower_class)
        found = stage.middle_values(situations, 1.0)
        first, second = (situations.numbers[t, t] for t in (0, 1))
        if follower_class is FollowerClass.TIME_AWARE:
            assert np.allclose(found[[first, second]], [1.5 * middle, middle])
        else:
            assert np.allclose(found[first], 1.25 * middle)  # one situation: the mean of both


def test_a_table_learns_the_same_whatever_constant_is_paid():
    """By default, that is: values that begin at zero are hopeful of losses, and learn otherwise."""

    def learned(shift, **options):
        payoffs = [(np.array(own) + shift).tolist() for own in ([[5, 1], [2, 9]], [[4, 7], [1, 3]])]
        view = leader_view(iterated_game(NormalFormGame.bimatrix(*payoffs), rounds=10))
        table = ContextualQOptions(discount=0.5, iterations=2, episodes=60, **options)
        learner = taught(view, table, seed=3)
        return [learner.response_to(pi).follower for pi in leader_policies(view)]

    assert learned(0) == learned(-64) == learned(512)
    assert learned(0, initial=0.0) != learned(-64, initial=0.0)
