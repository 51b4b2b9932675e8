"""Watkins and Dayan 1992: tabular Q-learning converges to optimal values.

Its reason is that updates contract: two tables that learn from one sequence never get farther
apart. That is tested exactly on generated games. That the limit is optimal is tested on random
decision problems that end by rules or by a horizon: the learned policy's value is the optimum, both
computed by the core in rationals.

Why it matters (learning): It is the promise that values learned from play alone become right.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import learners
from gametheory_core import expected_returns, uniform_policies
from gametheory_core.catalog import RepeatedGame, matching_pennies
from gametheory_core.evaluation import best_response_returns
from tests.learners.tabular.small_games import RandomDecisions

contraction = pytest.mark.theorem(
    source="Watkins and Dayan 1992",
    statement="Two Q-tables that learn from one sequence of moves never get farther apart.",
)
limit = pytest.mark.theorem(
    source="Watkins and Dayan 1992",
    statement="Q-learning finds optimal policies of decision problems, whatever is played.",
)


def tables_after(first, game, *, steps, **options):
    """Learn from uniform play that is the same for every start."""
    play = learners.batched(game, episodes=2, seed=4)
    learner = learners.QLearning(
        play,
        rng=np.random.default_rng(4),
        initial={0: first},
        exploration=learners.EpsilonGreedy(1.0),
        iteration=learners.Steps(steps),
        **options,
    )
    learner.improve()
    visits = learner.snapshot()["rule"]["tables"][0]["visits"][0]
    return learner.values(0), visits


def two_starts(game, seed):
    play = learners.batched(game, episodes=1, seed=1)
    shape = (play.num_observations[0], play.num_actions[0])
    return np.random.default_rng(seed).uniform(-20, 20, size=(2, *shape))


@contraction
@given(
    st.integers(0, 10**6),
    st.floats(0.05, 1),
    st.floats(0, 0.95),
    st.integers(1, 40),
    st.sampled_from(learners.AtHorizon),
)
def test_updates_contract(seed, step_size, discount, steps, at_horizon):
    """The largest difference never grows, and shrinks once every cell that counts was updated."""
    game = RandomDecisions(seed % 50)
    starts = two_starts(game, seed)
    options = {"step_size": step_size, "discount": discount, "at_horizon": at_horizon}
    found = [tables_after(own, game, steps=steps, **options) for own in starts]
    before = np.abs(starts[0] - starts[1]).max()
    apart = np.abs(found[0][0] - found[1][0])
    assert apart.max() <= before + 1e-9
    updated = found[0][1] > 0
    assert (apart[updated] <= (1 - step_size * (1 - discount)) * before + 1e-9).all()
    assert np.array_equal(found[0][1], found[1][1])


@contraction
def test_no_discount_twin_does_not_contract():
    """Where play goes on for ever undiscounted, a difference stays as it is."""
    game = RepeatedGame(matching_pennies(), rounds=1, recall=0)
    options = {"step_size": 0.5, "discount": 1.0, "at_horizon": learners.AtHorizon.CONTINUES}
    found = []
    for first in (0.0, 8.0):
        learner = learners.QLearning(
            learners.batched(game, episodes=1, seed=4),
            rng=np.random.default_rng(4),
            initial={0: np.full((1, 2), first)},
            exploration=learners.EpsilonGreedy(1.0),
            iteration=learners.Steps(200),
            **options,
        )
        learner.improve()
        found.append(learner.values(0))
    assert np.allclose(found[1] - found[0], 8.0)


UNIFORM = learners.EpsilonGreedy(1.0)
FADING = learners.EpsilonGreedy(learners.Linear(1.0, 0.0, 900))


@limit
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (learners.QLearning, {"exploration": UNIFORM}),
        (learners.DoubleQLearning, {"exploration": UNIFORM}),
        (learners.Sarsa, {"exploration": FADING}),
        (learners.Sarsa, {"exploration": FADING, "expected": True}),
        (learners.MonteCarloControl, {"exploration": FADING}),
    ],
)
def test_learned_policies_are_optimal(kind, options):
    """Seeds 0 to 2. On-policy learners explore less and less; for them this is no theorem."""
    for seed in range(3):
        game = RandomDecisions(seed, horizon=3 + seed % 2)
        learner = kind(
            learners.batched(game, episodes=16, seed=seed, sees=learners.Sees.TIMED),
            rng=np.random.default_rng(seed),
            step_size=learners.PerVisit(0.8),
            iteration=learners.Steps(1200),
            **options,
        )
        learner.improve()
        best = best_response_returns(game, uniform_policies(game))[0]
        assert expected_returns(game, learner.policies())[0] == best
        assert expected_returns(game, uniform_policies(game))[0] < best


@limit
def test_hidden_time_twin_is_not_optimal():
    """Where a learner does not see the time that matters, the policy found need not be optimal."""
    lost = 0
    for seed in range(8):
        game = RandomDecisions(seed, horizon=3 + seed % 2)
        learner = learners.QLearning(
            learners.batched(game, episodes=16, seed=seed, sees=learners.Sees.LAST),
            rng=np.random.default_rng(seed),
            step_size=learners.PerVisit(0.8),
            iteration=learners.Steps(400),
            exploration=UNIFORM,
        )
        learner.improve()
        best = best_response_returns(game, uniform_policies(game))[0]
        lost += expected_returns(game, learner.policies())[0] < best
    assert lost > 0
