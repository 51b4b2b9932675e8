"""Commitments are optimal, and proved so, whatever float solves say."""

from functools import partial

import numpy as np
import pytest

from gametheory_core import BayesianGame, NormalFormGame
from gametheory_core.catalog import random_tree
from solvers import (
    bayesian_stackelberg,
    correlated_commitment,
    extensive_correlated_commitment,
    extensive_stackelberg,
    pure_followers_stackelberg,
    strong_stackelberg,
)
from solvers.stackelberg import BayesianMethod
from tests.solvers.stackelberg.leader_games import earned
from tests.solvers.useless_floats import USELESS, float_solves


def table(rng, counts):
    return NormalFormGame.from_payoffs(rng.integers(0, 9, (len(counts), *counts)))


def typed(rng):
    own, others = rng.integers(0, 9, (2, 3, 4, 3)).tolist()
    return BayesianGame.from_payoffs(own, others, prior=["1/2", "1/3", "1/6"])


def tree(rng):
    return random_tree(rng=rng, depth=4)


def with_dominant_answers(rng):
    """Followers with an action that is likely to be dominant: a pure equilibrium exists."""
    payoffs = rng.integers(0, 9, (3, 4, 3, 3))
    payoffs[1, :, 0] += 5
    payoffs[2, :, :, 1] += 5
    return NormalFormGame.from_payoffs(payoffs)


@USELESS
@pytest.mark.parametrize(
    ("solver", "drawn"),
    [
        (strong_stackelberg, partial(table, counts=(4, 5))),
        (correlated_commitment, partial(table, counts=(3, 3, 2))),
        (pure_followers_stackelberg, with_dominant_answers),
        *((partial(bayesian_stackelberg, method=method), typed) for method in BayesianMethod),
        (extensive_stackelberg, tree),
        (extensive_correlated_commitment, tree),
    ],
)
def test_value_does_not_rest_on_floats(solver, drawn, useless):
    for seed in range(5):
        game = drawn(np.random.default_rng(seed))
        expected = earned(solver(game))
        with float_solves(useless):
            assert earned(solver(game)) == expected
