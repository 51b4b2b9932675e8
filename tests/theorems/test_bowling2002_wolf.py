"""Bowling and Veloso 2002: hill climbers who learn fast while losing settle; others circle.

The paper proves it for exact gradients in games with two actions each. Here both players learn by
playing matching pennies, beginning with values that favor one action; the core says exactly what a
deviation would gain. It is measured, with seeds, and no limit is promised.

Why it matters (learning): Greedy learners circle in matching pennies for ever; two paces of
learning are the smallest change that settles them.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.catalog import RepeatedGame
from gametheory_core.evaluation import policy_nash_conv, return_gains
from learners import Exponential, QLearning, Steps, WolfPHC, batched
from tests.sample_sizes import examples

PENNIES = RepeatedGame.of("matching_pennies", rounds=1, recall=0)
EPISODES, STEPS, ITERATIONS = 8, 100, 60
theorem = pytest.mark.theorem(
    source="Bowling and Veloso 2002",
    statement="In matching pennies WoLF-PHC comes near equilibrium; one pace for all circles.",
)


def gains(kind, seed, **options):
    """What deviations gain in all, after each iteration."""
    learner = kind(
        batched(PENNIES, episodes=EPISODES, seed=seed),
        rng=np.random.default_rng(seed),
        initial={i: np.array([[1.0, 0.0]]) for i in (0, 1)},
        iteration=Steps(STEPS),
        **options,
    )
    found = []
    for _ in range(ITERATIONS):
        learner.improve()
        found.append(policy_nash_conv(PENNIES, learner.policies()))
    return found, learner


def climbing(ratio, seed):
    ends = np.array([0.004, 0.00004])
    length = STEPS * ITERATIONS
    return gains(
        WolfPHC,
        seed,
        winning=Exponential(*ends, length),
        losing=Exponential(*(ratio * ends), length),
        exploration=0.1,
    )


@theorem
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_wolf_comes_near_equilibrium(seed):
    found, learner = climbing(4, seed)
    assert max(found[-ITERATIONS // 4 :]) < 0.15
    average = return_gains(PENNIES, learner.average_policies())
    assert max(average) < 0.1


@theorem
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_one_pace_twin_stays_away(seed):
    """With one pace, gains of more than 1/2 recur, of 2 at most."""
    found, _ = climbing(1, seed)
    assert min(max(found[k : k + 15]) for k in range(0, ITERATIONS, 15)) > 0.5


@theorem
def test_greedy_twin_never_comes_near():
    """Q-learners play pure policies: one of them could always gain 2."""
    found, _ = gains(QLearning, 0)
    assert set(found) == {2}


@theorem
@examples(20)
@given(st.integers(0, 1000), st.floats(0.001, 0.05), st.floats(1, 5))
def test_policy_moves_by_the_pace_of_its_luck(seed, winning, ratio):
    """One update moves the policy by one of two paces, the fast one if losing as they define it."""
    learner = WolfPHC(
        batched(PENNIES, episodes=1, seed=seed),
        rng=np.random.default_rng(seed),
        winning=winning,
        losing=min(1.0, ratio * winning),
        iteration=Steps(1),
        learns=(0,),
    )
    rng = np.random.default_rng(seed)
    for _ in range(int(rng.integers(1, 60))):
        learner.improve()
    before = learner.snapshot()["rule"]["held"][0]
    metrics = learner.improve()
    after = learner.snapshot()["rule"]["held"][0]
    policy, average = after["policy"][0], after["average"][0]
    count = after["counts"][0]
    expected = before["average"][0] + (before["policy"][0] - before["average"][0]) / count
    assert np.allclose(average, expected)
    values = after["values"][0]
    is_winning = before["policy"][0] @ values > average @ values
    assert metrics["winning/" + PENNIES.players[0]] == is_winning
    pace = winning if is_winning else min(1.0, ratio * winning)
    best = int(np.argmax(values))
    moved = min(pace, before["policy"][0][1 - best])
    assert policy[best] - before["policy"][0][best] == pytest.approx(moved, abs=1e-12)
