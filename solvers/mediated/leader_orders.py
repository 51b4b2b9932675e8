"""Leaders in a fixed order: always the same player, players in turn, or any other sequence.

Under these nobody is rewarded for fairness: agents pursue their own returns, and know that the
order of leaders does not depend on what they do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gametheory_core.evaluation.end_transfers import MediatorStage
from gametheory_core.evaluation.fairness import MINIMUM, Fairness
from gametheory_core.evaluation.mediated_recursion import MediatorIncentives
from gametheory_core.evaluation.mediated_values import mediated_fairness, mediated_returns
from gametheory_core.games.mediated import MediatedGame
from gametheory_core.games.mediated_histories import Memory
from gametheory_core.strategies.mediated_policies import MediatedProfile
from solvers.mediated.integer_tables import integer_tables
from solvers.mediated.starts import InitialPolicies, greedy_actions
from solvers.mediated.state import Policies, agent_nodes, profile_of, with_agent_update
from solvers.mediated.ties import kept
from solvers.requirements import as_tuple, require_instance, require_integer


@dataclass(frozen=True)
class OrderedPlay:
    """What comes of an order of leaders that is fixed beforehand.

    Attributes:
        profile: The order, and agents that are in equilibrium under it; all know step and state.
        fairness: Expected over the first states.
    """

    profile: MediatedProfile
    returns: tuple[Fraction, ...]
    fairness: Fraction


def ordered_leaders(
    game: MediatedGame, *, order: Sequence[int], fairness: Fairness = MINIMUM
) -> OrderedPlay:
    """Let players lead in an order, again and again, each for its own good.

    Args:
        order: ``(0,)``: player 0 always leads; ``(0, 1)``: players 0 and 1 take turns.

    Raises:
        InvalidArgument: If the order is empty or names no player, or the measure cannot judge the
            returns.

    >>> from gametheory_core.catalog.mediated import mediated_chicken
    >>> game = mediated_chicken()
    >>> [str(ordered_leaders(game, order=order).fairness) for order in ((0,), (0, 1))]
    ['8', '18']
    """
    name = "ordered_leaders"
    require_instance(game, MediatedGame, function=name, name="game")
    turns = as_tuple(order, function=name, name="order", remedy="Give players, (0, 1) or so.")
    require_integer(len(turns), function=name, name="the length of order", low=1)
    for leader in turns:
        require_integer(
            leader, function=name, name="leaders in order", low=0, high=game.num_players - 1
        )
    tables = integer_tables(game, MediatorIncentives(fairness, MediatorStage.NAIVE))
    actions = greedy_actions(tables.histories, InitialPolicies.SELFISH, fairness)
    leaders = [
        np.full(len(step.past), turns[t % len(turns)], dtype=np.int64)
        for t, step in enumerate(tables.steps)
    ]
    policies = Policies(Memory.STEP, actions, leaders, agent_nodes(tables, Memory.STEP))
    for _ in range(game.horizon):  # each round settles one more step, from the last one back
        for agent in range(game.num_players):
            policies = with_agent_update(tables, policies, agent, kept, freezes=False)
    profile = profile_of(tables, policies)
    return OrderedPlay(
        profile, mediated_returns(game, profile), mediated_fairness(game, profile, fairness)
    )
