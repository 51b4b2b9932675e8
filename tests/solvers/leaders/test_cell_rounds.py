"""Searches over cells of mixed actions that are divided: the same for any number of workers."""

from contextlib import ExitStack
from types import SimpleNamespace
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


def test_workers_split_copies_also_in_this_process():
    game, take = catalog.RepeatedGame.of("prisoners_dilemma", rounds=3), cell_rounds._take
    taken = []

    def checked(search, place, found):
        assert search.nodes[place].split is None
        assert found.nodes[0] is not search.nodes[place]
        taken.append(place)
        take(search, place, found)

    with divided(alone=2), patch.object(cell_rounds, "_take", checked):
        solved(game, iterations=8, tolerance=1e-3, jobs=1)
    assert taken


def test_what_a_worker_found_is_kept():
    cells = [SimpleNamespace(children=(), name=name) for name in "abc"]
    search = SimpleNamespace(
        nodes=[SimpleNamespace(children=(1, 2)), None, cells[0]],
        heap=[(-3.0, 2)],
        polisher=SimpleNamespace(tried={b"x": 2}),
        keep_better=(best := []).append,
    )
    root = SimpleNamespace(children=(1, 2))
    part = cell_rounds._Part(
        [root, *cells[1:]], [(-4.0, 2), (-2.0, 0)], "good", {b"x": 1, b"y": 5}, 1
    )
    cell_rounds._take(search, 1, part)
    assert search.nodes[1:] == [root, cells[0], *cells[1:]]
    assert root.children == (3, 4)
    assert sorted(search.heap) == [(-4.0, 4), (-3.0, 2), (-2.0, 1)]
    assert best == ["good"]
    assert search.polisher.tried == {b"x": 2, b"y": 5}


@pytest.mark.parametrize("jobs", [0, -2, True, 1.5, "2"])
def test_other_numbers_of_workers_are_refused(jobs):
    game = catalog.RepeatedGame.of("prisoners_dilemma", rounds=2)
    with pytest.raises(InvalidArgument, match="stochastic_markov_stackelberg: needs .*job"):
        solved(game, iterations=1, jobs=jobs)
