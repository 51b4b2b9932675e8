"""Linear programs solved exactly: a float basis, proved or repaired in rational arithmetic.

For a basis of columns ``C`` and tight rows ``R`` the *kernel* ``K = A[R, C]`` is square, and

    x_C = K^-1 b_R,  all other x zero,        y_R = K^-T c_C,  all other y zero.

The basis is optimal exactly when ``x`` and ``y`` are feasible; both are checked in integers over one
denominator. A basis that fails the check is repaired by exact pivots with Bland's rule: first the
dual simplex method, under an objective that makes the basis dual feasible, then the primal one.

*Variables* are numbered: columns ``0 .. n-1``, then the slacks of the rows, ``n .. n+m-1``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from gametheory_core.arrays import ExactArray, freeze
from gametheory_core.errors import GameTheoryError
from solvers._programs.linear import Basis, LinearProgram

OnPivot = Callable[[], None]


class InfeasibleProgram(GameTheoryError):
    """No point satisfies the constraints; proved in exact arithmetic."""


class UnboundedProgram(GameTheoryError):
    """The objective grows without bound; proved in exact arithmetic."""


@dataclass(frozen=True, eq=False)
class ExactOptimum:
    """A rational optimum with its proof.

    Attributes
    ----------
    value : Fraction
        The objective.
    primal : exact array (num_columns,)
        Satisfies every constraint.
    dual : exact array (num_rows,)
        Multipliers that bound the objective by ``value``; at least 0 for inequalities.
    basis : Basis
        Where both come from.
    pivots : int
        Exact repairs that the float basis needed; 0 if it was right.
    """

    value: Fraction
    primal: ExactArray
    dual: ExactArray
    basis: Basis
    pivots: int


@dataclass(frozen=True, eq=False)
class _Point:
    """What a basis determines, as integers.

    Attributes
    ----------
    values : array of int objects (n + m,)
        Values of all variables, times ``value_scale``; zero for nonbasic ones.
    costs : array of int objects (n + m,)
        Objective gained by raising each variable, times ``cost_scale``; zero for basic ones. A
        slack's cost is minus the multiplier of its row.
    value_scale, cost_scale : int
        Positive.
    """

    basis: Basis
    values: ExactArray
    value_scale: int
    costs: ExactArray
    cost_scale: int


def solve_exactly(
    program: LinearProgram, basis: Basis | None, *, on_pivot: OnPivot | None = None
) -> ExactOptimum:
    """Find a rational optimum, starting from a basis that may be wrong.

    Parameters
    ----------
    basis : Basis or None
        A float solver's; None, or a singular one, starts from scratch.
    on_pivot : function, optional
        Called before each exact repair; may raise to stop.

    Raises
    ------
    InfeasibleProgram, UnboundedProgram
        Proved by exact pivoting.
    """
    point, pivots = _starting_point(program, basis), 0
    if _out_of_bounds(program, point):
        surrogate = _surrogate_objective(program, point.basis)
        feasible, pivots = _dual_simplex(program, point.basis, surrogate, on_pivot)
        point = _point(program, feasible, program.objective)
    point, more = _primal_simplex(program, point, on_pivot)
    n = program.num_columns
    primal = _fractions(point.values[:n], point.value_scale)
    return ExactOptimum(
        value=Fraction(int(point.values[:n] @ program.objective), point.value_scale),
        primal=primal,
        dual=_fractions(-point.costs[n:], point.cost_scale),
        basis=point.basis,
        pivots=pivots + more,
    )


def _starting_point(program: LinearProgram, basis: Basis | None) -> _Point:
    if basis is not None and len(basis.columns) == len(basis.rows):
        try:
            return _point(program, basis, program.objective)
        except ZeroDivisionError:
            pass  # the float basis is exactly singular
    return _point(program, Basis((), ()), program.objective)


def _point(program: LinearProgram, basis: Basis, objective: ExactArray) -> _Point:
    """Solve for what the basis determines; raises ZeroDivisionError if it is singular."""
    n, m = program.num_columns, program.num_rows
    rows, columns = np.array(basis.rows, dtype=int), np.array(basis.columns, dtype=int)
    kernel = _kernel(program, basis)
    values, value_scale = _zeros(n + m), 1
    dual, cost_scale = _zeros(m), 1
    if kernel is not None:
        values[columns], value_scale = _solve(kernel, program.bounds[rows])
        dual[rows], cost_scale = _solve(kernel.transpose(), objective[columns])
    values[n:] = program.bounds * value_scale - _times(program, values[:n])
    costs = np.concatenate([objective * cost_scale - _transposed_times(program, dual), -dual])
    return _Point(basis, values, value_scale, costs, cost_scale)


# Linear algebra


def _kernel(program: LinearProgram, basis: Basis) -> Any:
    size = len(basis.rows)
    if not size:
        return None
    row_place = np.full(program.num_rows, -1)
    row_place[list(basis.rows)] = np.arange(size)
    column_place = np.full(program.num_columns, -1)
    column_place[list(basis.columns)] = np.arange(size)
    row, column = row_place[program.rows], column_place[program.columns]
    inside = np.flatnonzero((row >= 0) & (column >= 0))
    entries = [0] * (size * size)
    for place, value in zip(
        (row[inside] * size + column[inside]).tolist(), program.values[inside].tolist(), strict=True
    ):
        entries[place] = value
    return flint.fmpz_mat(size, size, entries)


def _solve(kernel: Any, right: ExactArray) -> tuple[ExactArray, int]:
    """Return ``K^-1 right`` as integers over a positive denominator."""
    solved = kernel.solve(flint.fmpz_mat(len(right), 1, right.tolist()))
    numerators, denominator = solved.numer_denom()
    out = _zeros(len(right))
    out[:] = [int(value) for value in numerators.entries()]
    return out, int(denominator)


def _times(program: LinearProgram, x: ExactArray) -> ExactArray:
    """Return ``A x``."""
    out = _zeros(program.num_rows)
    live = np.flatnonzero(x[program.columns] != 0)
    np.add.at(out, program.rows[live], program.values[live] * x[program.columns[live]])
    return out


def _transposed_times(program: LinearProgram, y: ExactArray) -> ExactArray:
    """Return ``A' y``."""
    out = _zeros(program.num_columns)
    live = np.flatnonzero(y[program.rows] != 0)
    np.add.at(out, program.columns[live], program.values[live] * y[program.rows[live]])
    return out


