"""Float programs in HiGHS that start from a known basis: magnified re-solves, best-reply regions.

Magnified re-solves are near 1 and begin at the basis of the last. Best-reply regions are one model,
kept warm while the reply changes. For a reply ``b`` to mixed strategies ``x``, with the replier's
payoffs ``F`` (actions x replies),

    maximise  objective.x + floor s   subject to   x.F[:, c] <= u for all c,  x.F[:, b] == u,
                                                   sum(x) + s == 1,  x >= 0,  s >= 0,  u free.

From one reply to the next only the objective and two bounds change, so the simplex method starts
from the last basis. The outside option ``s`` keeps the program feasible and spares the work of
optimizing regions that are worth less than ``floor``.
"""

from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray
from solvers._programs.linear import Basis, LinearProgram
from solvers._programs.silent_highs import silent_highs

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
    highs = silent_highs()
    options: dict[str, Any] = {
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


@dataclass
class RegionModel:
    """A warm model.

    Attributes:
        highs: Columns ``x``, ``u``, ``s``; a row for each reply, then the sum.
        num_actions, num_replies: Shape of ``F``.
        reply: The reply whose row is an equation now; -1 before the first.
    """

    highs: highspy.Highs
    num_actions: int
    num_replies: int
    reply: int = -1


@dataclass(frozen=True, eq=False)
class RegionEstimate:
    """What the float solver says about one region.

    Attributes:
        value: The optimum, at least ``floor``, up to floating-point error.
        multipliers (num_replies,): Of the comparisons with each reply; at least 0, and 0 for the
            reply itself.
        basis: Columns and rows numbered as in the model.
    """

    value: float
    multipliers: FloatArray
    basis: Basis


def new_region_model(payoffs: FloatArray) -> RegionModel:
    """Build the model for payoffs of shape (actions, replies), best scaled to [0, 1]."""
    num_actions, num_replies = payoffs.shape
    matrix = np.zeros((num_replies + 1, num_actions + 2))
    matrix[:num_replies, :num_actions] = payoffs.T
    matrix[:num_replies, num_actions] = -1.0
    matrix[num_replies, :num_actions] = 1.0
    matrix[num_replies, num_actions + 1] = 1.0
    rows, columns = np.nonzero(matrix)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = num_actions + 2, num_replies + 1
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = np.zeros(num_actions + 2)
    model.col_lower_ = np.concatenate([np.zeros(num_actions), [-np.inf, 0.0]])
    model.col_upper_ = np.full(num_actions + 2, np.inf)
    model.row_lower_ = np.append(np.full(num_replies, -np.inf), 1.0)
    model.row_upper_ = np.append(np.zeros(num_replies), 1.0)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.searchsorted(rows, np.arange(num_replies + 2))
    model.a_matrix_.index_ = columns
    model.a_matrix_.value_ = matrix[rows, columns]
    highs = silent_highs()
    for option, value in (("solver", "simplex"), ("presolve", "off")):
        highs.setOptionValue(option, value)
    highs.passModel(model)
    return RegionModel(highs, num_actions, num_replies)


def solve_region(
    model: RegionModel,
    reply: int,
    *,
    objective: FloatArray,
    floor: float,
    time_limit: float | None = None,
) -> RegionEstimate | None:
    """Optimize over one region; ``model`` is modified in place.

    Args:
        objective (num_actions,)
        floor: What the outside option pays.
        time_limit: Seconds.

    Returns:
        None if the solver found no optimum, for lack of time or accuracy.
    """
    highs = model.highs
    if model.reply >= 0:
        highs.changeRowBounds(model.reply, -np.inf, 0.0)
    highs.changeRowBounds(reply, 0.0, 0.0)
    model.reply = reply
    count = model.num_actions + 2
    costs = np.concatenate([objective, [0.0, floor]])
    highs.changeColsCost(count, np.arange(count, dtype=np.int32), costs)
    if time_limit is not None:  # the solver's clock runs on from one program to the next
        highs.setOptionValue("time_limit", highs.getRunTime() + time_limit)
    highs.run()
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        highs.clearSolver()
        return None
    multipliers = np.array(highs.getSolution().row_dual)[: model.num_replies]
    multipliers[reply] = 0.0
    return RegionEstimate(
        value=highs.getInfo().objective_function_value,
        multipliers=np.maximum(multipliers, 0.0),
        basis=_basis(highs),
    )


def _basis(highs: highspy.Highs) -> Basis:
    basis = highs.getBasis()
    basic = highspy.HighsBasisStatus.kBasic
    return Basis(
        columns=tuple(j for j, status in enumerate(basis.col_status) if status == basic),
        rows=tuple(i for i, status in enumerate(basis.row_status) if status != basic),
    )
