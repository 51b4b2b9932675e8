"""Reverse search: each vertex once, all equilibria, exact in doubt, cut and split at will."""

import json
from dataclasses import asdict, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NormalFormGame, NotConverged
from gametheory_core.strategies import MixedProfile
from solvers import Budget, support_enumeration, vertex_enumeration
from solvers.bimatrix import EnumerationState, reverse_traversal, vertices
from solvers.bimatrix import reverse_search as driver
from solvers.bimatrix.best_response_polytopes import best_response_polytopes, strategy_of
from solvers.bimatrix.reverse_search import begun, go_on, is_degenerate, pairs_found, state_of
from solvers.bimatrix.reverse_traversal import estimated_size
from solvers.bimatrix.vertices import traverse_in_integers
from solvers.solution import UNLIMITED, Meter
from tests.sample_sizes import many

RICH = st.fractions(min_value=-9, max_value=9, max_denominator=12)
POOR = st.sampled_from([-1, 0, 1])
FLOATS = st.floats(-1, 1, allow_subnormal=False)
NEARLY_TIED = st.sampled_from([0, 1, 1 + Fraction(1, 10**14), 1 - Fraction(1, 10**40), 2])
SCALED = st.builds(lambda m, e: m * Fraction(10) ** e, st.integers(-99, 99), st.integers(-30, 30))


@st.composite
def bimatrix_games(draw, payoffs, largest=5):
    m, n = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    tables = st.lists(st.lists(payoffs, min_size=n, max_size=n), min_size=m, max_size=m)
    return NormalFormGame.bimatrix(draw(tables), draw(tables))


def meter(budget=UNLIMITED, on_iteration=None):
    return Meter(budget, "vertices", on_iteration)


def searched(game, *, floats=True, jobs=1):
    search = begun(best_response_polytopes(game), None)
    if not floats:
        search.matrix[:] = np.nan  # nothing follows from these
    go_on(search, meter(), jobs=jobs)
    return search


def profiles(search):
    pairs = pairs_found(search, meter())
    found = [MixedProfile((strategy_of(x), strategy_of(y))) for x, y in pairs]
    assert len(set(found)) == len(found)
    return set(found)


def extreme(game):
    return {solution.profile for solution in support_enumeration(game).equilibria}


def same_profiles(game, floats):
    # what reductions take away is there again in ``extreme``
    return profiles(searched(game, floats=floats)) == extreme(game)


@many
@pytest.mark.parametrize("floats", [True, False])
@given(st.one_of(*map(bimatrix_games, (RICH, POOR, FLOATS, NEARLY_TIED, SCALED))))
def test_the_extreme_equilibria_of_any_game_are_found(floats, game):
    assert same_profiles(game, floats)


def test_edges_that_are_equally_steep_are_told_apart(monkeypatch):
    """With one cost for all actions, symmetric games tie everywhere, drawn ones now and then."""
    monkeypatch.setattr(reverse_traversal, "SPREAD", 0)
    rng = np.random.default_rng(6)
    drawn = [rng.integers(0, 4, (2, 5, 5)) for _ in range(20)]
    for payoffs in ([np.eye(n, dtype=int)] * 2 for n in range(2, 7)), drawn:
        for both in payoffs:
            game = NormalFormGame.from_payoffs(np.array(both))
            for floats in (True, False):
                search, known = searched(game, floats=floats), meter()
                traverse_in_integers(search.polytope, known)
                assert search.visited == known.iterations
                assert profiles(search) == extreme(game)


@pytest.mark.parametrize(("shape", "spread"), [((10, 10), 10**6), ((7, 14), 99), ((4, 60), 10**9)])
def test_floats_judge_large_games_and_their_vertices_are_those_of_integers(shape, spread):
    game = NormalFormGame.from_payoffs(
        np.random.default_rng(11).integers(-spread, spread, (2, *shape))
    )
    search = searched(game)
    known = meter()
    traverse_in_integers(search.polytope, known)
    assert search.visited == known.iterations > 50
    assert search.judged_exactly < search.visited / 100
    assert not is_degenerate(search)


def test_many_ties_are_noticed():
    game = NormalFormGame.from_payoffs(np.random.default_rng(3).integers(0, 2, (2, 9, 9)))
    search = begun(best_response_polytopes(game), None)
    go_on(search, meter(), is_patient=False)
    assert is_degenerate(search)
    assert search.left


