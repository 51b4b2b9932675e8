"""Magnified re-solves end at the exact optimum, whatever basis they start from."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.errors import InfeasibleProgram, UnboundedProgram
from solvers._programs import refinement
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import Basis, FloatOutcome, LinearProgram
from solvers._programs.refinement import TwofoldProgram, refine, solve_model
from tests.sample_sizes import many


def twofold(objective, table, bounds, *, equations=()):
    """Write a dense integer program in both forms."""
    values = np.array(table, dtype=object).reshape(len(bounds), len(objective))
    rows, columns = np.nonzero(values)
    spans = [max(map(abs, row)) or 1 for row in values.tolist()]
    span = max(map(abs, objective)) or 1
    floats = LinearProgram(
        objective=np.array([value / span for value in objective]),
        rows=rows.astype(np.int32),
        columns=columns.astype(np.int32),
        values=np.array([values[i, j] / spans[i] for i, j in zip(rows, columns, strict=True)]),
        bounds=np.array([bound / own for bound, own in zip(bounds, spans, strict=True)]),
        is_equation=np.isin(np.arange(len(bounds)), list(equations)),
        is_free=np.zeros(len(objective), dtype=bool),
    )
    by_row = [[(j, v) for j, v in enumerate(row) if v] for row in values.tolist()]

    def slacks(point):
        return [
            bound * point.denominator - sum(v * point.numerators[j] for j, v in row)
            for bound, row in zip(bounds, by_row, strict=True)
        ]

    return TwofoldProgram(
        floats,
        spans,
        list(objective),
        span,
        list(bounds),
        lambda rows: [by_row[i] for i in rows],
        slacks,
    )


def exact(program):
    """The same program for the exact simplex method alone, from scratch."""
    return solve_exactly(refinement._exact_program(program), None)


def refined(program, basis=None):
    start = basis or solve_model(program).basis or Basis((), ())
    return refine(program, start, time_limit=lambda: None, tick=lambda: None)


def proved(program, optimum):
    """Check feasibility on both sides, and equal values."""
    x, y = optimum.primal.tolist(), optimum.dual.tolist()
    rows = program.entries(range(len(program.bounds)))
    equations = program.floats.is_equation.tolist()
    assert min(x) >= 0
    for bound, row, equation in zip(program.bounds, rows, equations, strict=True):
        left = sum(value * x[j] for j, value in row)
        assert left == bound if equation else left <= bound
    reduced = list(map(Fraction, program.objective))
    for multiplier, row, equation in zip(y, rows, equations, strict=True):
        assert equation or multiplier >= 0
        for j, value in row:
            reduced[j] -= multiplier * value
    assert max(reduced) <= 0
    assert sum(y_i * b for y_i, b in zip(y, program.bounds, strict=True)) == optimum.value
    assert sum(c * v for c, v in zip(program.objective, x, strict=True)) == optimum.value
    return optimum


@st.composite
def bounded_programs(draw):
    """Cones of random rows, cut by the sum: as for correlated equilibria, degenerate throughout."""
    columns, rows = draw(st.integers(1, 5)), draw(st.integers(0, 5))
    number = st.sampled_from([0, 1, -1, 3, -7, 10**12, -(10**12) + 1])
    table = [[draw(number) for _ in range(columns)] for _ in range(rows)]
    objective = [draw(number) for _ in range(columns)]
    return twofold(objective, [*table, [1] * columns], [0] * rows + [1], equations=(rows,))


@many
@given(bounded_programs(), st.data())
def test_any_start_ends_at_the_exact_optimum(program, data):
    try:
        expected = exact(program)
    except InfeasibleProgram:
        with pytest.raises(InfeasibleProgram, match="cannot reach its bound"):
            refined(program)
        return
    assert proved(program, refined(program)).value == expected.value
    last = program.floats.num_rows - 1
    anywhere = Basis((data.draw(st.integers(0, program.floats.num_columns - 1)),), (last,))
    assert proved(program, refined(program, anywhere)).value == expected.value


def test_optimum_below_float_resolution_takes_rounds_only():
    """Three times a factor of a billion: floats alone cannot tell the basis."""
    big = 10**9
    table = [[-1, big, 0, 0], [0, -1, big, 0], [0, 0, -1, big], [1, 1, 1, 1]]
    program = twofold([0, 0, 0, 1], table, [0, 0, 0, 1], equations=(3,))
    found = proved(program, refined(program, Basis((0,), (3,))))
    assert found.value == Fraction(1, 1 + big + big**2 + big**3)


def test_unbounded_programs_are_proved_so():
    program = twofold([1, 1], [[1, -1]], [1])
    assert solve_model(program).outcome is FloatOutcome.UNBOUNDED
    with pytest.raises(UnboundedProgram, match="grows without bound"):
        refined(program)


def test_limits_are_kept():
    rng = np.random.default_rng(1)
    table = rng.integers(-9, 10, (30, 20)).tolist()
    program = twofold([1] * 20, [*table, [1] * 20], [5] * 30 + [1], equations=(30,))
    assert solve_model(program, pivot_limit=0).outcome is FloatOutcome.LIMIT_REACHED
    assert solve_model(program, time_limit=0.0).outcome is FloatOutcome.LIMIT_REACHED
    start = solve_model(program)
    again = solve_model(program, basis=start.basis)
    assert again.pivots == 0 < start.pivots

    class Stop(Exception):
        pass

    def tick():
        raise Stop("now")

    with pytest.raises(Stop, match="now"):
        refine(program, start.basis, time_limit=lambda: None, tick=tick)
