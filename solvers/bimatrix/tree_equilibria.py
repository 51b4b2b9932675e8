"""The best equilibrium of a two-player tree: through its reduced normal form, carried back.

Strictly competitive trees of any size need none: all their equilibria pay the same.
"""

from collections.abc import Callable
from typing import cast

from gametheory_core import BehavioralProfile, ExtensiveFormGame
from gametheory_core.certificates.optimal_equilibrium import (
    SUPPORT_OBJECTIVES,
    EquilibriumObjective,
    OptimalEquilibriumCertificate,
)
from gametheory_core.certificates.optimal_tree_equilibrium import (
    OptimalTreeEquilibriumCertificate,
    certify_optimal_tree_equilibrium,
)
from gametheory_core.conversions import count_plans, extensive_to_normal
from gametheory_core.errors import InvalidArgument, NotConverged, UnsupportedGame
from gametheory_core.games.competition import is_strictly_competitive
from gametheory_core.strategies.mixed import MixedProfile
from solvers.bimatrix.equilibrium_program import mixed_integer
from solvers.concepts import Concept, chosen_player
from solvers.requirements import a_tree, perfect_recall, two_players
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.trees.competition import twin_minimax

MOST_ENTRIES = 30_000_000  # nonzero coefficients of a relaxation

TreeSolution = Solution[BehavioralProfile, OptimalTreeEquilibriumCertificate]
PlanSolution = Solution[MixedProfile, OptimalEquilibriumCertificate]
CarryBack = Callable[[MixedProfile], BehavioralProfile]


@solver(
    Answers(Concept.BEST_NASH, rank=20),
    takes=(a_tree, two_players, perfect_recall),
    unit="linear programs",
    because="two players: branch and bound over the plans that are played, with a proof that no "
    "equilibrium is better; minimax strategies where interests are opposed",
    page="nash",
)
def extensive_best_nash(
    game: ExtensiveFormGame,
    *,
    objective: EquilibriumObjective = EquilibriumObjective.LARGEST_WELFARE,
    player: int | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> TreeSolution:
    """Find the Nash equilibrium of a tree that is best for an objective, and prove it.

    Args:
        game: Two players, perfect recall; chance is allowed.
        objective: What to make large or small: the sum of payoffs, or one player's payoff.
        player: Whose payoff, for the objectives about one player's. Default: the first's.
        budget: Iterations are linear programs.

    Returns:
        An exact equilibrium in behavioral strategies; the certificate's epsilon is 0: none is
        better. Behavior that the player's own strategy rules out is uniform.

    Raises:
        UnsupportedGame: If there are too many plans, and interests are not opposed.
        InvalidArgument: If the objective is about numbers of actions.
        NotConverged: If the budget ends first; ``best`` is the best equilibrium found, and its
            certificate says how much better another one may be at most. None if not even one was
            found.

    The relaxation has a variable for each pair of reduced plans, which are exponentially many in
    the number of information sets. In strictly competitive trees of any size all equilibria pay the
    same, and one linear program over sequences finds one.

    >>> from gametheory_core import Decision, Terminal, from_sketch
    >>> reply = Decision(1, "", {"fight": Terminal([-1, -1]), "share": Terminal([1, 1])})
    >>> entry = Decision(0, "", {"out": Terminal([0, 2]), "in": reply})
    >>> game = from_sketch(entry, players=("Entrant", "Incumbent"))
    >>> most = EquilibriumObjective.LARGEST_PAYOFF
    >>> extensive_best_nash(game, objective=most, player=1).payoffs
    (Fraction(0, 1), Fraction(2, 1))
    """
    whose = chosen_player(objective, player) or 0
    if objective in SUPPORT_OBJECTIVES:
        raise InvalidArgument(
            needs="an objective about payoffs",
            found=f"got {objective.value!r}",
            remedy="Ask mixed_integer on extensive_to_normal(game).target for few or many plans.",
            where="objective",
        )
    meter = open_meter(budget, on_iteration)
    if is_strictly_competitive(game):
        return _by_competition(game, objective, whose, meter)
    _require_few_plans(game)
    conversion = extensive_to_normal(game)
    to_source = conversion.correspondence.to_source
    try:
        found = mixed_integer(
            conversion.target,
            objective=objective,
            player=player,
            budget=meter.left,
            on_iteration=on_iteration,
        )
    except NotConverged as error:
        best = cast("PlanSolution | None", error.best)
        carried = None if best is None else _carried_back(game, to_source, best, meter)
        raise error.changed(best=carried) from error
    return _carried_back(game, to_source, found, meter)


def _by_competition(
    game: ExtensiveFormGame, objective: EquilibriumObjective, player: int, meter: Meter
) -> TreeSolution:
    limit = 0 if meter.is_exhausted else None
    found = twin_minimax(game, budget=Budget(meter.seconds_left, limit))
    if found.certificate.epsilon:
        raise NotConverged(
            needs="an exact equilibrium", found="the budget ended before one was found"
        )
    meter.step()
    certificate = certify_optimal_tree_equilibrium(
        game, found.profile, objective=objective, player=player
    )
    return Solution(found.profile, certificate.payoffs, certificate, meter.record())


def _carried_back(
    game: ExtensiveFormGame, to_source: CarryBack, found: PlanSolution, meter: Meter
) -> TreeSolution:
    meter.iterations += found.run.iterations
    certificate = certify_optimal_tree_equilibrium(
        game,
        to_source(found.profile),
        objective=found.certificate.objective,
        player=found.certificate.player,
        questions=found.certificate.questions,
        leaves=found.certificate.leaves,
        eliminations=found.certificate.eliminations,
    )
    return Solution(certificate.profile, certificate.payoffs, certificate, meter.record())


def _require_few_plans(game: ExtensiveFormGame) -> None:
    first, second = (count_plans(game, player) for player in range(2))
    if first * second * (first + second) > MOST_ENTRIES:
        raise UnsupportedGame(
            needs=f"a relaxation of at most {MOST_ENTRIES:,} coefficients",
            found=f"{game!r} has {first:,} x {second:,} reduced plans, which may make "
            f"{first * second * (first + second):,}",
            remedy="Ask sequence_form_lcp for one equilibrium.",
        )
