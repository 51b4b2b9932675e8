"""Wilson 1971: almost every finite game has a finite and odd number of equilibria.

For bimatrix games the exceptions are degenerate games. Checked on random games with large rational
payoffs, filtered by the definition of degeneracy on the vertices themselves; in rationals, so
without tolerance.

Why it matters (equilibria): Complete lists of equilibria of generic bimatrix games have odd length,
which checks an enumeration from outside.
"""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame
from solvers import UNLIMITED, vertex_enumeration
from solvers.bimatrix.best_response_polytopes import best_response_polytopes
from solvers.bimatrix.vertices import traverse_in_integers
from solvers.solution import Meter
from tests.sample_sizes import many

theorem = pytest.mark.theorem(
    source="Wilson 1971", statement="A nondegenerate bimatrix game has an odd number of equilibria."
)


def is_nondegenerate(game):
    """No vertex of a best-response polytope has more tight labels than the polytope dimensions."""
    return all(
        labels.bit_count() == len(polytope.own_labels)
        for polytope in best_response_polytopes(game)
        for labels in traverse_in_integers(
            polytope, Meter(UNLIMITED, "vertices")
        ).table.labels.tolist()
    )


@st.composite
def bimatrix_games(draw):
    m, n = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    payoffs = st.integers(-1000, 1000)
    tables = st.lists(st.lists(payoffs, min_size=n, max_size=n), min_size=m, max_size=m)
    return NormalFormGame.bimatrix(draw(tables), draw(tables))


@theorem
@many
@given(bimatrix_games())
def test_nondegenerate_games_have_an_odd_number_of_equilibria(game):
    assume(is_nondegenerate(game))
    assert len(vertex_enumeration(game).equilibria) % 2 == 1


@theorem
def test_degenerate_twin_has_two_extreme_equilibria():
    """The column player is indifferent in one row: two equilibria, both pure, and all between."""
    game = NormalFormGame.bimatrix([[1, 1], [0, 0]], [[1, 1], [0, 0]])
    assert not is_nondegenerate(game)
    assert len(vertex_enumeration(game).equilibria) == 2


@theorem
def test_degenerate_twin_can_be_finite_and_even():
    """Two isolated equilibria, one of them in weakly dominated actions (Myerson 1978)."""
    game = NormalFormGame.bimatrix([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    assert not is_nondegenerate(game)
    assert len(vertex_enumeration(game).equilibria) == 2