def _zeros(count: int) -> ExactArray:
    zeros = np.empty(count, dtype=object)
    zeros[:] = 0
    return zeros


def _fractions(numerators: ExactArray, denominator: int) -> ExactArray:
    out = np.empty(len(numerators), dtype=object)
    out[:] = [Fraction(value, denominator) for value in numerators.tolist()]
    return freeze(out)


# Feasibility


def _is_free(program: LinearProgram) -> Any:
    return np.concatenate([program.is_free, np.zeros(program.num_rows, dtype=bool)])


def _is_fixed(program: LinearProgram) -> Any:
    return np.concatenate([np.zeros(program.num_columns, dtype=bool), program.is_equation])


def _is_basic(program: LinearProgram, basis: Basis) -> Any:
    basic = np.zeros(program.num_columns + program.num_rows, dtype=bool)
    basic[program.num_columns :] = True
    basic[list(basis.columns)] = True
    basic[[program.num_columns + i for i in basis.rows]] = False
    return basic


def _out_of_bounds(program: LinearProgram, point: _Point) -> list[int]:
    """Return the variables that are negative, or not zero where they must be."""
    values = point.values
    wrong = (values < 0) & ~_is_free(program) | (values != 0) & _is_fixed(program)
    return np.flatnonzero(wrong).tolist()


def _improving(program: LinearProgram, point: _Point) -> list[int]:
    """Return the nonbasic variables whose change raises the objective."""
    costs = point.costs
    wrong = (costs > 0) & ~_is_fixed(program) | (costs != 0) & _is_free(program)
    return np.flatnonzero(wrong).tolist()


# Simplex methods, with Bland's rule: always the least variable


def _primal_simplex(
    program: LinearProgram, point: _Point, on_pivot: OnPivot | None
) -> tuple[_Point, int]:
    pivots = 0
    while improving := _improving(program, point):
        if on_pivot is not None:
            on_pivot()
        entering = improving[0]
        direction = _direction(program, point.basis, entering)
        if point.costs[entering] < 0:
            direction = -direction
        leaving = _first_blocked(program, point, direction, entering)
        point = _point(
            program, _exchange(program, point.basis, entering, leaving), program.objective
        )
        pivots += 1
    return point, pivots


