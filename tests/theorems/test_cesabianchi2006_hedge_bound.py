"""Cesa-Bianchi and Lugosi 2006, theorem 2.3: Hedge with rate sqrt(8 ln n / t) has little regret.

With payoffs in [0, 1], regret after ``T`` steps is at most ``2 sqrt(T ln n / 2) + sqrt(ln n / 8)``,
for every ``T`` and every sequence. Floats, since the rule needs exponentials: tolerance 1e-9.

Why it matters (regret): The rate of Hedge can be fixed without knowing how long play lasts, and the
regret is still known in advance.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame
from solvers.dynamics import hedge
from solvers.local_rules import Hedge
from tests.sample_sizes import examples

theorem = pytest.mark.theorem(
    source="Cesa-Bianchi and Lugosi 2006, theorem 2.3",
    statement="Hedge with rate sqrt(8 ln n / t) has regret at most 2 sqrt(T ln n / 2) + "
    "sqrt(ln n / 8) for payoffs in [0, 1]",
)


def regret_of(rule, choose, count, steps):
    memory, strategy = np.zeros(count), np.full(count, 1 / count)
    regrets = np.zeros(count)
    for step in range(steps):
        payoffs = np.asarray(choose(step, strategy), dtype=float)
        regrets += payoffs - payoffs @ strategy
        memory = rule.remember(memory, payoffs, strategy)
        # the rate of the next step, as the theorem has it
        strategy = rule.strategy(memory, strategy, step + 2)
    return regrets.max()


def bound(count, steps):
    return 2 * math.sqrt(steps * math.log(count) / 2) + math.sqrt(math.log(count) / 8)


@theorem
@given(st.integers(2, 5), st.integers(1, 60), st.integers(0, 10**6))
def test_regret_is_bounded_on_random_sequences(count, steps, seed):
    payoffs = np.random.default_rng(seed).choice([0.0, 1.0], (steps, count))
    rule = Hedge(math.sqrt(8 * math.log(count)))
    found = regret_of(rule, lambda step, _: payoffs[step], count, steps)
    assert found <= bound(count, steps) + 1e-9


@theorem
@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize("steps", [10, 200])
def test_regret_is_bounded_against_a_spiteful_opponent(count, steps):
    rule = Hedge(math.sqrt(8 * math.log(count)))
    found = regret_of(rule, lambda _, p: np.arange(count) == np.argmin(p), count, steps)
    assert found <= bound(count, steps) + 1e-9


@theorem
@examples(15)
@given(st.integers(2, 4), st.integers(1, 300), st.integers(0, 10**6))
def test_certified_regrets_of_hedge_are_bounded(actions, steps, seed):
    """The function itself, in games whose payoffs are in [0, 1]: regrets are exact averages."""
    payoffs = np.random.default_rng(seed).choice([0, 1], (2, actions, actions))
    payoffs[:, 0, 0], payoffs[:, 0, 1] = 0, 1  # so that the span is 1
    play = hedge(NormalFormGame.from_payoffs(payoffs), steps=steps)
    play.coarse_correlated.verify()
    assert max(play.coarse_correlated.regrets) * steps <= bound(actions, steps) + 1e-9


@theorem
def test_twin_too_high_a_rate_breaks_the_bound():
    rule = Hedge(50.0, decay=0.0)
    found = regret_of(rule, lambda _, p: np.arange(2) == np.argmin(p), 2, 200)
    assert found > bound(2, 200)


@theorem
def test_twin_payoffs_outside_the_unit_interval_break_the_bound():
    rule = Hedge(math.sqrt(8 * math.log(2)))
    found = regret_of(rule, lambda _, p: 40.0 * (np.arange(2) == np.argmin(p)), 2, 100)
    assert found > bound(2, 100)
