"""Two-player constant-sum games by linear programming: what matrix and tree solvers share.

A float solve finds the basis; an exact solve of that basis gives rational strategies for both
players at once, the first from the primal, the second from the dual side; the core certifies them.
With a tolerance, the float strategies are enough if their certified interval is no wider.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from gametheory_core.arrays import NumberArray, to_fraction
from gametheory_core.certificates.minimax import MinimaxCertificate, certify_minimax
from gametheory_core.errors import InvalidArgument, NotConverged
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import FloatOutcome, FloatSolution, LinearProgram, solve_float
from solvers.solution import Meter, Solution

AnyProfile = TypeVar("AnyProfile", MixedProfile, BehavioralProfile)


@dataclass(frozen=True, eq=False)
class ZeroSumProblem(Generic[AnyProfile]):
    """A game, its linear program, and the way back.

    Attributes
    ----------
    game : NormalFormGame or ExtensiveFormGame
        Two players, constant sum.
    float_program : LinearProgram
        For HiGHS.
    exact_program : function
        Builds the same program in integers; called only when exactness is asked for.
    profile : function
        Makes a profile of the primal and the dual solution, exact or float.
    fallback : MixedProfile or BehavioralProfile
        What to certify when the budget ends before anything was found.
    """

    game: NormalFormGame | ExtensiveFormGame
    float_program: LinearProgram
    exact_program: Callable[[], LinearProgram]
    profile: Callable[[NumberArray, NumberArray], AnyProfile]
    fallback: AnyProfile


class _OutOfBudget(Exception):
    """Stops the exact repair; never leaves this module."""


def solve_zero_sum(
    problem: ZeroSumProblem[AnyProfile],
    *,
    tolerance: float | None,
    meter: Meter,
    algorithm: str,
) -> Solution[AnyProfile, MinimaxCertificate]:
    """Solve the program, exactly unless a tolerance is given, and certify both strategies.

    Raises
    ------
    NotConverged
        If the budget ends first; ``best`` is the best certified solution found.
    """
    accepted = _accepted(tolerance, algorithm)
    found = solve_float(problem.float_program, time_limit=meter.seconds_left)
    meter.step()
    best: Solution[AnyProfile, MinimaxCertificate] | None = None
    if accepted is not None or meter.is_exhausted:
        best = _float_solution(problem, found, meter, algorithm)
        if accepted is not None and best.certificate.epsilon <= accepted:
            return best
    try:
        _stop_if_exhausted(meter)
        program = problem.exact_program()
        _stop_if_exhausted(meter)
        optimum = solve_exactly(program, found.basis, on_pivot=lambda: _repair(meter))
        _stop_if_exhausted(meter)
    except _OutOfBudget:
        best = best or _float_solution(problem, found, meter, algorithm)
        raise NotConverged(
            f"{algorithm}: needs an exact solution, but the budget ended after "
            f"{meter.seconds:.3g} s; the best certified interval for the value is "
            f"[{float(best.certificate.lower):.9g}, {float(best.certificate.upper):.9g}]. "
            "Give a larger budget, or use the solution in the exception's best.",
            best=best,
        ) from None
    return _solution(problem, problem.profile(optimum.primal, optimum.dual), meter, algorithm)


def _accepted(tolerance: float | None, algorithm: str) -> Fraction | None:
    if tolerance is None:
        return None
    if not tolerance >= 0 or tolerance == float("inf"):
        raise InvalidArgument(
            f"{algorithm}: needs a finite tolerance of at least 0, in payoff units, "
            f"but got {tolerance!r}."
        )
    return to_fraction(tolerance, where="tolerance")


def _repair(meter: Meter) -> None:
    meter.step()
    _stop_if_exhausted(meter)


def _stop_if_exhausted(meter: Meter) -> None:
    if meter.is_exhausted:
        raise _OutOfBudget


def _float_solution(
    problem: ZeroSumProblem[AnyProfile], found: FloatSolution, meter: Meter, algorithm: str
) -> Solution[AnyProfile, MinimaxCertificate]:
    usable = found.outcome is FloatOutcome.OPTIMAL
    profile = problem.profile(found.primal, found.dual) if usable else problem.fallback
    return _solution(problem, profile, meter, algorithm)


def _solution(
    problem: ZeroSumProblem[AnyProfile], profile: AnyProfile, meter: Meter, algorithm: str
) -> Solution[AnyProfile, MinimaxCertificate]:
    certificate = certify_minimax(problem.game, profile)
    exact = profile.to_exact()
    if certificate.epsilon:
        payoffs = tuple(expected_payoffs(problem.game, exact).tolist())
    else:
        total = certificate.payoff_sum
        payoffs = (certificate.lower, total - certificate.lower)
    return Solution(exact, payoffs, certificate, meter.record(algorithm))
