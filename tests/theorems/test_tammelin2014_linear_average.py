"""Tammelin 2014: regret matching+ has small regret also where later steps count more.

On every sequence of payoffs, with ``Q`` the memory of regret matching+ and ``r`` the regrets of
single steps, ``sum of t r[t] <= T Q[T]`` for every action, and the squares of ``Q[T]`` add up to at
most those of all ``r[t]``. In trees of two players and zero sum, the linear average of regret
matching+ at every information set therefore leaves at most ``2 / (T + 1)`` times the largest
memories, added up, to gain. In rationals, after every step, on generated trees; moves at once.
Twin: plain regret matching breaks the first inequality.

Why it matters (counterfactual): CFR+ may weigh late iterations more, which is what makes its
averages good so soon.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import certify_nash
from gametheory_core.distributions import ZERO
from gametheory_core.strategies import RealizationPlan, behavioral_profile
from gametheory_core.testing import extensive_form_games, rationals
from solvers.counterfactual import UpdateOrder
from solvers.local_rules import RegretMatching, RegretMatchingPlus
from tests.solvers.counterfactual.regret_reference import Reference

theorem = pytest.mark.theorem(
    source="Tammelin 2014",
    statement="The linearly weighted regret of regret matching+ is at most the number of steps "
    "times its memory, so that linear averages converge.",
)


def run(rule, payoffs):
    """Return the memory, the linearly weighted regrets, and the squares of all regrets added."""
    count = len(payoffs[0])
    strategy = np.array([Fraction(1, count)] * count, dtype=object)
    memory, weighted, squares = 0 * strategy, 0 * strategy, ZERO
    for step, paid in enumerate(payoffs, start=1):
        earned = np.array(paid, dtype=object)
        regrets = earned - earned @ strategy
        weighted, squares = weighted + step * regrets, squares + regrets @ regrets
        memory = rule.remember(memory, earned, strategy)
        strategy = rule.strategy(memory, strategy, step)
    return memory, weighted, squares


@theorem
@given(st.integers(1, 3), st.data())
def test_weighted_regrets_are_at_most_the_memory_times_the_steps(count, data):
    row = st.lists(rationals(low=-3, high=3), min_size=count, max_size=count)
    payoffs = data.draw(st.lists(row, min_size=1, max_size=5))
    memory, weighted, squares = run(RegretMatchingPlus(), payoffs)
    assert np.all(weighted <= len(payoffs) * memory)
    assert memory @ memory <= squares


@theorem
@given(extensive_form_games(zero_sum=True, max_moves=7))
def test_linear_averages_leave_no_more_to_gain_than_memories_say(tree):
    reference = Reference(tree, RegretMatchingPlus(), UpdateOrder.SIMULTANEOUS, power=1)
    for steps in range(1, 6):
        reference.step()
        weight = Fraction(steps * (steps + 1), 2)
        plans = [RealizationPlan(i, own / weight) for i, own in enumerate(reference.totals)]
        found = certify_nash(tree, behavioral_profile(reference.form, tuple(plans)))
        memories = sum((max(own) for own in reference.memory), ZERO)
        assert sum(found.deviation_gains) <= steps * memories / weight


@theorem
def test_plain_regret_matching_breaks_the_inequality():
    """Twin: what was lost early hides what is regretted late, which counts more."""
    payoffs = [(0, 4), (4, 0)]
    memory, weighted, _ = run(RegretMatching(), payoffs)
    assert weighted[0] > len(payoffs) * max(memory[0], ZERO)
    kept, weighted_plus, _ = run(RegretMatchingPlus(), payoffs)
    assert weighted_plus[0] <= len(payoffs) * kept[0]
