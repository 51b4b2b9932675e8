"""The door to branch and bound: optima of brute force, outcomes told apart, huge and tiny data."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from solvers._programs.linear import FloatOutcome, LinearProgram
from solvers._programs.mixed_integer import MixedIntegerProgram, solve_mixed_integer


def program(objective, table, bounds, *, binary, equations=None):
    table = np.array(table, dtype=float)
    rows, columns = np.nonzero(table)
    return MixedIntegerProgram(
        LinearProgram(
            objective=np.array(objective, dtype=float),
            rows=rows.astype(np.int32),
            columns=columns.astype(np.int32),
            values=table[rows, columns],
            bounds=np.array(bounds, dtype=float),
            is_equation=np.array(equations or [False] * len(bounds)),
            is_free=np.zeros(len(objective), dtype=bool),
        ),
        np.array(binary),
    )


@st.composite
def binary_programs(draw):
    size, num_rows = draw(st.integers(1, 6)), draw(st.integers(1, 3))
    numbers = st.integers(-5, 5)
    rows = st.lists(numbers, min_size=size, max_size=size)
    return (
        draw(rows),
        [draw(rows) for _ in range(num_rows)],
        [draw(numbers) for _ in range(num_rows)],
    )


@given(binary_programs(), st.sampled_from([1.0, 2.0**-30, 2.0**30]))
def test_value_is_that_of_brute_force(data, unit):
    """In any unit; but a row of zeros has none, and ``0 <= -1e-9`` holds in floats."""
    objective, table, bounds = data
    assume(all(any(row) or bound >= 0 for row, bound in zip(table, bounds, strict=True)))
    points = np.array(list(product([0, 1], repeat=len(objective))))
    feasible = points[(points @ np.array(table).T <= bounds).all(axis=1)]
    found = solve_mixed_integer(
        program(
            unit * np.array(objective),
            unit * np.array(table),
            unit * np.array(bounds),
            binary=[True] * len(objective),
        )
    )
    if not len(feasible):
        assert found.outcome is FloatOutcome.INFEASIBLE
        assert found.primal is None
        return
    best = unit * (feasible @ objective).max()
    assert found.outcome is FloatOutcome.OPTIMAL
    assert found.value == pytest.approx(best, abs=1e-6 * unit)
    assert found.bound == pytest.approx(best, abs=1e-6 * unit)
    assert found.primal.tolist() in feasible.tolist()


@pytest.mark.parametrize(
    ("task", "outcome"),
    [
        (program([1, 1], [[2, 2], [-2, -2]], [3, -2.5], binary=[True] * 2), "INFEASIBLE"),
        (program([1, 1], [[1, -1]], [1], binary=[True, False]), "UNBOUNDED"),
        (program([0, 1], [[1, -1]], [1], binary=[False, False]), "UNBOUNDED"),
        (program([1, 1], [[1, 1]], [1], binary=[False, False]), "OPTIMAL"),
        (program([1, 1], [[1, np.inf]], [1], binary=[True, False]), "FAILED"),
    ],
)
def test_outcomes_are_told_apart(task, outcome):
    assert solve_mixed_integer(task).outcome is FloatOutcome[outcome]


def test_continuous_variables_are_scaled_and_binary_ones_are_not():
    task = program([1e-9, 1], [[1e-12, 0], [1e-12, -1e3]], [5, 0], binary=[False, True])
    found = solve_mixed_integer(task)
    assert found.primal.tolist() == pytest.approx([5e12, 1])
    assert found.value == pytest.approx(5001)


def test_limit_on_nodes_leaves_a_point_and_a_bound():
    rng = np.random.default_rng(0)
    task = program(
        rng.integers(1, 100, 40), rng.integers(1, 100, (5, 40)), [1000] * 5, binary=[True] * 40
    )
    found = solve_mixed_integer(task, node_limit=1)
    assert found.outcome is FloatOutcome.LIMIT_REACHED
    assert found.value < found.bound < np.inf


def test_limit_on_time_may_leave_no_point():
    task = program([3, 2], [[2, 2]], [3], binary=[True, True])
    found = solve_mixed_integer(task, time_limit=0.0)
    assert found.outcome in {FloatOutcome.LIMIT_REACHED, FloatOutcome.OPTIMAL}
    assert found.value <= 3 <= found.bound


@pytest.mark.parametrize("unit", [10**300, 10**400], ids=["float", "beyond"])
def test_objectives_of_any_size_choose_the_same_point(unit):
    table = np.array([[2, 3, 1]], dtype=object)
    found = solve_mixed_integer(
        MixedIntegerProgram(
            LinearProgram(
                objective=np.array([3, 4, 1], dtype=object) * unit,
                rows=np.zeros(3, dtype=np.int32),
                columns=np.arange(3, dtype=np.int32),
                values=table[0],
                bounds=np.array([5], dtype=object),
                is_equation=np.array([False]),
                is_free=np.zeros(3, dtype=bool),
            ),
            np.ones(3, dtype=bool),
        )
    )
    assert found.primal.tolist() == [1, 1, 0]
    assert found.value == (pytest.approx(7e300) if unit == 10**300 else np.inf)
    assert found.bound >= found.value
