"""Float programs near 1 and their bases, as magnified re-solves hand them to HiGHS."""

from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray
from solvers._programs.linear import Basis, LinearProgram

TOLERANCE = 1e-9  # the float solver's, on data near 1


def with_slacks(floats: LinearProgram, tight: NDArray[np.int32]) -> LinearProgram:
    """Make some rows equations by slack columns of their own."""
    rows = np.concatenate([floats.rows, tight])
    own = floats.num_columns + np.arange(len(tight), dtype=np.int32)
    columns = np.concatenate([floats.columns, own])
    values = np.concatenate([floats.values, np.ones(len(tight))])
    order = np.argsort(rows, kind="stable")
    is_equation = floats.is_equation.copy()
    is_equation[tight] = True
    return LinearProgram(
        objective=np.concatenate([floats.objective, np.zeros(len(tight))]),
        rows=rows[order],
        columns=columns[order],
        values=values[order],
        bounds=floats.bounds,
        is_equation=is_equation,
        is_free=np.concatenate([floats.is_free, np.zeros(len(tight), dtype=bool)]),
    )


def plain_highs(time_limit: float | None, pivot_limit: int | None) -> Any:
    """Set HiGHS up for the simplex method on data near 1, without presolve or scaling."""
    highs = highspy.Highs()
    options: dict[str, Any] = {
        "output_flag": False,
        "threads": 1,
        "solver": "simplex",
        "presolve": "off",  # finds nothing in these programs, and costs more than solving
        "simplex_scale_strategy": 0,  # the data are near 1, and bases are more accurate without
        "primal_feasibility_tolerance": TOLERANCE,
        "dual_feasibility_tolerance": TOLERANCE,
    }
    if time_limit is not None:
        options["time_limit"] = time_limit
    if pivot_limit is not None:
        options["simplex_iteration_limit"] = pivot_limit
    for name, value in options.items():
        highs.setOptionValue(name, value)
    return highs


def float_model(
    floats: LinearProgram, costs: FloatArray, column_lower: FloatArray, row_upper: FloatArray
) -> Any:
    """Write a program for HiGHS, with these costs and bounds instead of its own."""
    model: Any = highspy.HighsLp()
    model.num_col_, model.num_row_ = floats.num_columns, floats.num_rows
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = costs
    model.col_lower_ = column_lower
    model.col_upper_ = np.full(floats.num_columns, np.inf)
    model.row_lower_ = np.where(floats.is_equation, row_upper, -np.inf)
    model.row_upper_ = row_upper
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.num_col_, model.a_matrix_.num_row_ = floats.num_columns, floats.num_rows
    model.a_matrix_.start_ = np.searchsorted(floats.rows, np.arange(floats.num_rows + 1))
    model.a_matrix_.index_ = floats.columns
    model.a_matrix_.value_ = floats.values
    return model


def start_basis(floats: LinearProgram, basis: Basis) -> Any:
    """Write a basis for HiGHS; the other variables are at their bounds, free ones at zero."""
    status = highspy.HighsBasisStatus
    columns = [status.kZero if free else status.kLower for free in floats.is_free.tolist()]
    for j in basis.columns:
        columns[j] = status.kBasic
    rows = [status.kBasic] * floats.num_rows
    for i in basis.rows:
        rows[i] = status.kUpper
    start = highspy.HighsBasis()
    start.col_status, start.row_status = columns, rows
    start.valid = True
    return start


def basic_masks(highs: Any) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which columns and which rows (their slacks) are basic."""
    basis = highs.getBasis()
    basic = highspy.HighsBasisStatus.kBasic
    return (
        np.array([status == basic for status in basis.col_status], dtype=bool),
        np.array([status == basic for status in basis.row_status], dtype=bool),
    )


def basis_of(basic_columns: NDArray[np.bool_], basic_rows: NDArray[np.bool_]) -> Basis:
    """Gather basic columns, and the rows whose slacks are not basic."""
    return Basis(
        columns=tuple(np.flatnonzero(basic_columns).tolist()),
        rows=tuple(np.flatnonzero(~basic_rows).tolist()),
    )
