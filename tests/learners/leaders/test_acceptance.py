"""All twelve games with five seeds each: value, regret, and steps; and what learns more slowly.

Values are computed by ``markov_stackelberg``, certified. A leader's return alone is never taken for
success: see the last test.
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from gametheory_core.leaders import FollowerClass
from learners import leaders
from learners.leaders.commitments import expected_play
from tests.learners.leaders.led_games import GAMES, iterated, trained

SEEDS = range(5)
STATIONARY = FollowerClass.STATIONARY
VALUES = {"prisoners_dilemma": -9, "deadlock": -10, "prisoners_delight": -10}  # others: 0
MOST_STEPS = 48_000


@cache
def values(name):
    return leaders.stackelberg_values(iterated(name))


def solved(metrics, value):
    """Whether the greedy pair is a stationary Stackelberg equilibrium, by its exact metrics."""
    return (metrics.get("greedy return/leader"), metrics.get("regret/follower")) == (value, 0)


def settled(learned, value):
    """The steps from which on the greedy pair stays an equilibrium; None if it does not."""
    found = None
    for metrics in reversed(learned.metrics):
        if not solved(metrics, value):
            break
        found = metrics["environment steps"]
    return found


@pytest.mark.parametrize("name", GAMES)
def test_every_run_ends_in_the_stationary_stackelberg_equilibrium(name):
    assert values(name).stationary == VALUES.get(name, 0)
    for seed in SEEDS:
        learner = leaders.MetaStackelberg(iterated(name), rng=np.random.default_rng(seed))
        trained(learner)
        found = leaders.stackelberg_gap(iterated(name), learner, values=values(name))
        assert found.judged.returns[0] == values(name).stationary
        assert found.judged.regret_stationary == 0
        assert found.is_equilibrium(STATIONARY)
        assert learner.environment_steps <= MOST_STEPS


def test_a_follower_without_a_clock_regrets_the_last_step_of_the_dilemma():
    learner = leaders.MetaStackelberg(iterated("prisoners_dilemma"), rng=np.random.default_rng(0))
    trained(learner)
    found = leaders.stackelberg_gap(iterated("prisoners_dilemma"), learner)
    assert found.judged.regret_time_aware == 1
    assert not found.is_equilibrium(FollowerClass.TIME_AWARE)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_follower_with_a_clock_leads_to_the_other_value(seed):
    """She has ten times the table to learn, and needs more episodes."""
    follower = leaders.ContextualQOptions(
        follower_class=FollowerClass.TIME_AWARE, episodes=1500, discount=1.0
    )
    learner = leaders.MetaStackelberg(
        iterated("prisoners_dilemma"), follower=follower, rng=np.random.default_rng(seed)
    )
    trained(learner)
    found = leaders.stackelberg_gap(iterated("prisoners_dilemma"), learner)
    assert found.judged.returns == (-11, -11)
    assert found.is_equilibrium(FollowerClass.TIME_AWARE)


def test_inner_loops_take_many_times_the_steps_in_the_dilemma():
    """Thirty episodes are too few at any length; a hundred do, after several times the steps."""
    view = iterated("prisoners_dilemma")
    meta = [
        settled(trained(leaders.MetaStackelberg(view, rng=np.random.default_rng(seed))), -9)
        for seed in SEEDS
    ]
    inner = {}
    for episodes, iterations in ((30, 100), (100, 40)):
        options = leaders.InnerLoopQOptions(episodes=episodes)
        inner[episodes] = [
            settled(
                trained(
                    leaders.MetaStackelberg(
                        view, follower=options, rng=np.random.default_rng(seed)
                    ),
                    iterations,
                ),
                -9,
            )
            for seed in SEEDS
        ]
    assert max(meta) <= 40_000
    assert inner[30] == [None] * 5  # in 620,000 steps
    assert sorted(inner[100], key=lambda steps: steps or 1e9)[2] > 3 * max(meta)  # the median


def test_evolution_reaches_the_values_too():
    for name in GAMES:
        learner = leaders.MetaStackelberg(
            iterated(name), leader=leaders.LeaderEvolutionOptions(), rng=np.random.default_rng(0)
        )
        assert solved(trained(learner).metrics[-1], values(name).stationary)


def test_evolution_learns_the_same_whether_queries_are_seen_or_not():
    ends = []
    for queries in leaders.Queries:
        options = leaders.LeaderEvolutionOptions(iterations=20)
        learner = leaders.MetaStackelberg(
            iterated("hero"), leader=options, queries=queries, rng=np.random.default_rng(4)
        )
        trained(learner)
        ends.append(learner.probabilities().tobytes())
    assert ends[0] == ends[1]


def test_fresh_answers_earn_more_than_any_commitment_is_worth():
    """The leader promises what he does not keep; held to his answers he earns the value at most."""
    view, leader = iterated("prisoners_delight"), leaders.LeaderPPOOptions()
    earned = {}
    for answers in leaders.Answers:
        learner = leaders.MetaStackelberg(
            view, leader=leader, answers=answers, rng=np.random.default_rng(1)
        )
        trained(learner)
        earned[answers] = expected_play(view, learner, answers=answers)[0]
    bound = values("prisoners_delight").stationary
    assert earned[leaders.Answers.FRESH] > bound + Fraction(1, 2)
    assert earned[leaders.Answers.MEMOIZED] <= bound


def test_a_follower_who_learned_nothing_pays_the_leader_more():
    """Hence a leader's return alone is no test: here it exceeds the value by a lot."""
    view = iterated("prisoners_dilemma")
    untaught = replace(leaders.ContextualQOptions(), iterations=0)
    learner = leaders.MetaStackelberg(view, follower=untaught, rng=np.random.default_rng(0))
    trained(learner)
    found = leaders.stackelberg_gap(view, learner)
    assert found.judged.returns[0] == 0 > found.values.stationary
    assert found.gap_stationary == -9
    assert found.judged.regret_stationary >= 10
    assert not found.is_equilibrium(STATIONARY)
