"""Smaller programs: what is left out is left out, and likes have the optimum of the whole."""

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.catalog import goofspiel, kuhn_poker, leduc_poker
from gametheory_core.strategies import sequence_form
from solvers._programs.exact import multipliers_if_feasible, solve_exactly, vertex_if_feasible
from solvers._programs.linear import Basis, LinearProgram, solve_float
from solvers._programs.reduced import likes, restricted
from solvers.trees.sequence_program import plan_program, sequence_program

INTEGERS = st.integers(-3, 3)


def dense(program):
    """The coefficients as a table of fractions."""
    table = np.full((program.num_rows, program.num_columns), Fraction(0))
    table[program.rows, program.columns] = program.values
    return table


def minimax_program(matrix):
    """``v`` at most, where ``v <= x.M`` in each column, for distributions ``x``; exact."""
    rows, columns = matrix.shape
    table = np.zeros((columns + 1, rows + 1), dtype=object)
    table[:columns, :rows], table[:columns, rows], table[columns, :rows] = -matrix.T, 1, 1
    places = np.nonzero(table)
    return LinearProgram(
        objective=np.array([0] * rows + [1], dtype=object),
        rows=places[0].astype(np.int32),
        columns=places[1].astype(np.int32),
        values=table[places],
        bounds=np.array([0] * columns + [1], dtype=object),
        is_equation=np.arange(columns + 1) == columns,
        is_free=np.arange(rows + 1) == rows,
    )


def check_optimal(program, primal, dual):
    """Both sides satisfy their constraints and have one value, in rationals."""
    table = dense(program)
    slacks = program.bounds - table @ primal
    assert all(slack >= 0 for slack in slacks)
    assert not any(slacks[program.is_equation])
    assert all(x >= 0 for x in primal[~program.is_free])
    costs = program.objective - dual @ table
    assert all(cost <= 0 for cost in costs)
    assert not any(costs[program.is_free])
    assert all(price >= 0 for price in dual[~program.is_equation])
    assert primal @ program.objective == dual @ program.bounds


@st.composite
def matrices(draw, most=4):
    """Payoffs, all small integers."""
    rows, columns = draw(st.integers(1, most)), draw(st.integers(1, most))
    size = rows * columns
    return np.array(draw(st.lists(INTEGERS, min_size=size, max_size=size))).reshape(rows, columns)


@given(matrices(), st.data())
def test_restriction_is_the_block_of_the_table(matrix, data):
    program = minimax_program(matrix)
    rows, columns = (
        np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)), dtype=bool)
        for size in (program.num_rows, program.num_columns)
    )
    found = restricted(program, rows, columns)
    assert np.array_equal(dense(found.program), dense(program)[np.ix_(rows, columns)])
    assert found.rows.tolist() == np.flatnonzero(rows).tolist()
    assert found.columns.tolist() == np.flatnonzero(columns).tolist()
    for name, kept in (("objective", columns), ("is_free", columns), ("bounds", rows)):
        assert getattr(found.program, name).tolist() == getattr(program, name)[kept].tolist()
    assert found.program.is_equation.tolist() == program.is_equation[rows].tolist()


@given(matrices(), st.integers(2, 4), st.integers(2, 4), st.randoms(use_true_random=False))
def test_optimum_of_merged_likes_is_one_of_the_whole(matrix, tall, wide, shuffle):
    """Copies of rows and columns are likes, in whatever order they come."""
    copies = np.kron(np.ones((tall, wide), dtype=int), matrix)
    order = [shuffle.sample(range(size), size) for size in copies.shape]
    program = minimax_program(copies[np.ix_(*order)])
    alike = likes(program)
    assert alike is not None
    smaller = alike.merged(program)
    assert smaller.num_columns <= matrix.shape[0] + 1
    assert smaller.num_rows <= matrix.shape[1] + 1
    found = solve_exactly(smaller, None)
    check_optimal(program, alike.shared(found.primal), alike.spread(found.dual))
    assert found.value == solve_exactly(program, None).value


