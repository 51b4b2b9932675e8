"""Models that grow: at each size the optimum is that of the program of what is let in."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from solvers._programs.growing_model import GrowingModel
from solvers._programs.linear import LinearProgram


@st.composite
def growth(draw):
    """Payoffs, what columns pay besides, and what is let in, one set after another."""
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    entries = st.lists(st.integers(-4, 4), min_size=rows * columns, max_size=rows * columns)
    matrix = np.array(draw(entries), dtype=float).reshape(rows, columns)
    extra = np.array(draw(st.lists(st.integers(-3, 3), min_size=columns, max_size=columns)), float)
    steps = draw(st.lists(st.tuples(*[st.integers(1, 2**n - 1) for n in matrix.shape]), min_size=2))
    masks = [
        tuple((step >> np.arange(n)) % 2 == 1 for step, n in zip(own, matrix.shape, strict=True))
        for own in steps[:6]
    ]
    return matrix, extra, masks


def minimax_program(matrix, extra):
    """``v`` at most, where ``v - sum_i x_i M_ij <= extra_j`` and ``sum_i x_i == 1``."""
    rows, columns = matrix.shape
    table = np.zeros((columns + 1, rows + 1))
    table[:columns, :rows], table[:columns, rows], table[columns, :rows] = -matrix.T, 1.0, 1.0
    places = np.nonzero(table)
    return LinearProgram(
        objective=np.append(np.zeros(rows), 1.0),
        rows=places[0].astype(np.int32),
        columns=places[1].astype(np.int32),
        values=table[places],
        bounds=np.append(extra, 1.0),
        is_equation=np.arange(columns + 1) == columns,
        is_free=np.arange(rows + 1) == rows,
    )


def value(matrix, extra):
    """The value, by another solver."""
    rows, columns = matrix.shape
    above = np.hstack([-matrix.T, np.ones((columns, 1))])
    sums = np.append(np.ones(rows), 0.0)[None]
    found = linprog(
        -np.append(np.zeros(rows), 1.0),
        A_ub=above,
        b_ub=extra,
        A_eq=sums,
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -found.fun


@given(growth())
def test_each_optimum_is_that_of_what_is_let_in(case):
    matrix, extra, masks = case
    model = GrowingModel(minimax_program(matrix, extra))
    for rows, columns in masks:  # some come in, some go
        primal, dual = model.solve(rows, columns, time_limit=None)
        expected = value(matrix[np.ix_(rows, columns)], extra[columns])
        assert np.isclose(primal[-1], expected, atol=1e-7)
        assert np.isclose(dual[-1] + dual[:-1] @ extra, expected, atol=1e-7)
        assert not primal[:-1][~rows].any()
        assert not dual[:-1][~columns].any()
        assert np.isclose(primal[:-1].sum(), 1.0)
        assert (primal[:-1] @ matrix[:, columns] + extra[columns] >= expected - 1e-7).all()


def test_no_time_is_no_optimum_and_the_next_solve_is_right():
    matrix, nothing = np.random.default_rng(5).standard_normal((60, 60)), np.zeros(60)
    model = GrowingModel(minimax_program(matrix, nothing))
    everything, half = np.ones(60, dtype=bool), np.arange(60) < 30
    assert model.solve(everything, everything, time_limit=0.0) is None
    for step in range(60):
        assert model.solve((everything, half)[step % 2], everything, time_limit=60.0) is not None
    limit = model._highs.getRunTime() / 2  # each solve has a limit of its own
    found = model.solve(~half, everything, time_limit=limit)
    assert np.isclose(found[0][-1], value(matrix[30:], nothing))
    assert len(model.basis.rows) == len(model.basis.columns)
