"""Mean dynamics climb the exact gradient; and what a leader earns on the way may mislead him."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NormalFormGame
from gametheory_core.catalog import Shown, iterated_game
from gametheory_core.conversions import normal_to_posg
from gametheory_core.leaders import FollowerClass, leader_policies, leader_view
from learners.gradients import softmax_policy
from learners.leaders import (
    Answers,
    ContextualQOptions,
    Fitness,
    InnerLoopQOptions,
    LeaderEvolutionOptions,
    MeanDynamicsOptions,
    MetaStackelberg,
    Queries,
    Stage,
    judge_commitment,
)
from learners.leaders.meta_stackelberg import follower_on
from learners.leaders.offers import Offer
from tests.learners.leaders.led_games import iterated, trained
from tests.sample_sizes import examples

STEP = 1e-5  # of central differences


def chancy_view(rng):
    """A game of three rounds whose payoffs are random, and whose states are drawn at first."""
    payoffs = rng.integers(-4, 5, size=(2, 2, 2))
    game = NormalFormGame.bimatrix(*(own.tolist() for own in payoffs))
    return leader_view(iterated_game(game, rounds=3, memory=Shown.ALL))


def returns(stage, situations, leader, logits):
    """What both expect, summed over everything that may happen, one history after another."""
    view, tables = stage.view, stage.tables
    policy = softmax_policy(logits, situations.legal)
    total = np.zeros(2)

    def walk(step, state, chance, paid):
        nonlocal total
        if step == view.horizon or view.leader_observation[state] < 0:
            total = total + chance * paid
            return
        seen = view.leader_observation[state]
        own = policy[situations.numbers[step, state]]
        for a, led in enumerate(leader[seen]):
            for b, followed in enumerate(own):
                moves = np.diff(tables.moves[state, a, b], prepend=0.0)
                for way, move in enumerate(moves):
                    weight = chance * led * followed * move
                    if weight > 0:
                        following = tables.successor[state, a, b, way]
                        walk(step + 1, following, weight, paid + tables.rewards[state, a, b])

    for state, first in enumerate(np.diff(tables.first, prepend=0.0)):
        if first > 0:
            walk(0, state, first, np.zeros(2))
    return total


def offered(stage, probabilities, answers=Answers.FRESH):
    """Leaders with mixed actions, one episode each."""
    count = len(probabilities)
    plans = np.zeros((count, len(stage.leader_legal)), dtype=np.int64)
    return Offer(plans, probabilities, np.arange(count), answers, Queries.HIDDEN)


@examples(15)
@pytest.mark.parametrize("follower_class", FollowerClass)
@given(seed=st.integers(0, 2**32))
def test_a_step_is_the_gradient_of_her_expected_return(follower_class, seed):
    rng = np.random.default_rng(seed)
    stage = Stage(chancy_view(rng))
    options = MeanDynamicsOptions(steps=1, step_size=0.5, follower_class=follower_class)
    follower = follower_on(stage, options)
    leader = rng.dirichlet(np.ones(2), size=(1, len(stage.leader_legal)))
    legal, situations = follower.situations.legal, follower.situations
    gradient = np.zeros(legal.shape)
    for place in zip(*np.nonzero(legal), strict=True):
        change = np.zeros(legal.shape)
        change[place] = STEP
        high, low = (returns(stage, situations, leader[0], sign * change)[1] for sign in (1, -1))
        gradient[place] = (high - low) / (2 * STEP)
    response = follower.respond(offered(stage, leader), rng)
    expected = softmax_policy(0.5 * gradient, legal)
    assert np.allclose(response.strategies[0], expected, atol=1e-7)
    start = returns(stage, situations, leader[0], np.zeros(legal.shape))
    assert np.allclose(response.earned, start[0])


def test_what_the_leader_earned_is_the_mean_over_the_policies_that_she_stepped_from():
    rng = np.random.default_rng(3)
    stage = Stage(chancy_view(rng))
    leader = rng.dirichlet(np.ones(2), size=(1, len(stage.leader_legal)))
    after = [
        follower_on(stage, MeanDynamicsOptions(steps=k)).respond(offered(stage, leader), rng)
        for k in (1, 2, 3)
    ]
    means = np.array([own.earned[0] for own in after])
    singles = np.diff(means * [1, 2, 3], prepend=0.0)
    situations = follower_on(stage, MeanDynamicsOptions()).situations
    for single, before in zip(singles[1:], after[:-1], strict=True):
        with np.errstate(divide="ignore"):
            logits = np.log(before.strategies[0])
        assert np.isclose(single, returns(stage, situations, leader[0], logits)[0])


@pytest.mark.parametrize("name", ["prisoners_dilemma", "chicken"])
def test_she_comes_to_best_respond_to_nearly_every_leader(name):
    view = iterated(name)
    follower = follower_on(Stage(view), MeanDynamicsOptions())
    learner = MetaStackelberg(view, follower=MeanDynamicsOptions(), rng=np.random.default_rng(0))
    regrets = [
        judge_commitment(view, learner.response_to(own)).regret_stationary
        for own in leader_policies(view)
    ]
    assert (
        follower.policy(next(iter(leader_policies(view))))
        == learner.response_to(next(iter(leader_policies(view)))).follower
    )
    assert np.mean([regret == 0 for regret in regrets]) >= 0.8
    lazy = MetaStackelberg(
        view, follower=MeanDynamicsOptions(step_size=1e-9), rng=np.random.default_rng(0)
    )
    assert max(
        judge_commitment(view, lazy.response_to(own)).regret_stationary
        for own in leader_policies(view)
    ) >= max(regrets)


SLOW = NormalFormGame.bimatrix([[10, 0], [3, 3]], [[0, "1/10"], [0, 0]])


def chosen(fitness, follower):
    """The row that a leader commits to, who learned by evolution."""
    learner = MetaStackelberg(
        leader_view(normal_to_posg(SLOW).target),
        follower=follower,
        leader=LeaderEvolutionOptions(fitness=fitness, iterations=40),
        rng=np.random.default_rng(1),
    )
    trained(learner)
    return learner.commitment().leader.actions


@pytest.mark.parametrize(
    "follower",
    [MeanDynamicsOptions(steps=30), InnerLoopQOptions(episodes=12, step_size=0.2, exploration=0.8)],
)
def test_earnings_while_she_learns_tempt_a_leader_away_from_the_best_commitment(follower):
    """The first row pays until she has learned that her other column pays a little more."""
    assert chosen(Fitness.LEARNING, follower) == (0,)
    assert chosen(Fitness.PLAY, MeanDynamicsOptions(steps=1000)) == (1,)


def test_a_follower_who_keeps_what_she_learned_tells_no_earnings():
    with pytest.raises(InvalidArgument, match=r"learns anew for each leader.*contextual Q-learn"):
        chosen(Fitness.LEARNING, ContextualQOptions())


def test_each_of_her_steps_counts_as_an_episode():
    learner = MetaStackelberg(
        iterated("hero"),
        follower=MeanDynamicsOptions(steps=7),
        leader=LeaderEvolutionOptions(population=4, episodes=3, fitness=Fitness.LEARNING),
        answers=Answers.FRESH,
        queries=Queries.HIDDEN,
        rng=np.random.default_rng(0),
    )
    learner.improve()
    assert learner.environment_steps == 4 * 7 * 10 + 4 * 3 * 10


def test_held_answers_are_what_she_learns_against():
    stage = Stage(iterated("chicken"))
    follower = follower_on(stage, MeanDynamicsOptions())
    probabilities = np.full((1, *stage.leader_legal.shape), 0.5)
    offer = Offer(
        np.array([[0] * 5, [1] * 5, [0] * 5]),
        probabilities,
        np.zeros(3, dtype=np.int64),
        Answers.MEMOIZED,
        Queries.VISIBLE,
    )
    response = follower.respond(offer, np.random.default_rng(0))
    assert response.rows.tolist() == [0, 1, 0]
    assert response.earned.shape == (3,)
    dove, hawk = response.strategies[:, 0].argmax(axis=1)
    assert dove != hawk  # she does the opposite
