"""Gerstgrasser and Parkes 2023, theorem 2 and section 4, with the library's tabular learners.

The leader learns by playing; the follower is told how the leader plays each episode and responds
best at once (``RespondingFollower``), or asks in play (``leader_problem``). What one update does is
proved elsewhere; here whole learners run, over batches, with stated seeds. A leader *retaliates*
whose greedy policy is C after the other's C, and D after D.

Why it matters (followers): It ties the theory of single updates to whole runs of the learners that
users call.
"""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import learners
from gametheory_core import NormalFormGame
from gametheory_core.catalog import Shown, iterated_game
from gametheory_core.leaders import FollowerClass, leader_problem, leader_view
from learners.leaders import RespondingFollower
from solvers.leaders import contextual_queries
from tests.learners.tabular.textbook import Recorded
from tests.theorems.modified_dilemma import AFTER_C, AFTER_D, FOLLOWER, LEADER, dilemma

SOURCE = "Gerstgrasser and Parkes 2023, theorem 2"
HORIZON = 10
C, D = 0, 1
TIMED, STATIONARY = FollowerClass.TIME_AWARE, FollowerClass.STATIONARY
noise = pytest.mark.theorem(
    source=SOURCE,
    statement="A leader who learns under parameter noise, queries hidden, never retaliates.",
)
greedy = pytest.mark.theorem(
    source=SOURCE,
    statement="From zeros an epsilon-greedy Q-learner learns to retaliate and never stops.",
)
visible = pytest.mark.theorem(
    source="Gerstgrasser and Parkes 2023, section 4",
    statement="With queries in play, learners find retaliation that hidden queries keep from them.",
)


@cache
def shifted_dilemma(shift, discount):
    """The modified prisoner's dilemma, with the leader's rewards moved up."""
    if not shift:
        return dilemma(HORIZON, discount)
    stage = NormalFormGame.bimatrix(
        [[Fraction(x) + shift for x in row] for row in LEADER],
        [list(row) for row in FOLLOWER],
        actions=(("C", "D"), ("C", "D")),
    )
    game = iterated_game(stage, rounds=HORIZON, discount=discount, memory=Shown.OTHERS)
    return leader_view(game)


def hidden(learner_kind, view, *, seed, follower=STATIONARY, batch=1, **options):
    """A learner whose follower responds at once, unseen."""
    play = RespondingFollower(
        view, episodes=batch, rng=np.random.default_rng(seed), follower_class=follower
    )
    learner = learner_kind(play, rng=np.random.default_rng(seed), **options)
    play.respond_to(learner.played)
    return learner


@cache
def problem(follower):
    view = dilemma(HORIZON)
    return leader_problem(view, contextual_queries(view, follower_class=follower)).target


def queried(learner_kind, *, seed, follower, batch, **options):
    """A learner whose follower asks about everything in play, then responds."""
    play = learners.batched(problem(follower), episodes=batch, seed=seed)
    return learner_kind(play, rng=np.random.default_rng(seed), **options)


def retaliates(learner):
    values = learner.values()
    return values[AFTER_C, C] >= values[AFTER_C, D] and values[AFTER_D, D] > values[AFTER_D, C]


RETALIATION = {0: np.array([[0.0, -1.0], [0.0, -9.0], [-90.0, 9.0]])}


def some_table(seed):
    return {0: np.random.default_rng(seed).uniform(-50, 10, size=(3, 2))}


@noise
@pytest.mark.parametrize("shift", [0, Fraction(3, 2)])
@pytest.mark.parametrize("batch", [1, 4])
@pytest.mark.parametrize("first", [0.0, 5.0, -60.0, RETALIATION, some_table(1), some_table(2)])
def test_noisy_q_learners_never_retaliate(first, batch, shift):
    """From any start, the one that retaliates included; the gap is 1, the limits are the exact."""
    discount = Fraction(9, 10)
    view = shifted_dilemma(shift, discount)
    learner = hidden(
        learners.QLearning,
        view,
        seed=11,
        batch=batch,
        initial=first,
        step_size=0.5,
        exploration=learners.ParameterNoise(0.2),
        at_horizon=learners.AtHorizon.CONTINUES,
        iteration=learners.Episodes(250 * batch),
    )
    learner.improve()
    cooperate = float((shift - 2) / (1 - discount))
    assert np.allclose(learner.values()[AFTER_D], [cooperate, cooperate - 1], atol=1e-6)


