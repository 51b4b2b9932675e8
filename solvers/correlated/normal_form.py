"""Correlated and coarse correlated equilibria of normal forms by one linear program (Aumann 1974).

Any linear objective, for any number of players; ``incentive_program`` writes the program down.
"""

from collections.abc import Mapping

from gametheory_core.arrays import Number
from gametheory_core.certificates.correlated import CorrelatedCertificate
from gametheory_core.certificates.incentives import CorrelatedKind, LinearObjective
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import CorrelatedDistribution
from solvers.concepts import Concept
from solvers.correlated.certified_program import correlated_task, solve_task
from solvers.objectives import Objective
from solvers.requirements import a_normal_form
from solvers.solution import UNLIMITED, Budget, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver


@solver(
    Answers(
        Concept.CORRELATED,
        rank=10,
        given={"kind": CorrelatedKind.CORRELATED},
        because="one linear program over joint actions, each player's swaps as rows",
    ),
    Answers(
        Concept.COARSE_CORRELATED,
        rank=10,
        given={"kind": CorrelatedKind.COARSE},
        because="one linear program over joint actions, each player's fixed deviations as rows",
    ),
    takes=(a_normal_form,),
    unit="pivots",
    page="correlated",
)
def correlated_equilibrium(
    game: NormalFormGame,
    *,
    kind: CorrelatedKind = CorrelatedKind.CORRELATED,
    objective: Objective | LinearObjective = Objective.LARGEST_WELFARE,
    player: int | None = None,
    payoff_floors: Mapping[int, Number] | None = None,
    tolerance: float | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[CorrelatedDistribution, CorrelatedCertificate]:
    """Find the correlated equilibrium with the most of an objective, exactly.

    A mediator draws a joint action and tells each player their own part; nobody gains by swapping
    an action for another one where it is recommended.

    Args:
        game: Any number of players.
        kind: Coarse equilibria are judged before the draw: nobody gains by always playing one
            action instead of committing to the recommendation, unseen.
        objective: What is preferred, in words or as weights.
        player: Whose payoff an objective in words is about. Default: the first player's.
        payoff_floors: What the equilibrium must pay some players at least.
        tolerance: Largest gain of a swap, shortfall of a floor, and distance from the best
            objective that is good enough, in payoff units. Default: all are wanted to be 0.
        budget: Iterations are simplex pivots, and rounds of exact refinement.
        on_iteration: Called after each phase and round.

    Returns:
        Without a tolerance, ``certificate.epsilon`` and ``certificate.optimality_gap`` are 0.

    Raises:
        UnsupportedGame: If the game is a tree, or its program too large.
        InvalidArgument: If objective, floors or tolerance make no sense for the game.
        InfeasibleProgram: If no equilibrium meets the floors; ``witness`` is a certificate that
            proves it.
        NotConverged: If the budget ends first; ``best`` is the best certified answer so far.

    Swaps times joint actions bound the size of the program. Floats find a basis, in which rationals
    find what is wrong and floats mend it, magnified.

    Sources:
        R. J. Aumann (1974), "Subjectivity and correlation in randomized strategies", Journal of
            Mathematical Economics 1, 67-96.
        H. Moulin and J.-P. Vial (1978), "Strategically zero-sum games", International Journal of
            Game Theory 7, 201-221.

    >>> from gametheory_core.games.normal_form import NormalFormGame
    >>> chicken = NormalFormGame.symmetric([[6, 2], [7, 0]])
    >>> best = correlated_equilibrium(chicken)
    >>> best.payoffs
    (Fraction(21, 4), Fraction(21, 4))
    >>> best.profile.joint_actions
    ((0, 0), (0, 1), (1, 0))
    """
    meter = open_meter(budget, on_iteration)
    task = correlated_task(game, kind, objective, player, payoff_floors, meter.algorithm)
    return solve_task(task, tolerance=tolerance, meter=meter)
