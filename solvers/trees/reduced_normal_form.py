"""Trees solved through their reduced normal form, and the equilibria carried back.

With perfect recall a mixed strategy over reduced plans and its behavioral form reach the same
outcomes against everybody (Kuhn 1953), so equilibria of the one are equilibria of the other. Each
profile carried back is certified afresh on the tree itself.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias, cast

from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.conversions.extensive_normal import (
    ExtensiveToNormal,
    extensive_to_normal,
)
from gametheory_core.errors import InvalidArgument, NotConverged
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.behavioral import BehavioralProfile, uniform_behavior
from gametheory_core.strategies.mixed import MixedProfile
from solvers.many_players.polynomial_supports import (
    PolynomialEquilibria,
    polynomial_support_enumeration,
)
from solvers.requirements import require_perfect_recall, require_tree, shown
from solvers.solution import (
    UNLIMITED,
    Budget,
    EquilibriumSet,
    Meter,
    OnIteration,
    RunRecord,
    Solution,
)
from solvers.trees.normal_form_results import NormalEquilibria, all_of, one_of, solutions_in

GRACE = 0.5  # seconds that a conversion may take beyond the budget

TreeSolution: TypeAlias = Solution[BehavioralProfile, NashCertificate]
TreeEquilibria: TypeAlias = EquilibriumSet[BehavioralProfile, NashCertificate]
CarryBack: TypeAlias = Callable[[MixedProfile], BehavioralProfile]


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
            equilibria the first is carried back, of a ``LogitBranch`` its limit.
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
    require_tree(game, function="one_through_normal_form")
    _require_solver(solver, "one_through_normal_form")
    require_perfect_recall(game, function="one_through_normal_form")
    meter = Meter(budget, "steps")
    conversion = _converted(game, meter)
    if conversion is None:
        run = meter.record("one_through_normal_form")
        evenly = _carried_back(game, uniform_behavior(game), run)
        raise _not_converted("one_through_normal_form", meter, evenly)
    to_source = conversion.correspondence.to_source
    try:
        found = solver(conversion.target, budget=meter.left, on_iteration=on_iteration)
    except NotConverged as error:
        carried = None
        for best in (solutions_in(error.best) or ())[:1]:
            carried = _carried_back(game, to_source(best.profile), _timed(best.run, meter))
        raise NotConverged(str(error), best=carried) from error
    first = one_of(found, function="one_through_normal_form", solver=solver)
    return _carried_back(game, to_source(first.profile), _timed(first.run, meter))


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
            is raised; but the solver has to return an ``EquilibriumSet`` or
            ``PolynomialEquilibria``.

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
    require_tree(game, function="all_through_normal_form")
    _require_solver(solver, "all_through_normal_form")
    require_perfect_recall(game, function="all_through_normal_form")
    meter = Meter(budget, "steps")
    conversion = _converted(game, meter)
    if conversion is None:
        raise _not_converted("all_through_normal_form", meter, _nothing_found(game, meter))
    to_source = conversion.correspondence.to_source
    try:
        found = solver(conversion.target, budget=meter.left, on_iteration=on_iteration)
    except NotConverged as error:
        if error.best is None:
            raise
        best = all_of(error.best, function="all_through_normal_form", solver=solver)
        carried = _all_carried_back(game, best, to_source, meter)
        raise NotConverged(str(error), best=carried) from error
    every = all_of(found, function="all_through_normal_form", solver=solver)
    return _all_carried_back(game, every, to_source, meter)


def isolated_equilibria(
    game: NormalFormGame,
    *,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> NormalEquilibria:
    """List what ``polynomial_support_enumeration`` finds, for trees of three players and more.

    Give it to ``all_through_normal_form``. Reduced normal forms of trees are often degenerate, and
    boxes may be left undecided; then the set says that it is not complete. Profiles that stand for
    irrational equilibria have their exact, tiny epsilon.
    """
    try:
        return polynomial_support_enumeration(game, budget=budget, on_iteration=on_iteration).found
    except NotConverged as error:
        best = cast("PolynomialEquilibria", error.best)
        raise NotConverged(str(error), best=best.found) from error


def _require_solver(solver: object, function: str) -> None:
    if not callable(solver):
        raise InvalidArgument(
            f"{function}: needs a solver for normal forms, but got {shown(solver)}. "
            "Give a function such as lemke_howson or vertex_enumeration."
        )


class _TimeIsOverError(Exception):
    """Ends a conversion from inside."""


def _converted(game: ExtensiveFormGame, meter: Meter) -> ExtensiveToNormal | None:
    """Build the reduced normal form; None if time is over before it is built.

    Small trees are converted within a grace period, so that solvers can show something.
    """

    def stop_in_time(_products: int) -> None:
        if meter.seconds_left == 0.0 and meter.seconds > (meter.budget.seconds or 0.0) + GRACE:
            raise _TimeIsOverError

    try:
        return extensive_to_normal(game, on_iteration=stop_in_time)
    except _TimeIsOverError:
        return None


def _not_converted(function: str, meter: Meter, best: object) -> NotConverged:
    return NotConverged(
        f"{function}: needs the reduced normal form, but the budget ended after "
        f"{meter.seconds:.1f} seconds while it was built. Give a larger budget.",
        best=best,
    )


def _nothing_found(game: ExtensiveFormGame, meter: Meter) -> TreeEquilibria:
    return EquilibriumSet(
        game=game,
        equilibria=(),
        is_complete=False,
        evidence="equilibria are missing: the reduced normal form was not built in time",
        completeness=None,
        run=meter.record("all_through_normal_form"),
    )


def _all_carried_back(
    game: ExtensiveFormGame, found: NormalEquilibria, to_source: CarryBack, meter: Meter
) -> TreeEquilibria:
    profiles = dict.fromkeys(to_source(solution.profile) for solution in found.equilibria)
    solutions = tuple(_carried_back(game, profile, found.run) for profile in profiles)
    run = _timed(found.run, meter)
    return EquilibriumSet(
        game=game,
        equilibria=tuple(replace(solution, run=run) for solution in solutions),
        is_complete=found.is_complete,
        evidence=f"in the reduced normal form: {found.evidence}",
        completeness=found.completeness,
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
