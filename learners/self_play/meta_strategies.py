"""Strategies of a meta-game: how much of each snapshot, by win rates."""

from enum import Enum
from fractions import Fraction
from itertools import permutations

import numpy as np

from gametheory_core.arguments import require_member
from gametheory_core.arrays import FloatArray, NumberArray
from gametheory_core.certificates.alpha_rank import Populations
from gametheory_core.distributions import Distribution, distribution
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import CorrelatedDistribution
from solvers.correlated.normal_form import CorrelatedKind, correlated_equilibrium
from solvers.dynamics.replicators import projected_replicator
from solvers.populations.averaging import nash_averaging
from solvers.populations.rank_limit import alpha_rank_limit
from solvers.populations.win_rates import evaluation_matrix, meta_game
from solvers.zero_sum.matrix_games import minimax

EXPLORATION = 0.05  # that projected replicator dynamics keep for all together
STEPS = 2000
TOLERANCE = 1e-9  # of gains, in payoff units


class MetaStrategy(Enum):
    """How a meta-game is solved."""

    MAX_ENTROPY = "the equilibrium of greatest entropy"
    MINIMAX = "an equilibrium of the linear program"
    UNIFORM = "all alike"
    PROJECTED_REPLICATOR = "the time average of projected replicator dynamics"
    ALPHA_RANK = "how long each prevails under infinitely strong selection"


def meta_strategy(win_rates: NumberArray, solver: MetaStrategy) -> tuple[Fraction, ...]:
    """Return an exact mixture of the agents of a population.

    Args:
        win_rates (M, M): As ``evaluation_matrix`` takes them.

    Raises:
        InvalidGame: If they are none.

    >>> import numpy as np
    >>> rates = np.array([[0.5, 1.0], [0.0, 0.5]])
    >>> [str(w) for w in meta_strategy(rates, MetaStrategy.ALPHA_RANK)]
    ['1', '0']
    """
    require_member(solver, MetaStrategy, name="solver")
    evaluation = evaluation_matrix(win_rates)
    count = len(evaluation)
    if solver is MetaStrategy.UNIFORM:
        return (Fraction(1, count),) * count
    if solver is MetaStrategy.MAX_ENTROPY:
        return tuple(nash_averaging(evaluation).agent_mixture.tolist())
    game = meta_game(win_rates)
    if solver is MetaStrategy.MINIMAX:
        return tuple(minimax(game).profile.strategies[0].tolist())
    if solver is MetaStrategy.ALPHA_RANK:
        found = alpha_rank_limit(game, populations=Populations.ONE).distribution
        return tuple(found.tensor.diagonal().tolist())
    play = projected_replicator(game, exploration=EXPLORATION, steps=STEPS)
    return tuple(play.average.strategies[0].tolist())


def coarse_correlated(payoffs: FloatArray) -> CorrelatedDistribution:
    """Return the best coarse correlated equilibrium of a symmetric meta-game.

    Args:
        payoffs (M, ...): Of the first player, an axis a player.
    """
    players = payoffs.ndim
    tensor = np.stack([np.moveaxis(payoffs, 0, player) for player in range(players)])
    game = NormalFormGame.from_payoffs(tensor, title="Meta-game")
    solution = correlated_equilibrium(game, kind=CorrelatedKind.COARSE, tolerance=TOLERANCE)
    return solution.profile


def others_law(joint: CorrelatedDistribution) -> Distribution[tuple[int, ...]]:
    """Return how all players but one are drawn, if seats are taken in all orders alike."""
    weights: dict[tuple[int, ...], Fraction] = {}
    orders = list(permutations(range(len(joint.num_actions))))
    for agents, weight in zip(joint.joint_actions, joint.probabilities, strict=True):
        for order in orders:
            others = tuple(agents[k] for k in order[1:])
            weights[others] = weights.get(others, Fraction(0)) + weight / len(orders)
    return distribution(dict(sorted(weights.items())))
