"""Linear programs, and the door to HiGHS, which solves them in floats.

    maximise c'x   subject to   A_i x <= b_i  or  A_i x == b_i,   x_j >= 0  or  x_j free.

Slacks are written ``s_i = b_i - A_i x``: at least 0 for an inequality, 0 for an equation.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray, IntArray, NumberArray, is_exact

BoolArray = NDArray[np.bool_]

UNSCALED_BITS = 20  # coefficients up to a million are left as they are
LARGEST = 1e300


@dataclass(frozen=True, eq=False)
class LinearProgram:
    """A linear program to maximise.

    Numbers are Python integers of any size in arrays of objects; or float64, if the program is for
    ``solve_float`` alone.

    Attributes
    ----------
    objective : ndarray (num_columns,)
    rows, columns : int32 arrays (num_entries,)
        Where the nonzero coefficients stand, ordered by row.
    values : ndarray (num_entries,)
        The coefficients.
    bounds : ndarray (num_rows,)
        Right-hand sides b.
    is_equation : bool array (num_rows,)
    is_free : bool array (num_columns,)
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

    Attributes
    ----------
    columns : tuple of int
        Basic variables; the others are zero.
    rows : tuple of int
        Tight rows, as many as columns.
    """

    columns: tuple[int, ...]
    rows: tuple[int, ...]


class FloatOutcome(Enum):
    """How a float solve ended; the value says what it means."""

    OPTIMAL = "an optimal solution was found, up to floating-point error"
    INFEASIBLE = "no point satisfies the constraints, up to floating-point error"
    UNBOUNDED = "the objective grows without bound, up to floating-point error"
    OUT_OF_TIME = "the time limit came first"
    FAILED = "the float solver gave up on this program; the exact simplex method does not"


@dataclass(frozen=True, eq=False)
class FloatSolution:
    """What the float solver says.

    Attributes
    ----------
    outcome : FloatOutcome
    primal : float64 array (num_columns,)
    dual : float64 array (num_rows,)
        Multipliers of the rows; at least 0 for inequalities, up to error. Both arrays are
        meaningful when the outcome is OPTIMAL.
    basis : Basis or None
        The final basis, where there is one.
    """

    outcome: FloatOutcome
    primal: FloatArray
    dual: FloatArray
    basis: Basis | None


def solve_float(program: LinearProgram, *, time_limit: float | None = None) -> FloatSolution:
    """Solve in floats with the simplex method of HiGHS, single-threaded.

    Rows and objective are first scaled by powers of two into the range of floats.

    Parameters
    ----------
    time_limit : float, optional
        Seconds.
    """
    scales = _row_exponents(program)
    highs = _new_highs(time_limit)
    if highs.passModel(_model(program, scales)) == highspy.HighsStatus.kError:
        return _nothing(program, FloatOutcome.FAILED)
    highs.run()
    outcome = _OUTCOMES.get(highs.getModelStatus(), FloatOutcome.FAILED)
    solution = highs.getSolution()
    if outcome is not FloatOutcome.OPTIMAL:
        return _nothing(program, outcome)
    dual = np.array(solution.row_dual) * np.exp2(_objective_exponent(program) - scales)
    return FloatSolution(outcome, np.array(solution.col_value), dual, _basis(highs.getBasis()))


_OUTCOMES = {
    highspy.HighsModelStatus.kOptimal: FloatOutcome.OPTIMAL,
    highspy.HighsModelStatus.kInfeasible: FloatOutcome.INFEASIBLE,
    highspy.HighsModelStatus.kUnbounded: FloatOutcome.UNBOUNDED,
    highspy.HighsModelStatus.kTimeLimit: FloatOutcome.OUT_OF_TIME,
}


def _nothing(program: LinearProgram, outcome: FloatOutcome) -> FloatSolution:
    return FloatSolution(outcome, np.zeros(program.num_columns), np.zeros(program.num_rows), None)


def _new_highs(time_limit: float | None) -> Any:
    highs = highspy.Highs()
    for option, value in (
        ("output_flag", False),
        ("threads", 1),
        ("solver", "simplex"),
        ("primal_feasibility_tolerance", 1e-10),
        ("dual_feasibility_tolerance", 1e-10),
    ):
        highs.setOptionValue(option, value)
    if time_limit is not None:
        highs.setOptionValue("time_limit", time_limit)
    return highs


def _model(program: LinearProgram, scales: NDArray[np.int64]) -> Any:
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = program.num_columns, program.num_rows
    model.sense_ = highspy.ObjSense.kMaximize
    exponent = _objective_exponent(program)
    model.col_cost_ = _scaled(program.objective, np.full(program.num_columns, exponent))
    model.col_lower_ = np.where(program.is_free, -np.inf, 0.0)
    model.col_upper_ = np.full(program.num_columns, np.inf)
    bounds = _scaled(program.bounds, scales)
    model.row_lower_ = np.where(program.is_equation, bounds, -np.inf)
    model.row_upper_ = bounds
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.searchsorted(program.rows, np.arange(program.num_rows + 1))
    model.a_matrix_.index_ = program.columns
    model.a_matrix_.value_ = _scaled(program.values, scales[program.rows])
    return model


def _basis(basis: Any) -> Basis:
    basic = highspy.HighsBasisStatus.kBasic
    return Basis(
        columns=tuple(j for j, status in enumerate(basis.col_status) if status == basic),
        rows=tuple(i for i, status in enumerate(basis.row_status) if status != basic),
    )


def _row_exponents(program: LinearProgram) -> NDArray[np.int64]:
    """Return, for each row, the power of two that brings its largest coefficient near one."""
    exponents = np.zeros(program.num_rows, dtype=np.int64)
    np.maximum.at(exponents, program.rows, _exponents(program.values))
    return exponents


def _objective_exponent(program: LinearProgram) -> int:
    return int(np.max(_exponents(program.objective), initial=0))


def _exponents(values: NumberArray) -> NDArray[np.int64]:
    """Return the binary exponent of each number, where it is large enough to need scaling."""
    if is_exact(values):
        exponents = np.array([int(value).bit_length() for value in values], dtype=np.int64)
    else:
        exponents = np.frexp(values)[1].astype(np.int64)
    return np.where(np.abs(exponents) > UNSCALED_BITS, exponents, 0)


def _scaled(values: NumberArray, exponents: NDArray[np.int64]) -> FloatArray:
    """Return ``value / 2**exponent``, rounded; what underflows is left to the exact solve."""
    if not is_exact(values):
        return np.ldexp(values, -exponents)
    pairs = zip(values.tolist(), exponents.tolist(), strict=True)
    return np.array([_quotient(value, exponent) for value, exponent in pairs], dtype=np.float64)


def _quotient(value: int, exponent: int) -> float:
    try:
        return value / (1 << exponent)
    except OverflowError:  # a bound far larger than its row
        return LARGEST if value > 0 else -LARGEST
