"""Avis and Fukuda 1992: the steps of a simplex method, walked backwards, visit each vertex once.

On best-response polytopes put in general position by infinitesimals, every vertex is visited once,
in floats and in integers, and as often as edges lead there when they are followed forwards. Twin:
without infinitesimals a vertex at which many labels are tight is visited once for each basis; one
basis stands for it.

Why it matters (equilibria): Vertices can be listed without keeping a list of those already seen, so
that memory does not bound how many equilibria are found.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame
from solvers.bimatrix.best_response_polytopes import best_response_polytopes
from solvers.bimatrix.reverse_search import begun, go_on
from solvers.bimatrix.vertices import traverse_in_integers
from solvers.solution import UNLIMITED, Meter
from tests.sample_sizes import many

theorem = pytest.mark.theorem(
    source="Avis and Fukuda 1992",
    statement="Reverse search visits every vertex of a polytope in general position once.",
)
RICH = st.fractions(min_value=-9, max_value=9, max_denominator=12)
POOR = st.sampled_from([-1, 0, 1])
NEARLY_TIED = st.sampled_from([0, 1, 1 + Fraction(1, 10**14), 1 - Fraction(1, 10**40), 2])


@st.composite
def bimatrix_games(draw, payoffs):
    m, n = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    tables = st.lists(st.lists(payoffs, min_size=n, max_size=n), min_size=m, max_size=m)
    return NormalFormGame.bimatrix(draw(tables), draw(tables))


def searched(game, *, floats=True):
    search = begun(best_response_polytopes(game), None)
    if not floats:
        search.matrix[:] = np.nan  # nothing follows from these
    go_on(search, Meter(UNLIMITED, "vertices"))
    return search


@theorem
@many
@given(st.one_of(*map(bimatrix_games, (RICH, POOR, NEARLY_TIED))))
def test_each_vertex_is_visited_once(game):
    in_floats, exactly = searched(game), searched(game, floats=False)
    forwards = Meter(UNLIMITED, "vertices")
    table = traverse_in_integers(in_floats.polytope, forwards).table
    assert in_floats.visited == exactly.visited == exactly.judged_exactly == forwards.iterations
    assert len(set(exactly.found)) == len(exactly.found) == len(table.labels)
    assert set(in_floats.found) <= set(exactly.found)


@theorem
def test_without_infinitesimals_a_vertex_is_visited_for_each_of_its_bases():
    """Twin: wherever the first action is played alone, both replies are best."""
    game = NormalFormGame.bimatrix([[1, 0], [0, 1]], [[1, 1], [1, 0]])
    search = searched(game, floats=False)
    assert len(search.found) + 1 < search.visited  # 1 for the origin, which is no strategy
