"""The lexicographic rule does what real infinitesimals would, in Python integers and in words."""

from fractions import Fraction
from math import lcm

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solvers import UNLIMITED
from solvers.bimatrix.best_response_polytopes import (
    BestResponsePolytope,
    leaving_row,
    origin,
    pivot,
)
from solvers.bimatrix.vertices import traverse_in_integers
from solvers.bimatrix.word_traversal import traverse_in_words
from solvers.solution import Meter
from tests.sample_sizes import many

EPSILON = Fraction(1, 10**9)  # far below any ratio of minors of these matrices


@st.composite
def matrices(draw):
    replies, actions = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    row = st.lists(st.integers(0, 2), min_size=actions, max_size=actions)
    rows = draw(st.lists(row, min_size=replies, max_size=replies))
    lift = [0 if any(column) else 1 for column in zip(*rows, strict=True)]
    return [[a + b for a, b in zip(row, lift, strict=True)] for row in rows]


def polytope_of(rows):
    replies, actions = len(rows), len(rows[0])
    matrix = np.array(rows, dtype=object)
    return BestResponsePolytope(matrix, range(actions), range(actions, actions + replies))


def perturbed(rows):
    """``{z : M z <= 1 + epsilon**k}``, scaled to right-hand sides 1 and integers."""
    divided = [[value / (1 + EPSILON ** (k + 1)) for value in row] for k, row in enumerate(rows)]
    scale = lcm(*(value.denominator for row in divided for value in row))
    return polytope_of([[int(value * scale) for value in row] for row in divided])


def visited(traverse, polytope):
    meter = Meter(UNLIMITED, "vertices")
    assert traverse(polytope, meter).is_complete
    return meter.iterations


@many
@given(matrices())
def test_bases_visited_are_the_vertices_of_the_perturbed_polytope(rows):
    expected = visited(traverse_in_integers, perturbed(rows))
    assert visited(traverse_in_integers, polytope_of(rows)) == expected
    assert visited(traverse_in_words, polytope_of(rows)) == expected


@given(matrices(), st.randoms(use_true_random=False))
def test_pivots_choose_the_rows_of_the_perturbed_polytope(rows, random):
    plain, shifted = origin(polytope_of(rows)), origin(perturbed(rows))
    for _ in range(8):
        column = random.randrange(len(plain.nonbasic))
        row = leaving_row(plain, column=column)
        assert row == leaving_row(shifted, column=column)
        plain = pivot(plain, row=row, column=column)
        shifted = pivot(shifted, row=row, column=column)


def test_pivot_there_and_back_is_the_identity():
    start = origin(polytope_of([[2, 1, 0], [1, 3, 1], [0, 1, 2]]))
    there = pivot(start, row=1, column=1)
    assert there.basic != start.basic
    assert pivot(there, row=1, column=1) == start
