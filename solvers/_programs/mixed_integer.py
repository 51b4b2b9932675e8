"""Mixed-integer programs, and the door to HiGHS' branch and bound, which solves them in floats.

maximise c'x   subject to   A_i x <= b_i  or  A_i x == b_i,   x_j >= 0,  free,  or  in {0, 1}.

Whatever comes out is a proposal: values are right up to tolerances, and proofs are made elsewhere.
"""

from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np

from gametheory_core.arrays import FloatArray
from solvers._programs.linear import (
    BoolArray,
    FloatOutcome,
    LinearProgram,
    Scales,
    model_of,
    scales_of,
    unscaled,
)
from solvers._programs.silent_highs import silent_highs

FEASIBILITY = 1e-9  # of rows and binary values, after scaling


@dataclass(frozen=True, eq=False)
class MixedIntegerProgram:
    """A mixed-integer program to maximise.

    Attributes:
        relaxation: Everything but the integrality; integer or float data.
        is_binary (num_columns,): Whether a variable must be 0 or 1; such a variable must not be
            free.
    """

    relaxation: LinearProgram
    is_binary: BoolArray


@dataclass(frozen=True, eq=False)
class MixedIntegerSolution:
    """What branch and bound says.

    Attributes:
        outcome: LIMIT_REACHED may come with a feasible point.
        primal (num_columns,): The best feasible point found, binary variables rounded; None if
            there is none.
        value: The objective there; minus infinity without a point, infinite if too large for a
            float.
        bound: No point has a larger objective, up to floating-point error.
        nodes: Of the search tree.
    """

    outcome: FloatOutcome
    primal: FloatArray | None
    value: float
    bound: float
    nodes: int


def solve_mixed_integer(
    program: MixedIntegerProgram, *, time_limit: float | None = None, node_limit: int | None = None
) -> MixedIntegerSolution:
    """Solve in floats with HiGHS, single-threaded, without an allowed gap.

    Rows, columns and objective are first scaled by powers of two, binary columns left as they are.

    Args:
        time_limit: Seconds.
        node_limit: Nodes of the search tree.
    """
    relaxation = program.relaxation
    scales = scales_of(relaxation, is_fixed=program.is_binary)
    model = model_of(relaxation, scales)
    if not _are_readable(model):
        return _without_point(FloatOutcome.FAILED)
    highs = _new_highs(time_limit, node_limit)
    if highs.passModel(_with_integers(model, program.is_binary)) == highspy.HighsStatus.kError:
        return _without_point(FloatOutcome.FAILED)
    highs.run()
    outcome = _outcome(highs)
    info = highs.getInfo()
    has_point = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    if outcome not in _WITH_POINT or not has_point:
        bound = -np.inf if outcome is FloatOutcome.INFEASIBLE else np.inf
        if outcome is FloatOutcome.LIMIT_REACHED:
            bound = _unscaled_objective(info.mip_dual_bound, scales)
        return _without_point(outcome, bound=bound, nodes=_nodes(info))
    primal = unscaled(highs.getSolution().col_value, -scales.columns)
    primal[program.is_binary] = np.rint(primal[program.is_binary])
    bound = info.mip_dual_bound if program.is_binary.any() else info.objective_function_value
    return MixedIntegerSolution(
        outcome=outcome,
        primal=primal,
        value=_unscaled_objective(info.objective_function_value, scales),
        bound=_unscaled_objective(bound, scales),
        nodes=_nodes(info),
    )


_WITH_POINT = (FloatOutcome.OPTIMAL, FloatOutcome.LIMIT_REACHED)

_OUTCOMES = {
    highspy.HighsModelStatus.kOptimal: FloatOutcome.OPTIMAL,
    highspy.HighsModelStatus.kInfeasible: FloatOutcome.INFEASIBLE,
    highspy.HighsModelStatus.kUnbounded: FloatOutcome.UNBOUNDED,
    highspy.HighsModelStatus.kTimeLimit: FloatOutcome.LIMIT_REACHED,
    highspy.HighsModelStatus.kIterationLimit: FloatOutcome.LIMIT_REACHED,
    highspy.HighsModelStatus.kSolutionLimit: FloatOutcome.LIMIT_REACHED,
}


def _outcome(highs: Any) -> FloatOutcome:
    """Tell infeasible from unbounded, where HiGHS does not, by a program without an objective."""
    status = highs.getModelStatus()
    if status != highspy.HighsModelStatus.kUnboundedOrInfeasible:
        return _OUTCOMES.get(status, FloatOutcome.FAILED)
    count = highs.getNumCol()
    highs.changeColsCost(count, np.arange(count, dtype=np.int32), np.zeros(count))
    highs.run()
    outcome = _OUTCOMES.get(highs.getModelStatus(), FloatOutcome.FAILED)
    return FloatOutcome.UNBOUNDED if outcome is FloatOutcome.OPTIMAL else outcome


def _unscaled_objective(value: float, scales: Scales) -> float:
    with np.errstate(over="ignore"):
        return float(np.ldexp(value, scales.objective))


def _without_point(
    outcome: FloatOutcome, *, bound: float = np.inf, nodes: int = 0
) -> MixedIntegerSolution:
    return MixedIntegerSolution(outcome, primal=None, value=-np.inf, bound=bound, nodes=nodes)


def _nodes(info: Any) -> int:
    return max(0, int(info.mip_node_count))


def _new_highs(time_limit: float | None, node_limit: int | None) -> Any:
    highs = silent_highs()
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.setOptionValue("mip_abs_gap", 0.0)
    highs.setOptionValue("mip_feasibility_tolerance", FEASIBILITY)
    highs.setOptionValue("primal_feasibility_tolerance", FEASIBILITY)
    highs.setOptionValue("dual_feasibility_tolerance", FEASIBILITY)
    if time_limit is not None:
        highs.setOptionValue("time_limit", time_limit)
    if node_limit is not None:
        highs.setOptionValue("mip_max_nodes", node_limit)
    return highs


def _with_integers(model: Any, is_binary: BoolArray) -> Any:
    upper = np.array(model.col_upper_)
    upper[is_binary] = 1.0
    model.col_upper_ = upper
    kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
    model.integrality_ = [kinds[binary] for binary in is_binary.tolist()]
    return model


def _are_readable(model: Any) -> bool:
    """Tell whether all numbers are finite: HiGHS reads infinite coefficients as it likes."""
    return bool(np.isfinite(model.col_cost_).all() and np.isfinite(model.a_matrix_.value_).all())
