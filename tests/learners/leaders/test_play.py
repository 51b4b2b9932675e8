"""Episodes have the law of the game, and what the leader decides gives the right gradients."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import leaders
from learners.gradients import reinforce_gradient
from learners.gradients.updates import Samples
from learners.leaders import Answers, ExactFollower, ExactResponseOptions, Meeting, Queries, Stage
from tests.learners.leaders.led_games import iterated
from tests.sample_sizes import examples

DEVIATIONS = 5.5  # a normal mean is farther off once in 26 million; of 60 estimates, in a million


def uneven(view):
    """A leader who draws: weights 1, 2, ... over the legal actions after each observation."""
    width = len(view.game.actions[view.leader])
    rows = []
    for o in range(len(view.game.observations[view.leader])):
        own = view.leader_actions(o)
        weights = [Fraction(own.index(a) + 1) if a in own else Fraction(0) for a in range(width)]
        rows.append(tuple(w / sum(weights) for w in weights) if own else ())
    return leaders.StochasticLeader(tuple(rows))


def floats(view, leader):
    width = len(view.game.actions[view.leader])
    return np.array([[float(w) for w in row] or [0.0] * width for row in leader.lotteries])


def held(view, answers, queries, *, follower_class=leaders.FollowerClass.TIME_AWARE, count):
    """Many episodes of the uneven leader against exact responses."""
    stage = Stage(view)
    follower = ExactFollower(stage, ExactResponseOptions(follower_class))
    policy = floats(view, uneven(view))
    meeting = Meeting(stage, follower, answers, queries)
    which = np.zeros(count, dtype=np.int64)
    return policy, meeting.hold(policy[None], which, np.random.default_rng(8))


def chance(leader, plan):
    weights = (row[a] for row, a in zip(leader.lotteries, plan.actions, strict=True) if row)
    found = Fraction(1)
    for weight in weights:
        found *= weight
    return found


@examples(15)
@given(leaders.leader_games(), st.sampled_from(Answers), st.sampled_from(leaders.FollowerClass))
def test_mean_returns_are_those_of_the_game(view, answers, follower_class):
    """Within 5.5 standard errors of the exact mean over all that may be answered."""
    leader = uneven(view)
    exact = [Fraction(0), Fraction(0)]
    _, encounter = held(view, answers, Queries.VISIBLE, follower_class=follower_class, count=4000)
    for plan in leaders.leader_policies(view):
        follower = leaders.follower_response(view, plan, follower_class=follower_class).policy
        played = plan if answers is Answers.MEMOIZED else leader
        paid = leaders.leader_returns(view, played, follower)
        exact = [e + chance(leader, plan) * x for e, x in zip(exact, paid, strict=True)]
    weights = float(view.discount) ** np.arange(view.horizon)
    returns = (encounter.episodes.rewards * weights[:, None]).sum(axis=1)
    error = DEVIATIONS * returns.std(axis=0) / np.sqrt(len(returns)) + 1e-9
    assert (np.abs(returns.mean(axis=0) - np.array(exact, dtype=float)) <= error).all()


def gradient_error(view, answers, queries, exact):
    """How far the mean of 60 estimates is from a gradient, in standard errors, at most."""
    stage, policy = Stage(view), floats(view, uneven(view))
    if queries is Queries.FLAGGED:  # he does as he would not answer
        policy = np.concatenate([policy, np.full_like(policy, 0.5)])
    meeting = Meeting(stage, ExactFollower(stage, ExactResponseOptions()), answers, queries)
    rng, estimates = np.random.default_rng(8), []
    for _ in range(60):
        decisions = meeting.hold(policy[None], np.zeros(500, dtype=np.int64), rng).decisions(1.0)
        samples = Samples(decisions.observations, decisions.actions, decisions.credits)
        estimates.append(reinforce_gradient(policy, samples, episodes=500))
    errors = np.std(estimates, axis=0, ddof=1) / np.sqrt(60) + 1e-9
    return (np.abs(np.mean(estimates, axis=0) - exact) / errors).max()


def logits(gradient):
    width = max(map(len, gradient.logits))
    return np.array([[float(x) for x in row] or [0.0] * width for row in gradient.logits])


@pytest.mark.parametrize("name", ["prisoners_dilemma", "hero", "modified_prisoners_dilemma"])
def test_decisions_give_the_gradient_of_the_leader_problem_if_answers_are_fresh(name):
    view = iterated(name, rounds=3)
    exact = logits(
        leaders.queried_gradient(
            view, uneven(view), lambda p: leaders.follower_response(view, p).policy
        )
    )
    assert gradient_error(view, Answers.FRESH, Queries.VISIBLE, exact) < DEVIATIONS


@pytest.mark.parametrize("name", ["prisoners_dilemma", "hero", "modified_prisoners_dilemma"])
def test_decisions_give_the_gradient_of_the_mean_over_plans_if_answers_are_held(name):
    view = iterated(name, rounds=3)
    leader = uneven(view)
    exact = np.zeros_like(floats(view, leader))
    for plan in leaders.leader_policies(view):
        value = float(chance(leader, plan) * leaders.follower_response(view, plan).returns[0])
        for o, action in enumerate(plan.actions):
            if action >= 0:  # the score of what was drawn
                exact[o] -= value * floats(view, leader)[o]
                exact[o, action] += value
    assert gradient_error(view, Answers.MEMOIZED, Queries.VISIBLE, exact) < DEVIATIONS


def test_decisions_give_the_gradient_over_answers_and_deeds_if_queries_are_flagged():
    view = iterated("modified_prisoners_dilemma", rounds=3)
    plans, leader = list(leaders.leader_policies(view)), uneven(view)
    table = floats(view, leader)
    rows = np.arange(len(table))
    exact = np.zeros((2 * len(table), 2))
    for answered in plans:
        follower = leaders.follower_response(view, answered).policy
        for done in plans:
            weight = float(chance(leader, answered)) / 2 ** len(table)
            value = weight * float(leaders.leader_returns(view, done, follower)[0])
            exact -= value * np.concatenate([table, np.full_like(table, 0.5)])
            exact[rows, answered.actions] += value
            exact[rows + len(table), done.actions] += value
    assert gradient_error(view, Answers.MEMOIZED, Queries.FLAGGED, exact) < DEVIATIONS
    other = np.concatenate([exact[len(table) :], exact[: len(table)]])
    assert gradient_error(view, Answers.MEMOIZED, Queries.FLAGGED, other) > 20


@pytest.mark.parametrize("name", ["prisoners_dilemma", "hero", "modified_prisoners_dilemma"])
def test_decisions_give_the_gradient_with_the_follower_fixed_if_queries_are_hidden(name):
    view = iterated(name, rounds=3)
    leader = uneven(view)
    exact = logits(
        leaders.leader_gradient(view, leader, leaders.follower_response(view, leader).policy)
    )
    assert gradient_error(view, Answers.FRESH, Queries.HIDDEN, exact) < DEVIATIONS
    visible = logits(
        leaders.queried_gradient(view, leader, lambda p: leaders.follower_response(view, p).policy)
    )
    assert gradient_error(view, Answers.FRESH, Queries.HIDDEN, visible) > 20


def test_held_answers_are_what_is_played():
    _, encounter = held(iterated("chicken"), Answers.MEMOIZED, Queries.VISIBLE, count=200)
    plans = encounter.offer.plans[np.arange(200)[:, None], encounter.episodes.seen]
    assert np.array_equal(plans, encounter.episodes.leader)


def test_fresh_draws_differ_from_the_answers_now_and_then():
    _, encounter = held(iterated("chicken"), Answers.FRESH, Queries.VISIBLE, count=200)
    plans = encounter.offer.plans[np.arange(200)[:, None], encounter.episodes.seen]
    assert (plans != encounter.episodes.leader).mean() > 0.3


def test_queries_count_as_environment_steps_unless_hidden():
    view = iterated("chicken")
    steps = [
        held(view, Answers.MEMOIZED, own, count=20)[1].steps
        for own in (Queries.VISIBLE, Queries.HIDDEN)
    ]
    assert steps == [20 * (5 + 10), 20 * 10]


def test_each_first_use_is_one_decision_if_queries_are_hidden_and_answers_held():
    _, encounter = held(iterated("chicken"), Answers.MEMOIZED, Queries.HIDDEN, count=100)
    seen = encounter.episodes.seen
    first_uses = sum(len(set(row.tolist()) - {-1}) for row in seen)
    decisions = encounter.decisions(1.0)
    assert len(decisions.observations) == first_uses < seen.size
    rewards = encounter.episodes.rewards[:, :, 0]
    assert decisions.credits.max() <= rewards.sum(axis=1).max() + 30  # from here on, not before
