"""Exact optima: both sides are feasible and meet, from right, absent and nonsense bases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.errors import InfeasibleProgram, UnboundedProgram
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import Basis, FloatOutcome, LinearProgram, solve_float
from tests.sample_sizes import many


def program_of(table, bounds, objective, is_equation, is_free):
    table = np.array(table, dtype=object)
    rows, columns = np.nonzero(table)
    return LinearProgram(
        objective=np.array(objective, dtype=object),
        rows=rows.astype(np.int32),
        columns=columns.astype(np.int32),
        values=table[rows, columns],
        bounds=np.array(bounds, dtype=object),
        is_equation=np.array(is_equation, dtype=bool),
        is_free=np.array(is_free, dtype=bool),
    )


@st.composite
def tables(draw):
    m, n = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    numbers = st.integers(-2, 3)
    rows = [[draw(numbers) for _ in range(n)] for _ in range(m)]
    bounds, objective = [draw(numbers) for _ in range(m)], [draw(numbers) for _ in range(n)]
    return (
        rows,
        bounds,
        objective,
        [draw(st.integers(0, 3)) == 0 for _ in range(m)],
        [draw(st.integers(0, 3)) == 0 for _ in range(n)],
    )


def verdict(program, basis):
    try:
        return solve_exactly(program, basis).value
    except InfeasibleProgram:
        return "infeasible"
    except UnboundedProgram:
        return "unbounded"


def require_optimal(data, optimum):
    rows, bounds, objective, is_equation, is_free = data
    table = np.array(rows, dtype=object)
    slack = np.array(bounds, dtype=object) - table @ optimum.primal
    reduced = np.array(objective, dtype=object) - optimum.dual @ table
    for value, free in zip(optimum.primal, is_free, strict=True):
        assert free or value >= 0
    for value, charge, equation in zip(slack, optimum.dual, is_equation, strict=True):
        assert value == 0 if equation else (value >= 0 and charge >= 0)
    for cost, free in zip(reduced, is_free, strict=True):
        assert cost == 0 if free else cost <= 0
    assert optimum.value == sum(b * y for b, y in zip(bounds, optimum.dual, strict=True))
    assert optimum.value == sum(c * x for c, x in zip(objective, optimum.primal, strict=True))


@many
@given(tables())
def test_primal_and_dual_meet_from_any_basis(data):
    program = program_of(*data)
    size = min(program.num_rows, program.num_columns)
    nonsense = Basis(tuple(range(size)), tuple(range(size)))
    approximate = solve_float(program)
    verdicts = {verdict(program, basis) for basis in (approximate.basis, None, nonsense)}
    assert len(verdicts) == 1
    if approximate.outcome is FloatOutcome.OPTIMAL:
        require_optimal(data, solve_exactly(program, nonsense))
        assert float(verdicts.pop()) == pytest.approx(
            float(np.dot(data[2], approximate.primal)), abs=1e-6
        )


def test_difference_beyond_floats_is_repaired():
    large = 10**40
    program = program_of([[large, large + 1]], [large], [large, large + 2], [False], [False] * 2)
    wrong = Basis((0,), (0,))
    optimum = solve_exactly(program, wrong)
    assert optimum.pivots == 1
    assert optimum.basis.columns == (1,)


def test_infeasible_program_is_refused():
    program = program_of([[1], [-1]], [1, -2], [1], [False, False], [False])
    assert solve_float(program).outcome is FloatOutcome.INFEASIBLE
    with pytest.raises(InfeasibleProgram, match="cannot reach its bound"):
        solve_exactly(program, None)


def test_unbounded_program_is_refused():
    program = program_of([[-1]], [1], [1], [False], [False])
    with pytest.raises(UnboundedProgram, match="grows without bound along"):
        solve_exactly(program, None)
