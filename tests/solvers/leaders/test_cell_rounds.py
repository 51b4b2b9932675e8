"""Searches over cells of mixed actions that are divided: the same for any number of workers."""

from contextlib import ExitStack
from unittest.mock import patch

import joblib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NotConverged, catalog, leaders
from solvers import Budget
from solvers.leaders import cell_rounds, stochastic_markov_stackelberg
from tests.sample_sizes import examples

SMALL = {"max_states": 2, "max_observations": 2, "max_horizon": 2}


def divided(alone=1, parts=3, at_once=2):
    """Let also short searches be divided."""
    stack = ExitStack()
    for name, value in (("ALONE", alone), ("PARTS", parts), ("AT_ONCE", at_once)):
        stack.enter_context(patch.object(cell_rounds, name, value))
    return stack


def solved(game, *, iterations, **options):
    try:
        return stochastic_markov_stackelberg(game, budget=Budget(None, iterations), **options)
    except NotConverged as error:
        return error.best


def same(one, other):
    return one.certificate == other.certificate and one.run.iterations == other.run.iterations


@examples(8)
@given(leaders.leader_games(**SMALL), st.integers(0, 12))
def test_the_number_of_workers_changes_nothing(view, iterations):
    with divided():
        alone = solved(view, iterations=iterations, jobs=1)
        with joblib.parallel_config("threading"):
            for jobs in (2, 7):
                assert same(solved(view, iterations=iterations, jobs=jobs), alone)
    alone.certificate.verify()
    assert alone.run.iterations <= iterations


def test_processes_change_nothing_and_the_gap_is_as_small():
    game = catalog.RepeatedGame.of("prisoners_dilemma", rounds=3)
    with divided(alone=3, at_once=3):
        alone = solved(game, iterations=12, tolerance=1e-3, jobs=1)
        assert alone.run.iterations > 3
        assert same(solved(game, iterations=12, tolerance=1e-3, jobs=2), alone)
    alone.certificate.verify()


@pytest.mark.parametrize("jobs", [0, -2, True, 1.5, "2"])
def test_other_numbers_of_workers_are_refused(jobs):
    game = catalog.RepeatedGame.of("prisoners_dilemma", rounds=2)
    with pytest.raises(InvalidArgument, match="stochastic_markov_stackelberg: needs .*job"):
        solved(game, iterations=1, jobs=jobs)
