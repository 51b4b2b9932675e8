"""The plain simplex method: exact on integers, and a square of the matrix says how it got there."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame
from solvers import Budget, minimax
from solvers.zero_sum import matrix_vertex
from solvers.zero_sum.matrix_vertex import solve_packing
from tests.sample_sizes import examples


@st.composite
def positive_tables(draw):
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    entry = st.integers(1, draw(st.sampled_from([2, 4, 1000, 2**70])))
    row = st.lists(entry, min_size=columns, max_size=columns)
    return draw(st.lists(row, min_size=rows, max_size=rows))


@examples(300)
@given(positive_tables())
def test_both_strategies_guarantee_the_value(table):
    found = solve_packing(table, limit=1000)
    x, y = found.row_weights, found.column_weights
    assert min(x + y) >= 0
    assert sum(x) == sum(y) == found.total > 0
    columns = list(zip(*table, strict=True))
    assert min(sum(a * b for a, b in zip(own, x, strict=True)) for own in columns) == found.unit
    assert max(sum(a * b for a, b in zip(own, y, strict=True)) for own in table) == found.unit
    assert len(found.rows) == len(found.columns) > 0


@examples(100)
@given(positive_tables())
def test_the_rule_that_cannot_cycle_ends_at_the_same_value(table):
    expected = solve_packing(table, limit=1000)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_entering", "_leaving"):
            rule = getattr(matrix_vertex, name)
            patch.setattr(matrix_vertex, name, partial(without_patience, rule))
        found = solve_packing(table, limit=1000)
    assert Fraction(found.unit, found.total) == Fraction(expected.unit, expected.total)


def without_patience(rule, *arguments, patient):
    """Bland's rule from the start."""
    return rule(*arguments, patient=patient and False)


@examples(100)
@given(positive_tables())
def test_stated_certificates_verify(table):
    solution = minimax(NormalFormGame.zero_sum(table))
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.payoffs == (solution.certificate.lower, -solution.certificate.lower)


def test_pivots_are_limited():
    table = np.random.default_rng(0).integers(1, 99, (6, 6)).tolist()
    assert solve_packing(table, limit=0) is None
    pivots = solve_packing(table, limit=100).pivots
    assert solve_packing(table, limit=pivots - 1) is None
    assert solve_packing(table, limit=pivots).pivots == pivots


def test_constant_sums_are_kept_apart_from_the_value():
    game = NormalFormGame.bimatrix([[3, 1], [0, 2]], [[4, 6], [7, 5]])
    solution = minimax(game, budget=Budget(iterations=50))
    solution.certificate.verify()
    assert sum(solution.payoffs) == 7
