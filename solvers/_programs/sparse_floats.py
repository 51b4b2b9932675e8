"""Large sparse programs in floats: simplex pivots while they are few, else interior points.

The dual simplex method is the quickest on most programs of trees, but on some needs several pivots
a row. There the interior-point method of HiGHS with its crossover to a basis takes a fraction of
the time. Both can be watched: HiGHS asks between steps whether to go on.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import highspy

from solvers._programs.linear import (
    FloatOutcome,
    FloatSolution,
    LinearProgram,
    Scales,
    float_solution,
    model_of,
    new_highs,
    no_solution,
    scales_of,
)

Watch = Callable[[int], None]
TimeLimit = Callable[[], float | None]

LARGE = 50_000  # coefficients; below, simplex alone is the quickest
PIVOTS_A_ROW = 0.5  # that simplex may take before interior points do


def solve_sparse(
    program: LinearProgram,
    *,
    watch: Watch,
    time_limit: TimeLimit,
    pivot_limit: int | None = None,
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
