"""Van Hasselt 2010: the maximum of noisy values is too high on average; two tables are not.

One step, two actions, each paying 1 or -1 with even odds: both are worth 0. After ``T`` uniform
draws the larger of two means is above 0 by a number that is computed exactly. What double
Q-learning would bootstrap from, the other table's value of the first one's best action, is 0 on
average.

Why it matters (learning): The overestimation of Q-learning is no matter of tuning: it is there from
the first maximum on, and has a remedy.
"""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from learners import DoubleQLearning, EpsilonGreedy, PerVisit, QLearning, Steps, batched
from tests.learners.tabular.small_games import NoisyChoice

STEPS, RUNS = 6, 400
theorem = pytest.mark.theorem(
    source="van Hasselt 2010",
    statement="Q-learning bootstraps from values that are too high on average, double Q does not.",
)


def law_of_mean(visits):
    """The mean of so many payments; 0, the first value, if there are none."""
    if not visits:
        return {Fraction(0): Fraction(1)}
    return {
        Fraction(2 * won - visits, visits): Fraction(comb(visits, won), 2**visits)
        for won in range(visits + 1)
    }


def expected_maximum(steps):
    total = Fraction(0)
    for first in range(steps + 1):
        chance = Fraction(comb(steps, first), 2**steps)
        for x, p in law_of_mean(first).items():
            for y, q in law_of_mean(steps - first).items():
                total += chance * p * q * max(x, y)
    return total


def bootstrapped(kind, seed):
    """What a learner would take the state to be worth after a few steps of uniform play."""
    learner = kind(
        batched(NoisyChoice(), episodes=1, seed=seed),
        rng=np.random.default_rng(seed),
        step_size=PerVisit(),
        exploration=EpsilonGreedy(1.0),
        iteration=Steps(STEPS),
    )
    learner.improve()
    tables = learner.snapshot()["rule"]["tables"][0]["values"][:, 0]
    return tables[-1][np.argmax(tables[0])]


@theorem
def test_double_q_learning_removes_the_bias():
    """400 runs each: five standard errors of numbers from -1 to 1 are at most 1/4."""
    exact = expected_maximum(STEPS)
    assert exact > Fraction(1, 3)
    single = np.mean([bootstrapped(QLearning, seed) for seed in range(RUNS)])
    double = np.mean([bootstrapped(DoubleQLearning, seed) for seed in range(RUNS)])
    error = 5 / np.sqrt(RUNS)
    assert abs(single - exact) < error
    assert abs(double) < error
    assert single - double > error


@theorem
def test_one_action_twin_has_no_bias():
    """Where there is nothing to choose, a mean is a mean."""
    assert sum(p * x for x, p in law_of_mean(STEPS).items()) == 0
    assert expected_maximum(0) == 0
