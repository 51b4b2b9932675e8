"""Linear programs, and the door to HiGHS, which solves them in floats.

maximise c'x   subject to   A_i x <= b_i  or  A_i x == b_i,   x_j >= 0  or  x_j free.

Large sparse programs take simplex pivots while these are few, else interior points. The dual
simplex method is the quickest on most programs of trees, but on some needs several pivots a row.
There the interior-point method of HiGHS with its crossover to a basis takes a fraction of the time.
Both can be watched: HiGHS asks between steps whether to go on.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

import highspy
import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray, IntArray, NumberArray
from solvers._programs.silent_highs import silent_highs

BoolArray: TypeAlias = NDArray[np.bool_]
Exponents: TypeAlias = NDArray[np.int64]

EXACT_IN_FLOATS = 2**53
LARGEST_EXPONENT = 1000  # of powers of two that are safe to add up in floats
LEAST_EXPONENT = -(2**40)  # below that of any number


@dataclass(frozen=True, eq=False)
class LinearProgram:
    """A linear program to maximise.

    The numbers are Python integers in arrays of objects, as exact solving needs them, or float64
    if only ``solve_float`` is wanted.

    Attributes:
        objective (num_columns,)
        rows, columns (num_entries,): Where the nonzero coefficients stand, sorted by row; no place
            twice.
        values (num_entries,): The coefficients.
        bounds (num_rows,): Right-hand sides b.
        is_equation (num_rows,): Whether a row holds with equality.
        is_free (num_columns,): Whether a variable may be negative.
    """

    objective: NumberArray
    rows: IntArray
    columns: IntArray
    values: NumberArray
    bounds: NumberArray
    is_equation: BoolArray
    is_free: BoolArray

    @property
    def num_rows(self) -> int:
        """Number of constraints."""
        return len(self.bounds)

    @property
    def num_columns(self) -> int:
        """Number of variables."""
        return len(self.objective)


@dataclass(frozen=True, eq=False)
class Basis:
    """A vertex candidate: these columns are determined by these tight rows.

    Attributes:
        columns: Basic variables; the others are zero.
        rows: Tight rows, as many as columns.
    """

    columns: tuple[int, ...]
    rows: tuple[int, ...]


class FloatOutcome(Enum):
    """How a float solve ended; the value says what it means."""

    OPTIMAL = "an optimal solution was found, up to floating-point error"
    INFEASIBLE = "no point satisfies the constraints, up to floating-point error"
    UNBOUNDED = "the objective grows without bound, up to floating-point error"
    LIMIT_REACHED = "the limit on time or pivots came first"
    FAILED = "the float solver gave up on this program; the exact simplex method does not"


@dataclass(frozen=True, eq=False)
class FloatSolution:
    """What the float solver says.

    Attributes:
        outcome: The other fields mean something when it is OPTIMAL.
        primal (num_columns,): The variables.
        dual (num_rows,): Multipliers of the rows; at least 0 for inequalities, up to error.
        basis: The final basis; None unless the outcome is OPTIMAL.
        pivots: Simplex iterations.
    """

    outcome: FloatOutcome
    primal: FloatArray
    dual: FloatArray
    basis: Basis | None
    pivots: int


@dataclass(frozen=True, eq=False)
class Scales:
    """Exponents of two: a coefficient is divided by its row's and its column's.

    Attributes:
        rows (num_rows,)
        columns (num_columns,): Variables are multiplied by them.
        objective: Costs are divided by it and their column's.
    """

    rows: Exponents
    columns: Exponents
    objective: int


def solve_float(
    program: LinearProgram, *, time_limit: float | None = None, pivot_limit: int | None = None
) -> FloatSolution:
    """Solve in floats with the simplex method of HiGHS, single-threaded.

    Rows, columns and objective are first scaled by powers of two into the range of floats.

    Args:
        program: With integer or float data.
        time_limit: Seconds.
        pivot_limit: Simplex iterations.
    """
    scales = scales_of(program)
    highs = new_highs(time_limit, pivot_limit)
    if 2 * len(program.values) > program.num_rows * program.num_columns:
        highs.setOptionValue("presolve", "off")  # finds nothing in dense programs
    if highs.passModel(model_of(program, scales)) == highspy.HighsStatus.kError:
        return no_solution(program, FloatOutcome.FAILED)
    highs.run()
    return float_solution(program, scales, highs)


def float_solution(program: LinearProgram, scales: Scales, highs: Any) -> FloatSolution:
    """Read off what HiGHS ended with on ``model_of(program, scales)``."""
    outcome = _OUTCOMES.get(highs.getModelStatus(), FloatOutcome.FAILED)
    pivots = _pivots(highs.getInfo())
    if outcome is not FloatOutcome.OPTIMAL:
        return no_solution(program, outcome, pivots)
    solution = highs.getSolution()
    return FloatSolution(
        outcome=outcome,
        primal=unscaled(solution.col_value, -scales.columns),
        dual=unscaled(solution.row_dual, scales.objective - scales.rows),
        basis=_basis(highs.getBasis()),
        pivots=pivots,
    )


def no_solution(program: LinearProgram, outcome: FloatOutcome, pivots: int = 0) -> FloatSolution:
    """Say that a float solve ended without a solution."""
    primal, dual = np.zeros(program.num_columns), np.zeros(program.num_rows)
    return FloatSolution(outcome, primal, dual, basis=None, pivots=pivots)


def _pivots(info: Any) -> int:
    counts = (info.simplex_iteration_count, info.crossover_iteration_count)
    return sum(max(0, int(count)) for count in counts)  # -1 where a method did not run


_OUTCOMES = {
    highspy.HighsModelStatus.kOptimal: FloatOutcome.OPTIMAL,
    highspy.HighsModelStatus.kInfeasible: FloatOutcome.INFEASIBLE,
    highspy.HighsModelStatus.kUnbounded: FloatOutcome.UNBOUNDED,
    highspy.HighsModelStatus.kTimeLimit: FloatOutcome.LIMIT_REACHED,
    highspy.HighsModelStatus.kIterationLimit: FloatOutcome.LIMIT_REACHED,
    highspy.HighsModelStatus.kInterrupt: FloatOutcome.LIMIT_REACHED,
}


def new_highs(time_limit: float | None, pivot_limit: int | None) -> Any:
    """Set HiGHS up for the simplex method: quiet, single-threaded, with tight tolerances."""
    highs = silent_highs()
    highs.setOptionValue("solver", "simplex")
    highs.setOptionValue("primal_feasibility_tolerance", 1e-9)
    highs.setOptionValue("dual_feasibility_tolerance", 1e-9)
    highs.setOptionValue("small_matrix_value", 1e-12)  # what is smaller is dropped: 1e-9 lost rows
    if time_limit is not None:
        highs.setOptionValue("time_limit", time_limit)
    if pivot_limit is not None:
        highs.setOptionValue("simplex_iteration_limit", pivot_limit)
    return highs


def model_of(program: LinearProgram, scales: Scales) -> Any:
    """Write a program, divided by its scales, for HiGHS."""
    model: Any = highspy.HighsLp()
    model.num_col_, model.num_row_ = program.num_columns, program.num_rows
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = _scaled(program.objective, scales.columns + scales.objective)
    model.col_lower_ = np.where(program.is_free, -np.inf, 0.0)
    model.col_upper_ = np.full(program.num_columns, np.inf)
    bounds = _scaled(program.bounds, scales.rows)
    model.row_lower_ = np.where(program.is_equation, bounds, -np.inf)
    model.row_upper_ = bounds
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.num_col_, model.a_matrix_.num_row_ = program.num_columns, program.num_rows
    model.a_matrix_.start_ = np.searchsorted(program.rows, np.arange(program.num_rows + 1))
    model.a_matrix_.index_ = program.columns
    both = scales.rows[program.rows] + scales.columns[program.columns]
    model.a_matrix_.value_ = _scaled(program.values, both)
    return model


def _basis(basis: Any) -> Basis:
    basic = highspy.HighsBasisStatus.kBasic
    return Basis(
        columns=tuple(j for j, status in enumerate(basis.col_status) if status == basic),
        rows=tuple(i for i, status in enumerate(basis.row_status) if status != basic),
    )


def scales_of(program: LinearProgram, *, is_fixed: BoolArray | None = None) -> Scales:
    """Bring the largest coefficient of each row, then of each column, near one.

    Columns that are fixed, as those of binary variables must be, are left as they are.
    """
    exponents = _exponents(program.values)
    rows = _largest(exponents, program.rows, program.num_rows)
    columns = _largest(exponents - rows[program.rows], program.columns, program.num_columns)
    if is_fixed is not None:
        columns[is_fixed] = 0
    used = program.objective != 0
    costs = _exponents(program.objective)[used] - columns[used]
    return Scales(rows, columns, objective=int(costs.max()) if costs.size else 0)


def _largest(exponents: Exponents, places: IntArray, size: int) -> Exponents:
    """Return the largest exponent at each place, 0 where there is none."""
    largest = np.full(size, LEAST_EXPONENT, dtype=np.int64)
    np.maximum.at(largest, places, exponents)
    largest[largest == LEAST_EXPONENT] = 0
    return largest


def unscaled(values: list[float], exponents: Exponents) -> FloatArray:
    """Multiply by powers of two; what does not fit a float becomes huge."""
    limit = 2.0**LARGEST_EXPONENT
    with np.errstate(over="ignore"):
        return np.clip(np.ldexp(np.array(values), exponents), -limit, limit)


def _exponents(values: NumberArray) -> Exponents:
    if values.dtype != object:
        return np.frexp(values)[1].astype(np.int64)
    return np.array([value.bit_length() for value in values.tolist()], dtype=np.int64)


def _scaled(values: NumberArray, exponents: Exponents) -> FloatArray:
    """Return ``value / 2**exponent`` in floats; what does not fit a float becomes huge."""
    if values.dtype != object:
        return np.ldexp(values, -exponents)
    pairs = list(zip(values.tolist(), exponents.tolist(), strict=True))
    if all(-EXACT_IN_FLOATS < value < EXACT_IN_FLOATS for value, _ in pairs):
        return np.ldexp(values.astype(np.float64), -exponents)
    return np.array([_scaled_number(value, exponent) for value, exponent in pairs])


def _scaled_number(value: int, exponent: int) -> float:
    try:
        if exponent < 0:
            return float(value << -exponent)
        return float(Fraction(value, 1 << exponent))
    except OverflowError:
        return 1e300 if value > 0 else -1e300  # the exact solve puts it right


Watch = Callable[[int], None]
TimeLimit = Callable[[], float | None]

LARGE = 50_000  # coefficients; below, simplex alone is the quickest
PIVOTS_A_ROW = 0.5  # that simplex may take before interior points do


def solve_sparse(
    program: LinearProgram, *, watch: Watch, time_limit: TimeLimit, pivot_limit: int | None = None
) -> FloatSolution:
    """Solve in floats, by the method that is quickest for the size of the program.

    Args:
        program: With integer or float data.
        watch: Called again and again while HiGHS runs, with the pivots so far; may raise to stop.
        time_limit: Returns the seconds left, or None.
        pivot_limit: Simplex iterations; then interior points are not tried.

    Returns:
        ``pivots`` counts simplex iterations, those of a crossover among them.
    """
    scales = scales_of(program)
    is_large = len(program.values) > LARGE
    few = int(PIVOTS_A_ROW * program.num_rows) if is_large else None
    limit = few if pivot_limit is None else pivot_limit
    first = _run(program, scales, "simplex", limit, _Watched(watch, 0, time_limit))
    is_solved = first.outcome is FloatOutcome.OPTIMAL
    if is_solved or pivot_limit is not None or time_limit() == 0.0:
        return first
    second = _run(program, scales, "ipm", None, _Watched(watch, first.pivots, time_limit))
    return replace(second, pivots=first.pivots + second.pivots)


class _Watched:
    """Tells a watcher how far HiGHS is, and keeps what it raises until HiGHS has stopped."""

    def __init__(self, watch: Watch, before: int, time_limit: TimeLimit) -> None:
        self._watch, self._before, self._time_limit = watch, before, time_limit
        self.raised: BaseException | None = None

    def __call__(self, event: Any) -> None:
        pivots = self._before + max(0, int(event.data_out.simplex_iteration_count))
        if self.raised is None:
            try:
                self._watch(pivots)
            except BaseException as error:  # noqa: BLE001 nothing may be raised through HiGHS
                self.raised = error
        if self.raised is not None or self._time_limit() == 0.0:
            event.data_in.user_interrupt = True


def _run(
    program: LinearProgram, scales: Scales, method: str, limit: int | None, watched: _Watched
) -> FloatSolution:
    highs = new_highs(None, limit)
    highs.setOptionValue("solver", method)
    highs.cbSimplexInterrupt += watched
    highs.cbIpmInterrupt += watched
    if highs.passModel(model_of(program, scales)) == highspy.HighsStatus.kError:
        return no_solution(program, FloatOutcome.FAILED)
    highs.run()
    if watched.raised is not None:
        raise watched.raised
    return float_solution(program, scales, highs)