def _direction(program: LinearProgram, basis: Basis, entering: int) -> ExactArray:
    """Return how all variables change with the entering one, up to a positive factor."""
    n = program.num_columns
    unit = _zeros(n + program.num_rows)
    unit[entering] = 1
    moved = _times(program, unit[:n]) + unit[n:]  # what the rows must give back
    direction, scale = _zeros(n + program.num_rows), 1
    kernel = _kernel(program, basis)
    if kernel is not None:
        answer, scale = _solve(kernel, moved[list(basis.rows)])
        direction[list(basis.columns)] = -answer
    direction[entering] = scale
    slack_change = -_times(program, direction[:n])
    nonbasic = [n + i for i in basis.rows]
    kept = direction[nonbasic].copy()
    direction[n:] = slack_change
    direction[nonbasic] = kept
    return direction


def _first_blocked(
    program: LinearProgram, point: _Point, direction: ExactArray, entering: int
) -> int:
    blocking = (direction < 0) & ~_is_free(program) | (direction != 0) & _is_fixed(program)
    blocking &= _is_basic(program, point.basis)
    best: tuple[Fraction, int] | None = None
    for variable in np.flatnonzero(blocking).tolist():
        step = Fraction(point.values[variable], abs(direction[variable]))
        if best is None or step < best[0]:
            best = (step, variable)
    if best is None:
        raise UnboundedProgram(
            "linear program: needs a bounded objective, but raising variable "
            f"{entering} raises it forever. Bound the variables."
        )
    return best[1]


def _dual_simplex(
    program: LinearProgram, basis: Basis, objective: ExactArray, on_pivot: OnPivot | None
) -> tuple[Basis, int]:
    point, pivots = _point(program, basis, objective), 0
    while wrong := _out_of_bounds(program, point):
        if on_pivot is not None:
            on_pivot()
        leaving = wrong[0]
        row = _dictionary_row(program, point.basis, leaving)
        if point.values[leaving] > 0:
            row = -row
        entering = _cheapest(program, point, row)
        if entering is None:
            raise InfeasibleProgram(
                "linear program: needs a feasible point, but no variable can bring variable "
                f"{leaving} back to its bound. Relax the constraints."
            )
        point = _point(program, _exchange(program, point.basis, entering, leaving), objective)
        pivots += 1
    return point.basis, pivots


def _dictionary_row(program: LinearProgram, basis: Basis, leaving: int) -> ExactArray:
    """Return how a basic variable changes with each nonbasic one, up to a positive factor."""
    n = program.num_columns
    unit = _zeros(n + program.num_rows)
    unit[leaving] = 1
    combination, scale = _zeros(program.num_rows), 1
    own = -_transposed_times(program, unit[n:])  # a slack's own row; zero for a column
    kernel = _kernel(program, basis)
    if kernel is not None:
        weights = own + unit[:n]
        answer, scale = _solve(kernel.transpose(), weights[list(basis.columns)])
        combination[list(basis.rows)] = -answer
    row = np.concatenate([own * scale + _transposed_times(program, combination), combination])
    row[_is_basic(program, basis)] = 0
    return row


def _cheapest(program: LinearProgram, point: _Point, row: ExactArray) -> int | None:
    """Return the entering variable that keeps all costs right, for a row that must grow."""
    eligible = (row > 0) & ~_is_fixed(program) | (row != 0) & _is_free(program)
    best: tuple[Fraction, int] | None = None
    for variable in np.flatnonzero(eligible).tolist():
        price = Fraction(abs(point.costs[variable]), abs(row[variable]))
        if best is None or price < best[0]:
            best = (price, variable)
    return None if best is None else best[1]


def _surrogate_objective(program: LinearProgram, basis: Basis) -> ExactArray:
    """Return an objective under which every nonbasic variable costs one: dual feasible."""
    objective = _zeros(program.num_columns)
    nonbasic = np.ones(program.num_columns, dtype=bool)
    nonbasic[list(basis.columns)] = False
    objective[nonbasic & ~program.is_free] = -1
    multipliers = _zeros(program.num_rows)
    multipliers[[i for i in basis.rows if not program.is_equation[i]]] = 1
    return objective + _transposed_times(program, multipliers)


def _exchange(program: LinearProgram, basis: Basis, entering: int, leaving: int) -> Basis:
    n = program.num_columns
    columns, rows = set(basis.columns), set(basis.rows)
    for variable, enters in ((entering, True), (leaving, False)):
        if variable < n:
            (columns.add if enters else columns.discard)(variable)
        else:
            (rows.discard if enters else rows.add)(variable - n)
    return Basis(tuple(sorted(columns)), tuple(sorted(rows)))
