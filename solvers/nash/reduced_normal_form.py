"""Trees solved through their reduced normal form, and the equilibria carried back.

With perfect recall a mixed strategy over reduced plans and its behavioral form reach the same
outcomes against everybody (Kuhn 1953), so equilibria of the one are equilibria of the other. Each
profile carried back is certified afresh on the tree itself.
"""

from collections.abc import Callable
from typing import TypeAlias, cast

from gametheory_core.certificates.nash import NashCertificate, certify_nash
from gametheory_core.conversions.extensive_normal import extensive_to_normal
from gametheory_core.errors import NotConverged
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile
from solvers.requirements import require_perfect_recall, require_tree
from solvers.solution import EquilibriumSet, Solution

TreeSolution: TypeAlias = Solution[BehavioralProfile, NashCertificate]
NormalSolution: TypeAlias = Solution[MixedProfile, NashCertificate]
TreeEquilibria: TypeAlias = EquilibriumSet[BehavioralProfile, NashCertificate]
NormalEquilibria: TypeAlias = EquilibriumSet[MixedProfile, NashCertificate]


def one_through_normal_form(
    game: ExtensiveFormGame, solver: Callable[[NormalFormGame], NormalSolution]
) -> TreeSolution:
    """Find one equilibrium of a tree with a solver for normal forms.

    Raises
    ------
    UnsupportedGame
        If a player lacks perfect recall, or the reduced normal form is too large.
    """
    require_tree(game, function="one_through_normal_form")
    require_perfect_recall(game, function="one_through_normal_form")
    conversion = extensive_to_normal(game)
    to_source = conversion.correspondence.to_source
    try:
        found = solver(conversion.target)
    except NotConverged as error:
        best = cast("NormalSolution | None", error.best)
        raise NotConverged(
            str(error), best=best and _carried_back(game, to_source(best.profile), best)
        ) from error
    return _carried_back(game, to_source(found.profile), found)


def all_through_normal_form(
    game: ExtensiveFormGame, solver: Callable[[NormalFormGame], NormalEquilibria]
) -> TreeEquilibria:
    """Find all (extreme) equilibria of a tree with an enumerating solver for normal forms.

    Profiles that coincide as behavioral strategies are listed once.

    Raises
    ------
    UnsupportedGame
        If a player lacks perfect recall, or the reduced normal form is too large.
    """
    require_tree(game, function="all_through_normal_form")
    require_perfect_recall(game, function="all_through_normal_form")
    conversion = extensive_to_normal(game)
    to_source = conversion.correspondence.to_source
    try:
        found = solver(conversion.target)
    except NotConverged as error:
        best = cast("NormalEquilibria | None", error.best)
        raise NotConverged(
            str(error), best=best and _all_carried_back(game, best, to_source)
        ) from error
    return _all_carried_back(game, found, to_source)


def _all_carried_back(
    game: ExtensiveFormGame,
    found: NormalEquilibria,
    to_source: Callable[[MixedProfile], BehavioralProfile],
) -> TreeEquilibria:
    carried: dict[BehavioralProfile, TreeSolution] = {}
    for solution in found.equilibria:
        profile = to_source(solution.profile)
        if profile not in carried:
            carried[profile] = _carried_back(game, profile, solution)
    return EquilibriumSet(
        game=game,
        equilibria=tuple(carried.values()),
        is_complete=found.is_complete,
        evidence=f"in the reduced normal form: {found.evidence}",
        completeness=found.completeness,
        run=found.run,
    )


def _carried_back(
    game: ExtensiveFormGame, profile: BehavioralProfile, found: NormalSolution
) -> TreeSolution:
    certificate = certify_nash(game, profile)
    return Solution(profile, certificate.payoffs, certificate, found.run)
