"""The best equilibrium of a small game of several players: list all, with a proof, and compare."""

from dataclasses import replace
from fractions import Fraction
from typing import cast

from gametheory_core.arrays import ZERO
from gametheory_core.certificates.all_equilibria import AllEquilibriaCertificate
from gametheory_core.certificates.best_of_all import BestOfAllCertificate, certify_best_of_all
from gametheory_core.certificates.optimal_equilibrium import (
    NEGATIVE_OBJECTIVES,
    SUPPORT_OBJECTIVES,
    WELFARE_OBJECTIVES,
    EquilibriumObjective,
)
from gametheory_core.certificates.reduced_game import checked_reduction
from gametheory_core.certificates.support_solutions import SupportSolution, require_solution
from gametheory_core.errors import NotConverged
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.evaluation.support_rows import DifferenceTables
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, supports
from solvers.concepts import Concept, chosen_player
from solvers.many_players.polynomial_supports import polynomial_support_enumeration
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
        NotConverged: If the budget ends first, or a continuum or a singular equilibrium keeps the
            list from being complete; there is no ``best``, as nothing is known of those missing.

    >>> from gametheory_core import load_game
    >>> best = best_of_all_equilibria(load_game("nine_equilibria"))
    >>> best.certificate.value, best.certificate.epsilon
    (Fraction(29, 1), Fraction(0, 1))
    """
    whose = chosen_player(objective, player) or 0
    meter = open_meter(budget, on_iteration)
    try:
        found = polynomial_support_enumeration(game, budget=budget, on_iteration=on_iteration).found
    except NotConverged as error:
        raise error.changed(best=None) from error
    meter.iterations = found.run.iterations
    if found.completeness is None:
        raise NotConverged(
            needs="a complete list of equilibria",
            found=found.evidence,
            remedy="Use polynomial_support_enumeration for what is known.",
            best=None,
        )
    proof = cast("AllEquilibriaCertificate", found.completeness)
    left = checked_reduction(game, proof.eliminations, merges_copies=proof.merges_copies).target
    best = certify_best_of_all(
        game,
        max(proof.profiles, key=lambda each: _score(game, each, objective, whose)),
        objective=objective,
        player=whose,
        solutions=_sharpened(DifferenceTables(left), proof.solutions),
        steps=proof.steps,
        eliminations=proof.eliminations,
        merges_copies=proof.merges_copies,
    )
    if objective in SUPPORT_OBJECTIVES and best.epsilon:
        raise NotConverged(
            needs="a list of equilibria of which one is best",
            found="weight may be spread over more copies of the actions that some of them play",
            remedy="Use polynomial_support_enumeration for what is known.",
            best=None,
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


def _sharpened(
    tables: DifferenceTables, solutions: tuple[SupportSolution, ...]
) -> tuple[SupportSolution, ...]:
    """Make boxes of irrational solutions as small as their middles allow."""
    return tuple(
        next(
            (
                smaller
                for radius in RADII
                if 0 < radius < solution.radius
                for smaller in [replace(solution, radius=radius)]
                if not require_solution(tables.rows(solution.supports), smaller)
            ),
            solution,
        )
        for solution in solutions
    )
