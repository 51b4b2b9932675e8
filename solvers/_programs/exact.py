"""Linear programs solved exactly: a float basis, proved or repaired in rational arithmetic.

A basis is a choice of columns ``C`` and as many tight rows ``R``. Its *kernel* ``K = A[R, C]`` is
square, and slacks never enter the linear systems:

    x_C = K^-1 b_R,  other x 0,        y_R = K^-T c_C,  other y 0.

The basis is optimal exactly when ``x`` and ``y`` are feasible; both are checked in integers over
one denominator. A basis that fails the check is repaired by exact pivots, never returned.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import cast

from gametheory_core.arrays import ZERO, ExactArray
from solvers._programs.linear import Basis, LinearProgram
from solvers._programs.rational_systems import (
    RationalVector,
    SparseMatrix,
    factorized,
    sparse_matrix,
)
from solvers._programs.simplex import (
    Walk,
    feasible_walk,
    improving_variables,
    infeasible_variables,
    multipliers_of,
    optimal_walk,
    vertex_of,
)

Tick = Callable[[], None]

NO_BASIS = Basis((), ())


@dataclass(frozen=True, eq=False)
class ExactOptimum:
    """A rational optimum with its proof.

    Attributes:
        value: The objective, equal for ``primal`` and ``dual``.
        primal (num_columns,): Satisfies every constraint.
        dual (num_rows,): Multipliers that bound the objective by ``value``; at least 0 for
            inequalities.
        basis: Where both come from.
        pivots: Exact repairs that the float basis needed; 0 if it was right.
    """

    value: Fraction
    primal: ExactArray
    dual: ExactArray
    basis: Basis
    pivots: int


def solve_exactly(
    program: LinearProgram, basis: Basis | None, *, tick: Tick | None = None
) -> ExactOptimum:
    """Find a rational optimum, starting from a basis that may be wrong.

    Args:
        program: With integer data.
        basis: A float solver's; None, or a singular one, starts from scratch.
        tick: Called before each exact step; may raise to stop.

    Returns:
        Checked: primal and dual are feasible.

    Raises:
        InfeasibleProgram, UnboundedProgram: Proved by exact pivoting.

    A right basis costs two exact solves of its kernel; each repair costs about three more.
    """
    matrix = sparse_matrix(program)
    try:
        walk = _walk(program, matrix, basis or NO_BASIS, tick or _no_tick)
    except ZeroDivisionError:  # the float basis is exactly singular
        walk = _walk(program, matrix, NO_BASIS, tick or _no_tick)
    primal = walk.vertex.columns.fractions()
    used = [(c, x) for c, x in zip(program.objective.tolist(), primal.tolist(), strict=True) if c]
    return ExactOptimum(
        value=cast("Fraction", sum((c * x for c, x in used), ZERO)),
        primal=primal,
        dual=walk.multipliers.rows.fractions(),
        basis=walk.vertex.basis,
        pivots=walk.pivots,
    )


def vertex_if_feasible(program: LinearProgram, basis: Basis) -> RationalVector | None:
    """Return the columns of a basis, exactly; None if it is singular or breaks a constraint.

    Feasible columns prove that the optimum is no less than their objective.
    """
    try:
        vertex = vertex_of(program, sparse_matrix(program), basis)
    except ZeroDivisionError:
        return None
    return None if infeasible_variables(program, vertex) else vertex.columns


def multipliers_if_feasible(program: LinearProgram, basis: Basis) -> RationalVector | None:
    """Return the multipliers of a basis, exactly; None if it is singular or they bound nothing.

    Feasible multipliers prove that the optimum is no more than the bounds at their prices.
    """
    matrix = sparse_matrix(program)
    try:
        found = multipliers_of(matrix, factorized(matrix, basis), program.objective.tolist())
    except ZeroDivisionError:
        return None
    return None if improving_variables(program, basis, found) else found.rows


def _walk(program: LinearProgram, matrix: SparseMatrix, basis: Basis, tick: Tick) -> Walk:
    tick()
    start = vertex_of(program, matrix, basis)
    if not infeasible_variables(program, start):
        return optimal_walk(program, matrix, start, tick)
    feasible = feasible_walk(program, matrix, start, tick)
    optimal = optimal_walk(program, matrix, feasible.vertex, tick)
    return replace(optimal, pivots=feasible.pivots + optimal.pivots)


def _no_tick() -> None:
    pass
