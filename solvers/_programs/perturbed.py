"""Linear programs whose variables and multipliers have lower bounds that vanish with epsilon.

maximise c'x   subject to   A_i x <= b_i  or  A_i x == b_i,   x_j >= epsilon**order_j,  and in the
dual program  y_i >= epsilon**order_i.  Written over what exceeds the bounds, this is a program with
the same integer coefficients A, whose right-hand sides and costs are polynomials in epsilon:

    b(epsilon) = b - A l(epsilon),     c(epsilon) = c - A' m(epsilon),

with ``l`` and ``m`` the lower bounds. One basis is optimal for all small epsilon > 0: a basis is so
if each of its variables, slacks, reduced costs and multipliers, a polynomial in epsilon, has the
right sign in its coefficient of lowest order.

The search is exact simplex at one tiny number, ``epsilon = 2**-bits``, from a float solver's basis
at a moderate one; the sign test above then decides for *all* small epsilon, and ``bits`` is doubled
until a basis passes. That ends: below the least positive root of the finitely many polynomials that
bases of the program have, nothing changes any more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import numpy as np

from gametheory_core.arrays import ExactArray, FloatArray
from gametheory_core.strategies.trembles import trimmed
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import Basis, LinearProgram, solve_float
from solvers._programs.rational_systems import (
    Kernel,
    RationalVector,
    SparseMatrix,
    factorized,
    solve_kernel,
    sparse_matrix,
)
from solvers._programs.simplex import (
    Multipliers,
    Vertex,
    dot,
    improving_variables,
    infeasible_variables,
    multipliers_of,
    vertex_of,
)

Tick: TypeAlias = Callable[[int], None]  # of steps done; may raise to stop
Look: TypeAlias = Callable[[], None]  # at the time; may raise to stop

UNBOUNDED = -1  # the order of what is not bounded below by a power of epsilon
FLOAT_BITS = (7, 8, 6, 5, 10)  # epsilons that floats bear, the most promising first
FEW_REPAIRS = 3  # wrong signs that are no reason to look further
FIRST_BITS = 64
LARGEST_FLOAT = 1e300


@dataclass(frozen=True, eq=False)
class PerturbedProgram:
    """A linear program with vanishing lower bounds.

    Attributes:
        program: Of integers.
        primal_orders: Column j is at least ``epsilon**order``; ``UNBOUNDED``: as the program says.
        dual_orders: The same for the rows' multipliers.
    """

    program: LinearProgram
    primal_orders: tuple[int, ...]
    dual_orders: tuple[int, ...]


@dataclass(frozen=True)
class PerturbedOptimum:
    """What is optimal for all small epsilon > 0.

    Attributes:
        primal, dual: Coefficients from the constant on, of every column and of every row's
            multiplier.
        basis: Where both come from.
    """

    primal: tuple[tuple[Fraction, ...], ...]
    dual: tuple[tuple[Fraction, ...], ...]
    basis: Basis


@dataclass(frozen=True)
class _Data:
    """Coefficients of the perturbed program, by order: ``bounds[d]`` belongs to epsilon**d."""

    bounds: list[list[int]]
    costs: list[list[int]]


def float_start(
    perturbed: PerturbedProgram,
    *,
    time_limit: Callable[[], float | None],
    pivot_limit: Callable[[], int | None],
    tick: Tick,
) -> Basis | None:
    """Look for a basis in floats, at moderate epsilons: the one with the fewest wrong signs.

    Args:
        time_limit, pivot_limit: What is left of seconds and of simplex pivots, None for no limit;
            asked before each solve.
        tick: Called with the pivots of each solve, and with 0 between the orders of what is written
            in numbers; may raise to stop.

    Returns:
        It may be wrong; None if floats find nothing, not even without perturbation.
    """
    data, matrix = _data(perturbed), sparse_matrix(perturbed.program)
    look = partial(tick, 0)
    tiny, best, least = _numeric(perturbed, data, FIRST_BITS, look), None, 0
    for bits in FLOAT_BITS:
        program = replace(
            perturbed.program,
            bounds=_floats(data.bounds, bits, look),
            objective=_floats(data.costs, bits, look),
        )
        found = solve_float(program, time_limit=time_limit(), pivot_limit=pivot_limit())
        tick(found.pivots)
        wrong = None if found.basis is None else _wrong_signs(tiny, matrix, found.basis)
        if wrong is not None and (best is None or wrong < least):
            best, least = found.basis, wrong
            if wrong <= FEW_REPAIRS:
                return best
    if best is not None:
        return best
    found = solve_float(perturbed.program, time_limit=time_limit(), pivot_limit=pivot_limit())
    tick(found.pivots)
    return found.basis


def _wrong_signs(program: LinearProgram, matrix: SparseMatrix, basis: Basis) -> int | None:
    """Count what exact pivots would have to repair; None if the basis is singular."""
    try:
        vertex = vertex_of(program, matrix, basis)
    except ZeroDivisionError:
        return None
    multipliers = multipliers_of(matrix, vertex.kernel, program.objective.tolist())
    infeasible = infeasible_variables(program, vertex)
    return len(infeasible) + len(improving_variables(program, basis, multipliers))


def solve_perturbed(
    perturbed: PerturbedProgram, basis: Basis | None, *, tick: Tick
) -> PerturbedOptimum:
    """Find polynomials that are optimal for all small epsilon > 0.

    Args:
        perturbed: With an optimum for all small epsilon > 0.
        basis: Where to start; may be wrong.
        tick: Called with 1 before each exact step, and with 0 as in ``float_start``; may raise to
            stop.

    Raises:
        InfeasibleProgram, UnboundedProgram: If there is no optimum at a tiny epsilon; proved by
            exact pivoting.
    """
    data, matrix, bits = _data(perturbed), sparse_matrix(perturbed.program), FIRST_BITS
    while True:
        numeric = _numeric(perturbed, data, bits, partial(tick, 0))
        basis = solve_exactly(numeric, basis, tick=partial(tick, 1)).basis
        found = _for_all_small(perturbed, data, matrix, basis)
        if found is not None:
            return found
        bits *= 2


def _data(perturbed: PerturbedProgram) -> _Data:
    program = perturbed.program
    depth = 1 + max(0, *perturbed.primal_orders, *perturbed.dual_orders)
    bounds = [[0] * program.num_rows for _ in range(depth)]
    costs = [[0] * program.num_columns for _ in range(depth)]
    bounds[0], costs[0] = program.bounds.tolist(), program.objective.tolist()
    entries = zip(
        program.rows.tolist(), program.columns.tolist(), program.values.tolist(), strict=True
    )
    for row, column, value in entries:
        order = perturbed.primal_orders[column]
        if order != UNBOUNDED:
            bounds[order][row] -= value
        order = perturbed.dual_orders[row]
        if order != UNBOUNDED:
            costs[order][column] -= value
    return _Data(bounds, costs)


def _numeric(perturbed: PerturbedProgram, data: _Data, bits: int, look: Look) -> LinearProgram:
    """Return the program at ``epsilon = 2**-bits``, right-hand sides and costs in integers."""
    return replace(
        perturbed.program,
        bounds=_integers(data.bounds, bits, look),
        objective=_integers(data.costs, bits, look),
    )


def _integers(by_order: Sequence[Sequence[int]], bits: int, look: Look) -> ExactArray:
    """Return the values at ``2**-bits``, times the power of two that makes them integers."""
    values = np.zeros(len(by_order[0]), dtype=object)
    for row in by_order:
        look()
        values = values * (1 << bits) + np.array([*row, 0], dtype=object)[:-1]
    return values


def _floats(by_order: Sequence[Sequence[int]], bits: int, look: Look) -> FloatArray:
    """Return the values at ``2**-bits``; what does not fit a float becomes huge."""
    scale = 1 << bits * (len(by_order) - 1)
    return np.array([_float(value, scale) for value in _integers(by_order, bits, look).tolist()])


def _float(value: int, scale: int) -> float:
    try:
        return value / scale
    except OverflowError:
        return LARGEST_FLOAT if value > 0 else -LARGEST_FLOAT  # exact pivots put it right


def _for_all_small(
    perturbed: PerturbedProgram, data: _Data, matrix: SparseMatrix, basis: Basis
) -> PerturbedOptimum | None:
    """Return the polynomials of a basis if it is optimal for all small epsilon > 0."""
    program = perturbed.program
    kernel = factorized(matrix, basis)
    vertices = [_vertex(matrix, basis, kernel, bounds) for bounds in data.bounds]
    multipliers = [multipliers_of(matrix, kernel, costs) for costs in data.costs]
    if not (_is_feasible(program, vertices) and _is_priced(program, multipliers)):
        return None
    primal = _polynomials([v.columns for v in vertices], perturbed.primal_orders)
    dual = _polynomials([m.rows for m in multipliers], perturbed.dual_orders)
    return PerturbedOptimum(primal, dual, basis)


def _vertex(matrix: SparseMatrix, basis: Basis, kernel: Kernel, bounds: list[int]) -> Vertex:
    """Return what ``vertex_of`` does, for a kernel that is factorised once for all orders."""
    columns = solve_kernel(kernel, bounds)
    slacks = [
        bound * columns.denominator - dot(entries, columns.numerators)
        for bound, entries in zip(bounds, matrix.by_row, strict=True)
    ]
    return Vertex(basis, kernel, columns, slacks)


def _is_feasible(program: LinearProgram, vertices: list[Vertex]) -> bool:
    columns = _signs([v.columns.numerators for v in vertices])
    slacks = _signs([v.slacks for v in vertices])
    return bool(
        np.all((columns >= 0) | program.is_free)
        and np.all((slacks == 0) | ((slacks > 0) & ~program.is_equation))
    )


def _is_priced(program: LinearProgram, multipliers: list[Multipliers]) -> bool:
    reduced = _signs([m.reduced_costs for m in multipliers])
    charges = _signs([m.rows.numerators for m in multipliers])
    return bool(
        np.all((reduced == 0) | ((reduced < 0) & ~program.is_free))
        and np.all((charges >= 0) | program.is_equation)
    )


def _signs(by_order: list[list[int]]) -> "np.ndarray[tuple[int, ...], np.dtype[np.int8]]":
    """Return the sign of each polynomial; denominators are positive and do not matter."""
    signs = np.zeros(len(by_order[0]), dtype=np.int8)
    for row in reversed(by_order):
        own = np.array([(value > 0) - (value < 0) for value in row], dtype=np.int8)
        signs = np.where(own != 0, own, signs)
    return signs


def _polynomials(
    by_order: list[RationalVector], orders: Sequence[int]
) -> tuple[tuple[Fraction, ...], ...]:
    """Collect coefficients variable by variable, and add the lower bounds."""
    columns = zip(*(vector.fractions().tolist() for vector in by_order), strict=True)
    return tuple(
        trimmed(value + (d == order) for d, value in enumerate(column))
        for column, order in zip(columns, orders, strict=True)
    )
