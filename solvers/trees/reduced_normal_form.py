"""Trees solved through their reduced normal form, and the equilibria carried back.

With perfect recall a mixed strategy over reduced plans and its behavioral form reach the same
outcomes against everybody (Kuhn 1953), so equilibria of the one are equilibria of the other. Each
profile carried back is certified afresh on the tree itself.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias, cast

from gametheory_core.certificates.nash import NashCertificate, certify_nash
from gametheory_core.conversions.extensive_normal import extensive_to_normal
from gametheory_core.errors import NotConverged
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile
from solvers.requirements import require_perfect_recall, require_tree
from solvers.solution import (
    UNLIMITED,
    Budget,
    EquilibriumSet,
    Meter,
    OnIteration,
    RunRecord,
    Solution,
)

TreeSolution: TypeAlias = Solution[BehavioralProfile, NashCertificate]
NormalSolution: TypeAlias = Solution[MixedProfile, NashCertificate]
TreeEquilibria: TypeAlias = EquilibriumSet[BehavioralProfile, NashCertificate]
NormalEquilibria: TypeAlias = EquilibriumSet[MixedProfile, NashCertificate]
CarryBack: TypeAlias = Callable[[MixedProfile], BehavioralProfile]


def one_through_normal_form(
    game: ExtensiveFormGame,
    solver: Callable[..., NormalSolution],
    *,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> TreeSolution:
    """Find one equilibrium of a tree with a solver for normal forms.

    Parameters
    ----------
    solver : function
        Takes a normal form, ``budget`` and ``on_iteration``.
    budget : Budget
        For the conversion and the solver together.

    Raises
    ------
    UnsupportedGame
        If a player lacks perfect recall, or the reduced normal form is too large.
    NotConverged
        If the budget ends first; ``best`` is the solver's, carried back.
    """
    require_tree(game, function="one_through_normal_form")
    require_perfect_recall(game, function="one_through_normal_form")
    meter = Meter(budget, "steps")
    conversion = extensive_to_normal(game)
    to_source = conversion.correspondence.to_source
    try:
        found = solver(conversion.target, budget=meter.left, on_iteration=on_iteration)
    except NotConverged as error:
        best = cast("NormalSolution | None", error.best)
        carried = best and _carried_back(game, to_source(best.profile), _timed(best.run, meter))
        raise NotConverged(str(error), best=carried) from error
    return _carried_back(game, to_source(found.profile), _timed(found.run, meter))


def all_through_normal_form(
    game: ExtensiveFormGame,
    solver: Callable[..., NormalEquilibria],
    *,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> TreeEquilibria:
    """Find all (extreme) equilibria of a tree with an enumerating solver for normal forms.

    Profiles that coincide as behavioral strategies are listed once. Parameters and exceptions are
    those of ``one_through_normal_form``.
    """
    require_tree(game, function="all_through_normal_form")
    require_perfect_recall(game, function="all_through_normal_form")
    meter = Meter(budget, "steps")
    conversion = extensive_to_normal(game)
    to_source = conversion.correspondence.to_source
    try:
        found = solver(conversion.target, budget=meter.left, on_iteration=on_iteration)
    except NotConverged as error:
        best = cast("NormalEquilibria", error.best)
        carried = _all_carried_back(game, best, to_source, meter)
        raise NotConverged(str(error), best=carried) from error
    return _all_carried_back(game, found, to_source, meter)


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
