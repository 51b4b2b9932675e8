"""Programs in integers stay readable for the float solver, however large the integers are."""

import numpy as np

from gametheory_core.games.normal_form import NormalFormGame
from solvers._programs.linear import FloatOutcome, solve_float
from solvers.stackelberg.exact_regions import _interior_program
from solvers.stackelberg.leader_problem import leader_problem


def test_interior_program_of_float_payoffs_is_bounded_in_floats():
    """A column of ones beside integers of twenty digits would be lost in rounding."""
    rng = np.random.default_rng(0)
    problem = leader_problem(NormalFormGame.from_payoffs(rng.standard_normal((2, 12, 12))), 0)
    estimate = solve_float(_interior_program(problem, 0, list(range(1, 12))))
    assert estimate.outcome is FloatOutcome.OPTIMAL