@pytest.mark.parametrize("build", [leduc_poker, lambda: leduc_poker(ranks=4)])
def test_suits_are_likes_and_the_merged_program_of_a_poker_proves_the_whole(build):
    program = plan_program(sequence_form(build()))
    alike = likes(program)
    smaller = alike.merged(program)
    assert 3 * smaller.num_columns < program.num_columns
    floats = solve_float(smaller)
    found = solve_exactly(smaller, floats.basis)
    check_optimal(program, alike.shared(found.primal), alike.spread(found.dual))


def test_classes_are_numbered_as_they_come_and_hold_what_is_equal():
    program = plan_program(sequence_form(leduc_poker()))
    alike = likes(program)
    for classes in (alike.rows, alike.columns):
        _, first = np.unique(classes, return_index=True)
        assert first.tolist() == sorted(first.tolist())
    assert np.array_equal(alike.of_rows(program.is_equation)[alike.rows], program.is_equation)
    assert np.array_equal(alike.of_columns(program.is_free)[alike.columns], program.is_free)


@pytest.mark.parametrize("build", [kuhn_poker, lambda: goofspiel(cards=3)])
def test_nothing_is_merged_where_too_little_is_alike(build):
    assert likes(plan_program(sequence_form(build()))) is None


@pytest.mark.parametrize("field", ["values", "bounds", "objective", "is_equation", "is_free"])
def test_what_differs_in_one_number_is_not_alike(field):
    """Twelve copies of a matching game; one entry of one of them differs."""
    program = minimax_program(np.kron(np.ones((6, 6), dtype=int), np.array([[1, -1], [-1, 1]])))
    changed = getattr(program, field).copy()
    changed[0] = not changed[0] if changed.dtype == bool else changed[0] + 1
    alike, other = likes(program), likes(replace(program, **{field: changed}))
    assert other is None or max(other.rows) + max(other.columns) > max(alike.rows) + max(
        alike.columns
    )


def test_floats_and_integers_have_the_same_likes():
    program = sequence_program(sequence_form(leduc_poker()))
    exact, floats = likes(program.exact), likes(program.floats)
    assert np.array_equal(exact.rows, floats.rows)
    assert np.array_equal(exact.columns, floats.columns)


@given(matrices())
def test_each_side_of_an_optimal_basis_is_found_alone(matrix):
    program = minimax_program(matrix)
    whole = solve_exactly(program, None)
    primal = vertex_if_feasible(program, whole.basis).fractions()
    dual = multipliers_if_feasible(program, whole.basis).fractions()
    check_optimal(program, primal, dual)


def test_sides_of_wrong_bases_are_refused():
    """Rows 0 and 1 pay (3, 0) and (0, 3): one of them alone guarantees 0, both together 3/2."""
    program = minimax_program(np.array([[3, 0], [0, 3]]))
    first_row_alone = Basis((0, 2), (0, 2))  # as if it were paid 3 in column 0
    assert vertex_if_feasible(program, first_row_alone) is None
    assert multipliers_if_feasible(program, Basis((0, 2), (1, 2))) is None
    twice = minimax_program(np.array([[1, 0], [1, 0]]))
    assert vertex_if_feasible(twice, Basis((0, 1), (0, 2))) is None  # singular
    assert multipliers_if_feasible(twice, Basis((0, 1), (0, 2))) is None


def test_likes_do_not_depend_on_the_order_of_columns():
    program = plan_program(sequence_form(leduc_poker()))
    order = random.Random(3).sample(range(program.num_columns), program.num_columns)  # noqa: S311
    place = np.argsort(order).astype(np.int32)
    sort = np.lexsort((place[program.columns], program.rows))
    shuffled = replace(
        program,
        objective=program.objective[order],
        is_free=program.is_free[order],
        columns=place[program.columns][sort],
        rows=program.rows[sort],
        values=program.values[sort],
    )
    before, after = likes(program), likes(shuffled)
    pairs = set(zip(before.columns[order].tolist(), after.columns.tolist(), strict=True))
    assert len(pairs) == max(before.columns) + 1 == max(after.columns) + 1