LARGE = NormalFormGame.from_payoffs(np.random.default_rng(8).integers(-500, 500, (2, 11, 11)))
TIED = NormalFormGame.from_payoffs(np.random.default_rng(4).integers(0, 4, (2, 8, 8)))


@pytest.fixture(scope="module")
def found():
    return vertex_enumeration(LARGE)


def test_large_games_are_searched_in_reverse(found):
    assert "reverse search" in found.evidence
    assert found.is_complete
    assert {s.profile for s in found.equilibria} == profiles(searched(LARGE))
    assert all(s.certificate.epsilon == 0 for s in found.equilibria)


@pytest.mark.parametrize("game", [LARGE, TIED], ids=["simple", "degenerate"])
def test_an_interrupted_search_goes_on_from_its_state(game, monkeypatch):
    monkeypatch.setattr(vertices, "WORTH_LOADING", 1)
    monkeypatch.setattr(vertices, "zero_sum_payoffs", lambda _: None)
    state, visited = None, []
    for size in (1, 70, 3, 200, 1, 500, 10**6):
        try:
            answer = vertex_enumeration(game, state=state, budget=Budget(iterations=size))
            break
        except NotConverged as error:
            state = EnumerationState(**json.loads(json.dumps(asdict(error.state))))
            visited.append((state.visited, error.best.is_complete))
    assert visited == sorted(visited)
    assert not any(is_complete for _, is_complete in visited)
    assert len(visited) >= 3
    assert answer.is_complete
    answer.completeness.verify()
    plain = vertex_enumeration(game)
    assert {s.profile for s in answer.equilibria} == {s.profile for s in plain.equilibria}


def test_wherever_a_search_is_cut_its_parts_are_the_whole():
    whole = searched(TIED)
    for step in (1, 2, 7, 31):
        search = begun(best_response_polytopes(TIED), None)
        while search.left:
            go_on(search, meter(Budget(iterations=step)))
            search = begun(best_response_polytopes(TIED), state_of(search))
        assert search.visited == whole.visited
        assert sorted(search.found) == sorted(whole.found)


def test_threads_find_the_same(found):
    search = searched(LARGE, jobs=3)
    assert search.visited == searched(LARGE).visited
    split = vertex_enumeration(LARGE, jobs=2)
    assert [s.profile for s in split.equilibria] == [s.profile for s in found.equilibria]


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_what_was_done(found, monkeypatch, jobs):
    monkeypatch.setattr(driver, "BATCH", 50)

    def interrupted(progress):
        if progress.done > 400:
            raise KeyboardInterrupt

    with pytest.raises(NotConverged, match="it was interrupted with .*others are left") as caught:
        vertex_enumeration(LARGE, on_iteration=interrupted, jobs=jobs)
    state = caught.value.state
    assert state.visited >= 400
    answer = vertex_enumeration(LARGE, state=state)
    assert [s.profile for s in answer.equilibria] == [s.profile for s in found.equilibria]


def test_progress_estimates_how_many_vertices_there_are():
    """Within a factor of three of the truth, for games of each size, and never without reason."""
    for size in (9, 11, 13):
        payoffs = np.random.default_rng(size).integers(-(10**6), 10**6, (2, size, size))
        search = begun(best_response_polytopes(NormalFormGame.from_payoffs(payoffs)), None)
        seen = []
        go_on(search, meter(on_iteration=seen.append))
        assert search.visited / 3 < seen[-1].total < 3 * search.visited
    assert estimated_size(begun(best_response_polytopes(TIED), None)) is None


@pytest.mark.parametrize("change", ["swapped", "another"])
def test_state_of_another_game_is_refused(change):
    with pytest.raises(NotConverged, match="the budget ended with") as caught:
        vertex_enumeration(LARGE, budget=Budget(iterations=10))
    state = caught.value.state
    if change == "another":
        state = replace(state, game="0" * 32)
        game = LARGE
    else:
        game = NormalFormGame.bimatrix(*reversed(LARGE.given_payoffs))
    with pytest.raises(InvalidArgument, match="needs the state of a search for this game's"):
        vertex_enumeration(game, state=state)


def test_memory_does_not_grow_with_the_vertices():
    search = begun(best_response_polytopes(LARGE), None)
    go_on(search, meter())
    assert search.visited > 1_500
    assert len(search.found) < 100
    assert not search.left
