"""Searches over response functions that are divided: the same for any number of workers."""

from contextlib import ExitStack
from unittest.mock import patch

import joblib
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from solvers import Budget, bayesian_stackelberg
from solvers.solution import Meter
from solvers.stackelberg import BayesianMethod, response_search
from solvers.stackelberg.bayesian_problem import Relaxation, bayesian_problem, best_pure_commitment
from solvers.stackelberg.response_search import search_responses
from tests.solvers.stackelberg.leader_games import bayesian_games, earned
from tests.solvers.stackelberg.test_bayesian import random_game
from tests.solvers.test_workers import two_workers_of_dask

MULTIPLE = BayesianMethod.MULTIPLE_LINEAR_PROGRAMS


def divided(alone=1, parts=3, at_once=2):
    """Let also short searches be divided."""
    stack = ExitStack()
    for name, value in (("ALONE", alone), ("PARTS", parts), ("AT_ONCE", at_once)):
        stack.enter_context(patch.object(response_search, name, value))
    return stack


def solved(game, **options):
    try:
        return bayesian_stackelberg(game, **options)
    except gt.NotConverged as error:
        return error.best


def same(one, other):
    return one.certificate == other.certificate and one.run.iterations == other.run.iterations


@given(bayesian_games(most_types=4, largest=4), st.sampled_from(BayesianMethod))
def test_the_number_of_workers_changes_nothing(game, method):
    whole = solved(game, method=method)
    with divided():
        alone = solved(game, method=method, jobs=1)
        with joblib.parallel_config("threading"):
            for jobs in (2, 7):
                assert same(solved(game, method=method, jobs=jobs), alone)
    alone.certificate.verify()
    assert alone.certificate.epsilon == 0
    assert earned(alone) == earned(whole)


@pytest.mark.parametrize("seed", range(6))
def test_the_best_commitment_of_all_parts_is_kept(seed):
    """Nothing is guessed, so that parts find better commitments one after another."""
    game = random_game(seed, 4, 4, 3)
    problem, meter = bayesian_problem(game), Meter(Budget(), "programs")
    start = best_pure_commitment(problem)
    with divided(at_once=20), patch.object(response_search, "_try"):
        search = search_responses(problem, start, Relaxation.LOOSE, meter=meter)
    assert search.best.value == earned(solved(game))


def test_processes_and_machines_change_nothing():
    game = random_game(1, 8, 3, 3)
    whole = solved(game, method=MULTIPLE)
    with divided(alone=8, at_once=10):
        alone = solved(game, method=MULTIPLE, jobs=1)
        assert alone.run.iterations > 40  # several rounds
        assert same(solved(game, method=MULTIPLE, jobs=2), alone)
        with two_workers_of_dask():
            assert same(solved(game, method=MULTIPLE), alone)
    assert earned(alone) == earned(whole)


@given(bayesian_games(most_types=4, largest=4), st.integers(0, 30))
def test_a_budget_ends_a_divided_search_with_bounds_that_hold(game, iterations):
    best = solved(game, method=MULTIPLE)
    with divided():
        found = solved(game, method=MULTIPLE, budget=Budget(iterations=iterations), jobs=1)
    found.certificate.verify()
    assert found.run.iterations <= iterations
    assert found.payoffs[0] <= earned(best) <= found.payoffs[0] + found.certificate.epsilon


@pytest.mark.parametrize("jobs", [0, -2, True, 1.5, "2"])
def test_other_numbers_of_workers_are_refused(jobs):
    with pytest.raises(gt.InvalidArgument, match="bayesian_stackelberg: needs .*job"):
        solved(gt.load_game("house_patrol"), jobs=jobs)
