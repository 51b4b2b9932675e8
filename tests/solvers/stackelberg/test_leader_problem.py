"""Multipliers from floats: rounded to the nearest, they prove almost what the program says."""

from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.certificates.extensive_stackelberg_bounds import reply_bound
from gametheory_core.testing import extensive_form_games
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import solve_float
from solvers.stackelberg import response_search
from solvers.stackelberg.bayesian_problem import (
    OPEN,
    Relaxation,
    bayesian_problem,
    response_program,
)
from solvers.stackelberg.extensive_commitment import checked_problem
from solvers.stackelberg.extensive_problem import case_program
from solvers.stackelberg.extensive_replies import rounded_multipliers
from solvers.stackelberg.leader_problem import rounded_count
from tests.solvers.stackelberg.leader_games import bayesian_games

WEIGHTS = st.floats(0, 1e9) | st.integers(0, 1000).map(lambda n: n / 8)
HAIR = Fraction(1, 10**6)  # of the leader's span


@given(WEIGHTS, st.integers(-90, 40))
def test_multipliers_are_rounded_to_the_nearest_multiple(value, exponent):
    exact = Fraction(value) / Fraction(2) ** exponent
    assert rounded_count(value, exponent) == floor(exact + Fraction(1, 2))


@pytest.mark.parametrize("relaxation", Relaxation)
@given(game=bayesian_games())
def test_bounds_of_types_are_near_their_programs(game, relaxation):
    problem = bayesian_problem(game)
    responses = (OPEN,) * len(problem.own)
    least = min(int(table.min()) for table in problem.own) * len(problem.own)
    written = response_program(problem, responses, relaxation, floor=least)
    estimate = solve_float(written.program)
    optimum = solve_exactly(written.program, estimate.basis).value / problem.own_scale
    multipliers = response_search._rounded(problem, written, estimate.dual)
    bound = response_search._bound(problem, responses, multipliers)
    assert optimum <= bound <= optimum + HAIR * Fraction(problem.own_span, problem.own_scale)


@given(extensive_form_games(num_players=(2, 2), max_moves=8), st.sampled_from([0, 1]))
def test_bounds_of_trees_are_near_their_programs(game, leader):
    problem = checked_problem(game, leader)
    scale = problem.payoffs.own_scale
    written = case_program(problem, {}, floor=floor(game.terminal_payoffs.min()) * scale)
    estimate = solve_float(written.for_floats)
    optimum = Fraction(solve_exactly(written.program, estimate.basis).value) / scale
    leaf = rounded_multipliers(problem, written, estimate.dual)
    bound = reply_bound(problem.payoffs, {}, leaf)
    assert optimum <= bound <= optimum + HAIR * max(1, problem.own_span / scale)
