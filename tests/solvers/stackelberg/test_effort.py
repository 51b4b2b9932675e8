"""Bounds, guesses and the order of cases spare linear programs: a known number of them suffices.

Every answer is proved exactly, so that nothing else tells a weak bound from a strong one. The
numbers are those of a family of drawn games, and a tenth.
"""

from functools import partial

import numpy as np
import pytest

from gametheory_core import BayesianGame, NormalFormGame
from gametheory_core.catalog import random_tree
from solvers import (
    bayesian_stackelberg,
    extensive_correlated_commitment,
    extensive_stackelberg,
    strong_stackelberg,
    weak_stackelberg,
)
from solvers.stackelberg import BayesianMethod


def table(rng, size, low, high):
    return NormalFormGame.from_payoffs(rng.integers(low, high, (2, size, size)))


def typed(rng):
    own, others = rng.integers(-50, 51, (2, 4, 5, 4)).tolist()
    return BayesianGame.from_payoffs(own, others, prior=["1/4"] * 4)


def tree(rng):
    return random_tree(rng=rng, depth=5)


WIDE, TIED = partial(table, size=8, low=-50, high=51), partial(table, size=7, low=0, high=3)
TYPED = [(partial(bayesian_stackelberg, method=method), typed) for method in BayesianMethod]


@pytest.mark.parametrize(
    ("solver", "drawn", "games", "programs"),
    [
        (strong_stackelberg, WIDE, 10, 26),
        (weak_stackelberg, WIDE, 10, 45),
        (weak_stackelberg, TIED, 10, 35),
        (*TYPED[0], 6, 163),
        (*TYPED[1], 6, 76),
        (extensive_stackelberg, tree, 25, 82),
        (extensive_correlated_commitment, tree, 25, 90),
    ],
)
def test_few_programs_suffice(solver, drawn, games, programs):
    found = [solver(drawn(np.random.default_rng(seed))) for seed in range(games)]
    assert sum(solution.run.iterations for solution in found) <= programs * 11 // 10
