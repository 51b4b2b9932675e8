"""Strictly competitive matrices need no mediator: minimax strategies are as good as any lottery."""

from gametheory_core import CorrelatedCertificate, NormalFormGame, certify_correlated
from gametheory_core.certificates import LinearObjective
from gametheory_core.certificates.correlated import certify_coarse_correlated
from gametheory_core.certificates.incentives import CorrelatedKind, objective_values
from gametheory_core.games.competition import exchange_of
from gametheory_core.strategies import CorrelatedDistribution
from solvers.solution import Meter, Solution
from solvers.zero_sum.competition import (
    opposing_prices,
    product_distribution,
    twin_minimax_of_matrix,
)


def minimax_distribution(
    game: NormalFormGame, kind: CorrelatedKind, objective: LinearObjective, meter: Meter
) -> Solution[CorrelatedDistribution, CorrelatedCertificate]:
    """Return minimax strategies as an equilibrium, exact unless the budget ends first.

    Args:
        game: Strictly competitive.
        objective: Of payoffs alone.
    """
    objective_values(game, objective)  # refuses weights that do not fit
    found = twin_minimax_of_matrix(game, budget=meter.left, on_iteration=meter.on_iteration)
    meter.iterations += found.run.iterations
    profile = found.profile
    first, second = objective.payoff_weights
    rate = exchange_of(game).rate
    slope = first - rate * second  # of the objective, as a function of player 0's payoff
    prices = (
        opposing_prices(game, profile, player=1, weight=slope / rate, kind=kind)
        if slope > 0
        else opposing_prices(game, profile, player=0, weight=-slope, kind=kind)
    )
    certify = certify_coarse_correlated if kind is CorrelatedKind.COARSE else certify_correlated
    certificate = certify(
        game, product_distribution(profile), objective=objective, prices=prices if slope else ()
    )
    return Solution(certificate.distribution, certificate.payoffs, certificate, meter.record())
