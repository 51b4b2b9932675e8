"""Gerstgrasser and Parkes 2023, theorem 2: REINFORCE against a follower who responds unseen.

A pair of learners from one half everywhere, batches of 32 episodes of ten rounds, step 0.02, 600
iterations. Against a hidden, unrestricted best response, cooperation after a defection comes to be
certain and the leader is exploited; with queries in play the same learner finds tit-for-tat. Seeds
are fixed, so that outcomes are, too; how surely either happens is not claimed here.

Why it matters (followers): The gap between hidden and visible queries is large enough that learners
show it within minutes.
"""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import leaders
from gametheory_core.distributions import point_mass
from learners import TabularReinforce, batched
from learners.advantages import returns_to_go
from learners.gradients import Baseline, reinforce_gradient, softmax_policy
from learners.gradients.learner import play_episodes
from learners.gradients.updates import Samples
from solvers.leaders import contextual_queries
from tests.theorems.modified_dilemma import dilemma

SOURCE = "Gerstgrasser and Parkes 2023, theorem 2"
hidden = pytest.mark.theorem(
    source=SOURCE,
    statement="From one half, REINFORCE against hidden best responses unlearns retaliation.",
)
visible = pytest.mark.theorem(
    source="Gerstgrasser and Parkes 2023, theorem 1",
    statement="From one half, REINFORCE with queries in play learns tit-for-tat.",
)
OBSERVATIONS = ((), (("C",),), (("D",),))
EPISODES, STEP, ITERATIONS, ROUNDS = 32, 0.02, 600, 10


class Decided:
    """Asks nothing: the follower's policy stands."""

    def __init__(self, policy):
        self.policy = policy

    def start(self):
        return point_mass("decided")

    def query(self, state):
        return leaders.HALT

    def answer(self, state, action):
        raise AssertionError

    def follower_policy(self, state):
        return self.policy


def exact_leader(table):
    """The leader whose probabilities of D are those of a table, in rationals."""
    chances = [Fraction(p).limit_denominator(10**6) for p in table[:, 1].tolist()]
    return leaders.StochasticLeader(tuple((1 - p, p) for p in chances))


def hidden_run(seed, *, start=(0.0, 0.0, 0.0)):
    """Return the probabilities of D over time, against the exact response to each iterate."""
    view, rng = dilemma(ROUNDS), np.random.default_rng(seed)
    logits = np.stack([np.zeros(3), np.array(start)], axis=1)
    legal = np.ones((3, 2), dtype=bool)
    plays, path = {}, []
    for _ in range(ITERATIONS):
        table = softmax_policy(logits, legal)
        path.append(table[:, 1])
        follower = leaders.follower_response(view, exact_leader(table)).policy
        if follower not in plays:
            problem = leaders.leader_problem(view, Decided(follower)).target
            plays[follower] = batched(problem, episodes=EPISODES, seed=seed)
        met = plays[follower].observation_labels[0]  # some are never seen against a constant
        rows = np.array([OBSERVATIONS.index(label) for label in met])
        rollout = play_episodes(plays[follower], [table[rows]], rng=rng)
        worths = returns_to_go(rollout.rewards[:, :, 0], discount=1.0)
        seen = rows[rollout.observations.ravel()]
        samples = Samples(seen, rollout.actions.ravel(), worths.ravel())
        logits = logits + STEP * reinforce_gradient(table, samples, episodes=EPISODES)
    return np.array(path)


def visible_run(seed, baseline):
    view = dilemma(ROUNDS)
    problem = leaders.leader_problem(view, contextual_queries(view)).target
    play = batched(problem, episodes=EPISODES, seed=seed)
    assert play.observation_labels[0] == OBSERVATIONS
    learner = TabularReinforce(
        play, step_size=STEP, baseline=baseline, rng=np.random.default_rng(seed)
    )
    for _ in range(ITERATIONS):
        learner.improve()
    return learner.table()


@hidden
@visible  # its twin: without queries in play
@pytest.mark.parametrize("seed", [0, 1])
def test_hidden_responses_unlearn_retaliation(seed):
    path = hidden_run(seed)
    assert path[0].tolist() == [0.5, 0.5, 0.5]
    assert path[-1][2] < 0.05
    assert 0.3 < path[-1][1] < 0.7  # never met, never learned
    returns = leaders.follower_response(
        dilemma(ROUNDS), exact_leader(np.stack([1 - path[-1], path[-1]], 1))
    )
    assert returns.returns[0] < -2 * ROUNDS + 1


@hidden
def test_good_start_twin_keeps_tit_for_tat():
    """Where the follower cooperates from the start, hidden responses do no harm."""
    path = hidden_run(0, start=(0.0, -2.0, 2.0))
    assert path[-1][2] == pytest.approx(path[0][2], abs=1e-12)
    assert path[-1][1] < 0.02
    returns = leaders.follower_response(
        dilemma(ROUNDS), exact_leader(np.stack([1 - path[-1], path[-1]], 1))
    )
    assert returns.returns[0] > -2.5


@visible
@pytest.mark.parametrize(
    ("seed", "baseline"), [(0, Baseline.NONE), (1, Baseline.OBSERVATION), (2, Baseline.NONE)]
)
def test_queries_in_play_teach_tit_for_tat(seed, baseline):
    table = visible_run(seed, baseline)
    assert table[1, 1] < 0.02
    assert table[2, 1] > 0.98
    view = dilemma(ROUNDS)
    exact = leaders.queried_gradient(
        view, exact_leader(table), lambda plan: leaders.follower_response(view, plan).policy
    )
    assert exact.value > Fraction(-5, 2)
    greedy = leaders.follower_response(
        view, leaders.DeterministicLeader(tuple(table.argmax(axis=1).tolist()))
    )
    assert greedy.returns[0] == -2
