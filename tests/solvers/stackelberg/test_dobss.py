"""The mixed-integer program proposes optimal responses: proofs find nothing better."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import BayesianGame
from solvers import Budget, bayesian_stackelberg
from solvers.solution import Meter
from solvers.stackelberg import BayesianMethod
from solvers.stackelberg.bayesian import proposed_responses
from solvers.stackelberg.bayesian_problem import bayesian_problem, best_pure_commitment
from solvers.stackelberg.response_search import settle_responses


def unlimited():
    return Meter(Budget(), "linear programs")


@pytest.mark.parametrize("seed", range(6))
def test_proposal_is_optimal(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(2, 5, 4)
    own, others = ([rng.integers(-50, 51, (4, n)).tolist() for n in counts] for _ in range(2))
    game = BayesianGame.from_payoffs(own, others, prior=[Fraction(1, 4)] * 4)
    problem = bayesian_problem(game)
    start = best_pure_commitment(problem)
    best = bayesian_stackelberg(game, method=BayesianMethod.MULTIPLE_LINEAR_PROGRAMS).payoffs[0]
    proposal = proposed_responses(problem, start, meter=unlimited())
    assert proposal is not None or start.value == best
    if proposal is not None:
        found, _ = settle_responses(problem, proposal, start, meter=unlimited())
        assert found.value == best


def test_nothing_is_proposed_where_nothing_better_is_known():
    game = BayesianGame.from_payoffs([[[3, 3]]], [[[0, 1]]], prior=[1])
    problem = bayesian_problem(game)
    assert proposed_responses(problem, best_pure_commitment(problem), meter=unlimited()) is None


def test_nothing_is_proposed_without_time():
    game = BayesianGame.from_payoffs([[[2, 4], [1, 3]]], [[[1, 0], [0, 1]]], prior=[1])
    problem = bayesian_problem(game)
    spent = Meter(Budget(iterations=0), "linear programs")
    assert proposed_responses(problem, best_pure_commitment(problem), meter=spent) is None
