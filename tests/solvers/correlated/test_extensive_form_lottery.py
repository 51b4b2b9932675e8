"""Lotteries of plans: the search for a supported profile stays short."""

import numpy as np
import pytest

from gametheory_core import pure_behavior
from gametheory_core.catalog import random_tree
from gametheory_core.strategies import behavioral_mixture, correlation_plan
from solvers.correlated import extensive_form_lottery
from solvers.correlated.extensive_form_lottery import lottery_of_plan


def nothing():
    """Count nothing."""


@pytest.mark.parametrize(
    ("seed", "most"),
    [
        (2388, 25),  # 85 if places that others come before were not put off
        (2655, 45),  # 71 if choices that leave the other player none were not dropped at once
    ],
)
def test_profiles_are_found_without_long_searches(monkeypatch, seed, most):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng=rng, depth=int(rng.integers(3, 7)), max_actions=3)
    counts = [len(s.actions) for s in tree.infosets[: tree.num_decision_infosets]]
    profiles = [
        pure_behavior(tree, [int(rng.integers(n)) for n in counts])
        for _ in range(int(rng.integers(2, 9)))
    ]
    plan = correlation_plan(tree, behavioral_mixture(profiles))
    monkeypatch.setattr(extensive_form_lottery, "MOST_STEPS", most)
    lottery = lottery_of_plan(plan.pairs, plan.weights, tick=nothing)
    assert correlation_plan(tree, lottery).weights.tolist() == plan.weights.tolist()
