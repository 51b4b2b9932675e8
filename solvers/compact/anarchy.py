"""The price of anarchy and of stability of congestion games, exactly, by counts.

All players together pay at least the *optimum*; in the worst pure equilibrium they pay the price of
anarchy times that (Koutsoupias and Papadimitriou 1999), in the best one the price of stability
times that (Anshelevich et al. 2008). What they pay depends on how many of those with the same
actions take each of them, so that a symmetric game of ``n`` players and ``k`` actions has
``binomial(n + k - 1, k - 1)`` cases.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core.arguments import counted
from gametheory_core.compact import AnarchyCertificate, CongestionGame
from gametheory_core.compact.claims import require_positive
from gametheory_core.compact.potential import num_spreads
from gametheory_core.errors import NotConverged
from gametheory_core.strategies.mixed import MixedProfile, pure_profile
from solvers.compact.count_search import all_spreads
from solvers.compact.requirements import a_congestion_game
from solvers.concepts import Concept
from solvers.solution import UNLIMITED, Budget, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver


@solver(
    Answers(Concept.PRICE_OF_ANARCHY, rank=10),
    takes=(a_congestion_game,),
    unit="spreads",
    because="all spreads of players over actions are compared, exactly",
    page="compact-games",
)
def price_of_anarchy(
    game: CongestionGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> Solution[MixedProfile, AnarchyCertificate]:
    """Find the worst and the best pure equilibrium and the optimum of a congestion game, exactly.

    Args:
        game: At most a million ways to spread players over actions; players with the same actions
            are not told apart.

    Returns:
        The profile is a worst equilibrium. The certificate has both prices, and profiles that
        attain them.

    Raises:
        UnsupportedGame: If there are more ways, which is said before they are listed, or the
            optimum is not positive, so that there is no ratio.
        NotConverged: If the budget ends first; there is no best.

    Sources: :cite:`koutsoupias1999worst`, :cite:`christodoulou2005price`.

    >>> from gametheory_core import load_game
    >>> found = price_of_anarchy(load_game("affine_triangle"))
    >>> str(found.certificate.price_of_anarchy), str(found.certificate.price_of_stability)
    ('5/2', '1')
    """
    meter = open_meter(budget, on_iteration)
    size = num_spreads(game)
    if meter.is_exhausted or meter.at_most(size) < size:
        raise NotConverged(
            needs=f"all {counted(size)} spreads to be looked at", found="the budget allows fewer"
        )
    spreads = all_spreads(game)
    meter.step(size)
    costs: list[Any] = spreads.costs.tolist()
    stable = np.flatnonzero(spreads.is_stable).tolist()
    rows = (
        min(range(len(costs)), key=costs.__getitem__),
        min(stable, key=costs.__getitem__),
        max(stable, key=costs.__getitem__),
    )
    least, low, high = (Fraction(costs[row], spreads.denominator) for row in rows)
    require_positive(least)
    optimal, best, worst = (pure_profile(game, spreads.actions(row)) for row in rows)
    certificate = AnarchyCertificate(
        game, optimal, best, worst, least, low, high, high / least, low / least
    )
    return Solution(certificate.worst, certificate.payoffs, certificate, meter.record())
