"""The best equilibrium of a small game of several players: list them, and show that none is better.

Where cells are left open, as continua leave them, these are shown to hold none that scores more.
"""

from dataclasses import replace
from fractions import Fraction

from gametheory_core.arrays import ZERO
from gametheory_core.certificates.all_equilibria import equilibria_among
from gametheory_core.certificates.best_of_all import (
    BestOfAllCertificate,
    certify_best_of_all,
    excess_over,
    largest_score,
)
from gametheory_core.certificates.optimal_equilibrium import (
    NEGATIVE_OBJECTIVES,
    SUPPORT_OBJECTIVES,
    WELFARE_OBJECTIVES,
    EquilibriumObjective,
)
from gametheory_core.certificates.support_solutions import SupportSolution, require_solution
from gametheory_core.errors import NotConverged
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.evaluation.support_rows import DifferenceTables
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, supports
from solvers.concepts import Concept, chosen_player
from solvers.many_players.bounded_cells import bounded_steps
from solvers.many_players.cell_search import Step
from solvers.many_players.support_search import SupportSearch, search_supports
from solvers.requirements import a_normal_form, many_players
from solvers.solution import UNLIMITED, Budget, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver

RADII = tuple(Fraction(1, 2**bits) for bits in (100, 80, 60, 50, 40, 30))


@solver(
    Answers(Concept.BEST_NASH, rank=30, takes=(many_players,)),
    takes=(a_normal_form,),
    unit="cells",
    because="three players and more, few actions: the best of all equilibria, proved to be all",
    page="many-players",
)
def best_of_all_equilibria(
    game: NormalFormGame,
    *,
    objective: EquilibriumObjective = EquilibriumObjective.LARGEST_WELFARE,
    player: int | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MixedProfile, BestOfAllCertificate]:
    """Find the Nash equilibrium of a small game that is best for an objective, and prove it.

    Args:
        game: Few actions, as for ``polynomial_support_enumeration``.
        objective: What to make large or small: the sum of payoffs, one player's payoff, or the
            number of actions that are played.
        player: Whose payoff, for the objectives about one player's. Default: the first's.
        budget: Iterations are cells looked at.
        on_iteration: Called now and then.

    Returns:
        The certificate's epsilon is 0 where the best equilibrium is rational; else it is how
        little more any equilibrium may have.

    Raises:
        UnsupportedGame: If the game has many supports, and no budget is given.
        InvalidArgument: If the player does not exist, or the objective is about all.
        NotConverged: If the budget ends first, or an equilibrium that is not isolated may be better
            than those found; there is no ``best``, as nothing is known of it.

    >>> from gametheory_core import load_game
    >>> best = best_of_all_equilibria(load_game("nine_equilibria"))
    >>> best.certificate.value, best.certificate.epsilon
    (Fraction(29, 1), Fraction(0, 1))
    """
    whose = chosen_player(objective, player) or 0
    meter = open_meter(budget, on_iteration)
    search = search_supports(game, meter)
    if not search.is_finished:
        raise NotConverged(
            needs=f"to look at all {search.count:,} support profiles",
            found=f"the budget ended after {meter.iterations:,} cells",
        )
    search.solutions = [_sharpened(search.tables, solution) for solution in search.solutions]
    profiles = equilibria_among(search.reduction, tuple(search.solutions))
    best = certify_best_of_all(
        game,
        max(profiles, key=lambda each: _score(game, each, objective, whose)),
        objective=objective,
        player=whose,
        solutions=tuple(search.solutions),
        steps=_steps(search, objective, whose),
        eliminations=search.reduction.eliminations,
        merges_copies=search.reduction.has_copies,
    )
    if objective in SUPPORT_OBJECTIVES and best.epsilon:
        raise NotConverged(
            needs="a list of equilibria of which one is best",
            found="weight may be spread over more copies of the actions that some of them play",
            remedy="Use polynomial_support_enumeration for what is known.",
        )
    return Solution(best.profile, best.payoffs, best, meter.record())


def _score(
    game: NormalFormGame, profile: MixedProfile, objective: EquilibriumObjective, player: int
) -> Fraction:
    """Return what an objective makes large, at the middle of the box of an irrational one."""
    sign = -1 if objective in NEGATIVE_OBJECTIVES else 1
    if objective in SUPPORT_OBJECTIVES:
        return Fraction(sign * sum(map(len, supports(profile))))
    payoffs = expected_payoffs(game, profile)
    return sign * (sum(payoffs, ZERO) if objective in WELFARE_OBJECTIVES else payoffs[player])


def _steps(search: SupportSearch, objective: EquilibriumObjective, player: int) -> tuple[Step, ...]:
    """Return the steps of a search, and where they prove nothing, that none left open scores more.

    Raises:
        NotConverged: If one might.
    """
    steps = list(search.steps)
    solutions = tuple(search.solutions)
    bound = largest_score(search.reduction, solutions, objective=objective, player=player)
    for left in reversed(search.open):
        excess = excess_over(
            bound, search.reduction, left.supports, objective=objective, player=player
        )
        own = steps[left.first : left.last]
        rows = search.tables.rows(left.supports)
        found = bounded_steps(rows, own, solutions, excess, search.meter)
        if found is None:
            raise NotConverged(
                needs="a proof that no equilibrium is better than those listed",
                found=f"{len(search.open)} of {search.count:,} support profiles are undecided, and "
                f"supports {left.supports} may hold a better one",
                remedy="Use polynomial_support_enumeration for what is known.",
            )
        steps[left.first : left.last] = found
    return tuple(steps)


def _sharpened(tables: DifferenceTables, solution: SupportSolution) -> SupportSolution:
    """Make the box of an irrational solution as small as its middle allows."""
    for radius in RADII:
        if 0 < radius < solution.radius:
            smaller = replace(solution, radius=radius)
            if not require_solution(tables.rows(solution.supports), smaller):
                return smaller
    return solution