@noise
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("first", [0.0, -40.0])
def test_noisy_monte_carlo_never_retaliates(first, seed):
    """Returns after a defection are -2 a step or -3, the same in each episode: means are exact."""
    learner = hidden(
        learners.MonteCarloControl,
        dilemma(HORIZON),
        seed=seed,
        initial=first,
        exploration=learners.ParameterNoise(0.3),
        iteration=learners.Episodes(60),
    )
    learner.improve()
    mean_steps_left = sum(range(1, HORIZON)) / (HORIZON - 1)
    expected = [-2 * mean_steps_left, -3 * mean_steps_left]
    assert np.allclose(learner.values()[AFTER_D], expected, rtol=1e-12)


@greedy
@pytest.mark.parametrize("epsilon", [0.05, 0.1, 0.3])
@pytest.mark.parametrize("at_horizon", learners.AtHorizon)
def test_zeros_learn_to_retaliate_and_never_stop(epsilon, at_horizon):
    """Seeds 0 to 3. It is absorbing: D is never seen again, so nothing there is relearned."""
    for seed in range(4):
        learner = hidden(
            learners.QLearning,
            dilemma(HORIZON, Fraction(19, 20)),
            seed=seed,
            exploration=learners.EpsilonGreedy(epsilon),
            at_horizon=at_horizon,
            iteration=learners.Episodes(1),
        )
        kept = None
        for _ in range(80):
            learner.improve()
            if kept is None and retaliates(learner):
                kept = learner.values()[AFTER_D].tolist()
            if kept is not None:
                assert retaliates(learner)
                assert learner.values()[AFTER_D].tolist() == kept
        assert kept is not None


@greedy
def test_pessimistic_twin_keeps_the_first_habit():
    """From far below, what is done first after a defection stays: C, unless exploring made it D.

    Seeds 0 to 9, of which two explore there at once, as one in twenty does.
    """
    found = []
    for seed in range(10):
        view = dilemma(HORIZON, Fraction(9, 10))
        record = Recorded(
            RespondingFollower(
                view, episodes=1, rng=np.random.default_rng(seed), follower_class=STATIONARY
            )
        )
        learner = learners.QLearning(
            record,
            rng=np.random.default_rng(seed),
            initial=-60.0,
            exploration=learners.EpsilonGreedy(0.1),
            at_horizon=learners.AtHorizon.CONTINUES,
            iteration=learners.Episodes(150),
        )
        record.respond_to(learner.played)
        learner.improve()
        seen = [int(turn.observations[0, 0]) for turn in record.turns[:-1]]
        habit = record.actions[seen.index(AFTER_D)][0, 0]
        found.append(bool(retaliates(learner)))
        assert found[-1] == (habit == D)
    assert sum(found) == 2


def monte_carlo(make, first, seed, **options):
    learner = make(
        learners.MonteCarloControl,
        seed=seed,
        follower=TIMED,
        batch=16,
        initial=first,
        step_size=0.02,
        exploration=learners.EpsilonGreedy(0.1),
        iteration=learners.Episodes(800),
        **options,
    )
    learner.improve()
    return learner


@visible
def test_monte_carlo_control_retaliates_where_queries_are_in_play():
    """From zeros, seeds 0 to 9: all with queries in play, none with hidden ones."""
    for seed in range(10):
        assert retaliates(monte_carlo(queried, 0.0, seed))
        assert not retaliates(monte_carlo(hidden, 0.0, seed, view=dilemma(HORIZON)))


@visible
def test_low_start_twin_retaliates_without_queries_too():
    """Hidden queries do not fail by themselves: from -40 some seeds of ten come to retaliate."""
    found = [retaliates(monte_carlo(hidden, -40.0, s, view=dilemma(HORIZON))) for s in range(10)]
    assert True in found
    assert False in found


@visible
@pytest.mark.parametrize("follower", [STATIONARY, TIMED])
def test_one_step_learners_mostly_retaliate(follower):
    """Q-learning on the leader's problem, seeds 0 and 1: more often than not, but not for good.

    Query and play look alike, so that values of one are learned from the other; no theorem holds
    for that. Measured: 75% to 97% of the last 250 of 500 episodes.
    """
    for seed in range(2):
        learner = queried(
            learners.QLearning,
            seed=seed,
            follower=follower,
            batch=1,
            exploration=learners.EpsilonGreedy(0.1),
            iteration=learners.Episodes(1),
        )
        found = []
        for _ in range(500):
            learner.improve()
            found.append(retaliates(learner))
        assert 0.5 < np.mean(found[250:]) < 1
