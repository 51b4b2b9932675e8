"""Commitment in trees: the payoff is that of the published mixed-integer program, by HiGHS."""

import numpy as np
import pytest

from gametheory_core.catalog import random_tree
from solvers import extensive_stackelberg
from tests.benchmarks.tree_commitment_program import payoff_by_program

pytestmark = pytest.mark.peer


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize("seed", range(12))
def test_payoff_is_that_of_the_mixed_integer_program(seed, leader):
    game = random_tree(rng=np.random.default_rng(seed), depth=3 + seed % 3)
    ours = extensive_stackelberg(game, leader=leader)
    theirs = payoff_by_program(game, leader=leader)
    assert float(ours.payoffs[leader]) == pytest.approx(theirs, abs=1e-5)
