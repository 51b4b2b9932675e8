"""The leader's best commitment to a correlated strategy, by one linear program.

With the leader's payoffs ``L``, maximise ``sum x(s) L(s)`` over the distributions ``x`` of joint
actions ``s`` that every follower is willing to obey; the leader's own incentives do not count
(Conitzer and Korzhyk 2011).
"""

import numpy as np

from gametheory_core.certificates.correlated_commitment import (
    CorrelatedCommitmentCertificate,
    certify_correlated_commitment,
)
from gametheory_core.certificates.incentives import CorrelatedKind, IncentivePrice
from gametheory_core.errors import NotConverged
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_distribution
from solvers.concepts import Concept
from solvers.correlated.certified_program import estimated, exact_optimum
from solvers.correlated.incentive_program import incentive_prices, incentive_rows, twofold_program
from solvers.requirements import a_normal_form
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver

NAME = "correlated_commitment"


@solver(
    Answers(Concept.CORRELATED_COMMITMENT, rank=10),
    takes=(a_normal_form,),
    unit="pivots",
    because="one linear program over joint actions that the others gain nothing by leaving",
    page="commitment",
)
def correlated_commitment(
    game: NormalFormGame,
    *,
    leader: int = 0,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[CorrelatedDistribution, CorrelatedCommitmentCertificate]:
    """Find the leader's best lottery over joint actions that all followers obey, exactly.

    Args:
        game: Any number of players.
        leader: Who commits, from 0.
        budget: Iterations are simplex pivots, and rounds of exact refinement.
        on_iteration: Called after the float solve, and before each round.

    Returns:
        Prices on the followers' incentives prove that no lottery earns more.

    Raises:
        InvalidArgument: If there is no such leader.
        UnsupportedGame: If the game is a tree, or its program too large: more than 30,000,000
            coefficients, joint actions times actions of the followers.
        NotConverged: If the budget ends first; there is no ``best`` then.

    One program with a variable for each joint action, so polynomial in the size of the game. With
    one follower it earns what ``strong_stackelberg`` does; with more it may earn more.

    Source: :cite:`conitzer2011correlated`.

    >>> game = NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1]])
    >>> correlated_commitment(game).payoffs
    (Fraction(7, 2), Fraction(1, 2))
    """
    meter = open_meter(budget, on_iteration)
    try:
        distribution, prices = _solve(game, leader, meter)
    except BudgetOver:
        raise NotConverged(
            needs="an optimal commitment",
            found=f"the budget ended after {meter.iterations} pivots, before one was found",
            remedy="Give a larger budget.",
        ) from None
    certificate = certify_correlated_commitment(game, distribution, leader=leader, prices=prices)
    return Solution(distribution, certificate.payoffs, certificate, meter.record())


def _solve(
    game: NormalFormGame, leader: int, meter: Meter
) -> tuple[CorrelatedDistribution, tuple[IncentivePrice, ...]]:
    """Solve the program of obedient followers exactly; without any, a best action will do."""
    values = game.scaled_payoffs[leader]
    if game.num_players == 1:
        meter.step()
        surely = np.zeros(game.num_actions, dtype=int)
        surely[np.argmax(values.numerators)] = 1
        return correlated_distribution(surely), ()
    rows = incentive_rows(game, CorrelatedKind.CORRELATED, leader=leader)
    program = twofold_program(rows, values)
    optimum = exact_optimum(program, estimated(program, meter), meter)
    distribution = correlated_distribution(optimum.primal.reshape(game.num_actions))
    return distribution, incentive_prices(rows, optimum.dual.tolist(), values.denominator)
