"""From a linear program to certified minimax strategies: floats first, then proof.

The steps that the solvers of zero-sum matrices and trees share. The primal solution is player 0's
strategy, the dual one player 1's.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Generic, TypeVar, cast

import numpy as np

from gametheory_core.arrays import NumberArray, object_array
from gametheory_core.certificates.equilibrium import MinimaxCertificate, certify_minimax
from gametheory_core.certificates.wording import at_most
from gametheory_core.errors import NotConverged
from gametheory_core.evaluation.collected_payoffs import expected_payoff
from gametheory_core.evaluation.payoffs import expected_value, scaled_action_payoffs
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import payoff_sum
from gametheory_core.strategies.behavioral import BehavioralProfile, Game
from gametheory_core.strategies.mixed import MixedProfile
from solvers._programs.exact import ExactOptimum, Tick, solve_exactly
from solvers._programs.linear import (
    Basis,
    FloatOutcome,
    FloatSolution,
    LinearProgram,
    solve_float,
    solve_sparse,
)
from solvers.solution import BudgetOver, Meter, Solution

ProfileT = TypeVar("ProfileT", MixedProfile, BehavioralProfile)


def simplex_floats(program: LinearProgram, meter: Meter) -> FloatSolution:
    """Solve in floats by the simplex method, and count its pivots."""
    found = solve_float(program, time_limit=meter.seconds_left, pivot_limit=meter.iterations_left)
    meter.step(found.pivots)
    return found


REPORT_EVERY = 0.05  # seconds


def sparse_floats(program: LinearProgram, meter: Meter) -> FloatSolution:
    """Solve a sparse program in floats within the budget; reports some times a second."""
    counted, last = 0, time.perf_counter()

    def watch(pivots: int) -> None:
        nonlocal counted, last
        now = time.perf_counter()
        if now - last >= REPORT_EVERY:
            meter.step(pivots - counted)
            counted, last = pivots, now

    found = solve_sparse(
        program,
        watch=watch,
        time_limit=lambda: meter.seconds_left,
        pivot_limit=meter.iterations_left,
    )
    meter.step(found.pivots - counted)
    return found


def simplex_optimum(
    program: LinearProgram, basis: Basis | None, tick: Tick, meter: Meter
) -> ExactOptimum:
    """Prove a basis, or repair it by exact pivots; the meter is looked at by ``tick`` alone."""
    del meter
    return solve_exactly(program, basis, tick=tick)


@dataclass(frozen=True)
class MinimaxTask(Generic[ProfileT]):
    """A zero-sum game and its linear program.

    Attributes:
        game: What is solved.
        float_program, exact_program: Build the program; the first may hold floats.
        profile_of: Turns exact or float (primal, dual) into a rational profile.
        fallback: Builds the profile to certify if the budget ends before anything is found.
        solve_floats: Solves a program in floats within a meter's budget, and counts its steps.
        solve_exact: Finds the exact optimum from a float basis, or from None.
        has_one_basis: Whether bases of the float program are bases of the exact one.
    """

    game: Game
    float_program: Callable[[], LinearProgram]
    exact_program: Callable[[], LinearProgram]
    profile_of: Callable[[NumberArray, NumberArray], ProfileT]
    fallback: Callable[[], ProfileT]
    solve_floats: Callable[[LinearProgram, Meter], FloatSolution] = simplex_floats
    solve_exact: Callable[[LinearProgram, Basis | None, Tick, Meter], ExactOptimum] = (
        simplex_optimum
    )
    has_one_basis: bool = False


def solve_certified(
    task: MinimaxTask[ProfileT], *, tolerance: float | None, meter: Meter
) -> Solution[ProfileT, MinimaxCertificate]:
    """Solve a task exactly, or to a tolerance in payoff units if one is given.

    Raises:
        NotConverged: If the budget ends first; ``best`` is the best certified solution so far.
    """
    certified = partial(certified_solution, task.game, meter=meter)
    approximate: FloatSolution | None = None
    if not meter.is_exhausted:
        approximate = task.solve_floats(task.float_program(), meter)
    candidate = None
    if tolerance is not None and _has_solution(approximate):
        candidate = certified(_float_profile(task, approximate))
        if candidate.certificate.epsilon <= Fraction(tolerance):
            return candidate
    try:
        start = approximate if task.has_one_basis or tolerance is None else None
        return certified(_exact_profile(task, start, meter))
    except BudgetOver:
        pass
    if candidate is None and _has_solution(approximate):
        candidate = certified(_float_profile(task, approximate))
    if candidate is None:
        candidate = certified(task.fallback())
    if not candidate.certificate.epsilon:
        return candidate
    raise NotConverged(
        needs="an exact solution" if tolerance is None else f"an epsilon of at most {tolerance}",
        found=f"the budget ended with epsilon {at_most(candidate.certificate.epsilon)} after "
        f"{meter.iterations} pivots",
        remedy="Give a larger budget, or use the exception's best.",
        best=candidate,
    )


def certified_solution(
    game: Game, profile: ProfileT, *, meter: Meter, paid: Fraction | None = None
) -> Solution[ProfileT, MinimaxCertificate]:
    """Measure a profile and report it; ``paid`` to player 0 if that is known."""
    certificate = certify_minimax(game, profile)
    if not certificate.epsilon:  # both guarantees meet, so this is what is paid
        first = certificate.lower
    elif paid is not None:
        first = paid
    elif isinstance(game, NormalFormGame) and isinstance(profile, MixedProfile):
        values = scaled_action_payoffs(game, profile, player=0)
        first = expected_value(values, profile.strategies[0])
    else:
        tree, behavior = cast("ExtensiveFormGame", game), cast("BehavioralProfile", profile)
        first = expected_payoff(tree, behavior.to_exact(), player=0)
    payoffs = (first, payoff_sum(game) - first)
    return Solution(profile, payoffs, certificate, meter.record())


def dense_program(
    matrix: NumberArray,
    objective: NumberArray,
    *,
    is_equation: Any,
    is_free: Any,
    bounds: NumberArray | None = None,
) -> LinearProgram:
    """Write a program in sparse form; by default bounds are 0, but 1 in the last row."""
    rows, columns = np.nonzero(matrix)
    if bounds is None:
        bounds = object_array([0] * (len(matrix) - 1) + [1])
    return LinearProgram(
        objective=objective,
        rows=rows.astype(np.int32),
        columns=columns.astype(np.int32),
        values=matrix[rows, columns],
        bounds=bounds,
        is_equation=is_equation,
        is_free=is_free,
    )


def _has_solution(solution: FloatSolution | None) -> bool:
    return solution is not None and solution.outcome is FloatOutcome.OPTIMAL


def _float_profile(task: MinimaxTask[ProfileT], solution: FloatSolution | None) -> ProfileT:
    found = cast("FloatSolution", solution)
    return task.profile_of(found.primal, found.dual)


def _exact_profile(
    task: MinimaxTask[ProfileT], approximate: FloatSolution | None, meter: Meter
) -> ProfileT:
    meter.require_more()
    program = task.exact_program()
    if approximate is None:  # the float program may have been another one
        approximate = task.solve_floats(program, meter)
    optimum = task.solve_exact(program, approximate.basis, meter.tick, meter)
    return task.profile_of(optimum.primal, optimum.dual)
