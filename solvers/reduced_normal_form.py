"""Trees solved through their reduced normal form, and the equilibria carried back.

With perfect recall a mixed strategy over reduced plans and its behavioral form reach the same
outcomes against everybody (Kuhn 1953), so equilibria of the one are equilibria of the other. Each
profile carried back is certified afresh on the tree itself.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias, cast

from gametheory_core.arguments import shown
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.conversions.extensive_normal import ExtensiveToNormal, extensive_to_normal
from gametheory_core.errors import InvalidArgument, NotConverged, UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.strategies.behavioral import BehavioralProfile, uniform_behavior
from gametheory_core.strategies.mixed import MixedProfile
from solvers.requirements import a_normal_form, a_tree, few_plans, perfect_recall
from solvers.solution import (
    UNLIMITED,
    Budget,
    BudgetOver,
    Meter,
    OnIteration,
    RunRecord,
    Solution,
    SolutionSet,
    solution_of,
)
from solvers.solver import Conversion, open_meter, solver

GRACE = 0.5  # seconds that a conversion may take beyond the budget

TreeSolution: TypeAlias = Solution[BehavioralProfile, NashCertificate]
TreeEquilibria: TypeAlias = SolutionSet[BehavioralProfile, NashCertificate]
NormalSolution: TypeAlias = Solution[MixedProfile, NashCertificate]
NormalEquilibria: TypeAlias = SolutionSet[MixedProfile, NashCertificate]
CarryBack: TypeAlias = Callable[[MixedProfile], BehavioralProfile]


@solver(takes=(a_tree, perfect_recall), unit="steps", page="trees")
def one_through_normal_form(
    game: ExtensiveFormGame,
    solver: Callable[..., Any],
    *,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> TreeSolution:
    """Find one equilibrium of a tree with a solver for normal forms.

    Args:
        game: Perfect recall, any number of players.
        solver (function): Takes a normal form, ``budget`` and ``on_iteration``. Of a set of
            equilibria the first is carried back.
        budget: For the conversion and the solver together.

    Raises:
        UnsupportedGame: If a player lacks perfect recall, the reduced normal form is too large, or
            it has no equilibrium of the kind that the solver looks for.
        NotConverged: If the budget ends first; ``best`` is the solver's, carried back. If its
            seconds are over before the normal form is built, it is even play, or an empty set. Also
            if the solver found nothing and cannot exclude that there is something.
        InvalidArgument: If the solver returns something else.

    >>> from gametheory_core import load_game
    >>> from solvers import lemke_howson
    >>> solution = one_through_normal_form(load_game("beer_quiche"), lemke_howson)
    >>> solution.certificate.epsilon
    Fraction(0, 1)
    """
    _require_solver(solver)
    meter = open_meter(budget, on_iteration)
    conversion = _converted(game, meter)
    if conversion is None:
        run = meter.record()
        evenly = _carried_back(game, uniform_behavior(game), run)
        raise _not_converted(meter, evenly)
    to_source = conversion.correspondence.to_source
    try:
        found = solver(conversion.target, budget=meter.left, on_iteration=on_iteration)
    except NotConverged as error:
        carried = None
        for best in (_solutions_in(error.best) or ())[:1]:
            carried = _carried_back(game, to_source(best.profile), _timed(best.run, meter))
        raise error.changed(best=carried) from error
    first = _one_of(found, solver)
    return _carried_back(game, to_source(first.profile), _timed(first.run, meter))


@solver(takes=(a_tree, perfect_recall), unit="steps", page="trees")
def all_through_normal_form(
    game: ExtensiveFormGame,
    solver: Callable[..., Any],
    *,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> TreeEquilibria:
    """Find all (extreme) equilibria of a tree with an enumerating solver for normal forms.

    Args:
        game, solver, budget, on_iteration: As for ``one_through_normal_form``, which also says what
            is raised; but the solver has to return a ``SolutionSet``, or a record with one.

    Returns:
        Complete in the sense of the solver, *in the reduced normal form*: every equilibrium of the
        tree pays, and leads to ends of play, as a mix of what is listed does. Profiles that
        coincide as behavioral strategies are listed once; where a player's own strategy rules an
        information set out, behavior is uniform there, and other behavior is not listed apart.

    >>> from gametheory_core import load_game
    >>> from solvers import vertex_enumeration
    >>> len(all_through_normal_form(load_game("beer_quiche"), vertex_enumeration).equilibria)
    4
    """
    _require_solver(solver)
    meter = open_meter(budget, on_iteration)
    conversion = _converted(game, meter)
    if conversion is None:
        raise _not_converted(meter, _nothing_found(game, meter))
    to_source = conversion.correspondence.to_source
    try:
        found = solver(conversion.target, budget=meter.left, on_iteration=on_iteration)
    except NotConverged as error:
        if error.best is None:
            raise
        best = _all_of(error.best, solver)
        carried = _all_carried_back(game, best, to_source, meter)
        raise error.changed(best=carried) from error
    every = _all_of(found, solver)
    carried = _all_carried_back(game, every, to_source, meter)
    if every.is_complete and not carried.is_complete:
        raise NotConverged(
            needs=f"the {len(every.equilibria)} equilibria of the reduced normal form in the tree",
            found=f"the budget ended after {meter.seconds:.1f} seconds; {carried.evidence}",
            best=carried,
        )
    return carried


def _one_of(found: object, solver: object) -> NormalSolution:
    """Return the equilibrium found, or the first of a set."""
    _function, solutions = "one_through_normal_form", _solutions_in(found)
    if solutions is None:
        raise InvalidArgument(
            needs="a solver that returns an equilibrium, a set of them or a record with its "
            "solution",
            found=f"{_name_of(solver)} returned {type(found).__name__}",
            remedy="Give a function such as lemke_howson, pure or logit_homotopy.",
        )
    if solutions:
        return solutions[0]
    if cast("NormalEquilibria", solution_of(found)).is_complete:
        raise UnsupportedGame(
            needs=f"an equilibrium that {_name_of(solver)} looks for",
            found="the reduced normal form has none",
            remedy="Try logit_homotopy.",
        )
    raise NotConverged(
        needs="an equilibrium",
        found=f"{_name_of(solver)} found none and left some possibilities open",
        remedy="Try logit_homotopy.",
    )


def _all_of(found: object, solver: object) -> NormalEquilibria:
    """Return the set of equilibria found."""
    equilibria = solution_of(found)
    if not isinstance(equilibria, SolutionSet) or _solutions_in(equilibria) is None:
        raise InvalidArgument(
            needs="a solver that returns a set of equilibria",
            found=f"{_name_of(solver)} returned {type(found).__name__}",
            remedy="Give a function such as vertex_enumeration or pure, or use "
            "one_through_normal_form.",
        )
    return cast("NormalEquilibria", equilibria)


def _solutions_in(found: object) -> tuple[NormalSolution, ...] | None:
    """Return the mixed profiles that a result holds, the best first; None if it holds none."""
    solutions = solution_of(found)
    listed = solutions.equilibria if isinstance(solutions, SolutionSet) else (solutions,)
    if all(isinstance(own, Solution) and isinstance(own.profile, MixedProfile) for own in listed):
        return cast("tuple[NormalSolution, ...]", listed)
    return None


def _name_of(solver: object) -> str:
    return str(getattr(solver, "__name__", shown(solver)))


def _require_solver(solver: object) -> None:
    if not callable(solver):
        raise InvalidArgument(
            needs="a solver for normal forms",
            found=f"got {shown(solver)}",
            remedy="Give a function such as lemke_howson or vertex_enumeration.",
        )


def _converted(game: ExtensiveFormGame, meter: Meter) -> ExtensiveToNormal | None:
    """Build the reduced normal form; None if time is over before it is built.

    Small trees are converted within a grace period, so that solvers can show something.
    """

    def stop_in_time(_products: int) -> None:
        if meter.seconds_left == 0.0 and meter.seconds > (meter.budget.seconds or 0.0) + GRACE:
            raise BudgetOver

    try:
        return extensive_to_normal(game, on_iteration=stop_in_time)
    except BudgetOver:
        return None


def _not_converted(meter: Meter, best: object) -> NotConverged:
    return NotConverged(
        needs="the reduced normal form",
        found=f"the budget ended after {meter.seconds:.1f} seconds while it was built",
        best=best,
    )


def _nothing_found(game: ExtensiveFormGame, meter: Meter) -> TreeEquilibria:
    return SolutionSet(
        game=game,
        equilibria=(),
        is_complete=False,
        evidence="equilibria are missing: the reduced normal form was not built in time",
        completeness=None,
        run=meter.record(),
    )


def _all_carried_back(
    game: ExtensiveFormGame, found: NormalEquilibria, to_source: CarryBack, meter: Meter
) -> TreeEquilibria:
    """Carry equilibria back until time, and a grace period, is over; the rest is missing."""
    solutions: dict[BehavioralProfile, TreeSolution] = {}
    latest = max(meter.seconds, meter.budget.seconds or 0.0) + GRACE
    num_carried = 0
    for solution in found.equilibria:
        if meter.seconds_left == 0.0 and meter.seconds > latest:
            break
        profile = to_source(solution.profile)
        if profile not in solutions:
            solutions[profile] = _carried_back(game, profile, found.run)
        num_carried += 1
    run, num_found = _timed(found.run, meter), len(found.equilibria)
    is_all = num_carried == num_found
    missing = f"equilibria are missing: {num_carried} of {num_found} were carried back in time"
    return SolutionSet(
        game=game,
        equilibria=tuple(replace(solution, run=run) for solution in solutions.values()),
        is_complete=found.is_complete and is_all,
        evidence=f"in the reduced normal form: {found.evidence if is_all else missing}",
        completeness=found.completeness if is_all else None,
        run=run,
    )


def _carried_back(
    game: ExtensiveFormGame, profile: BehavioralProfile, run: RunRecord
) -> TreeSolution:
    certificate = certify_nash(game, profile)
    return Solution(profile, certificate.payoffs, certificate, run)


def _timed(run: RunRecord, meter: Meter) -> RunRecord:
    """Count the conversion's time as well."""
    return replace(run, seconds=meter.seconds)


def _through(
    game: ExtensiveFormGame,
    solve: Callable[..., Any],
    *,
    lists: bool,
    budget: Budget,
    on_iteration: OnIteration | None,
) -> TreeSolution | TreeEquilibria:
    carry = all_through_normal_form if lists else one_through_normal_form
    return carry(game, solve, budget=budget, on_iteration=on_iteration)


reduced_normal_form = Conversion(
    kind=a_normal_form,
    target="extensive_to_normal(game).target",
    takes=(a_tree, perfect_recall, few_plans),
    because="the tree's reduced normal form is solved and the result carried back",
    solve=_through,
)
