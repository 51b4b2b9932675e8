"""What moves among the agents of the grid after the last collection.

The rule is the core's: the grid asks for the transfers of one round of resource collection, begun
with the returns so far.
"""

from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gametheory_core.labels import numbered_players
from gametheory_core.mediation.catalog import preferred_color, resource_rewards
from gametheory_core.mediation.fairness import end_transfers
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.recursion import MediatorIncentives
from gametheory_core.mediation.resource_grid import KINDS
from gametheory_core.mediation.rules import mediated_game


def grid_transfers(
    incentives: MediatorIncentives,
    returns: NDArray[np.float64],
    leader: int,
    kind: int,
    present: NDArray[np.bool_],
) -> tuple[float, ...]:
    """Return what each agent receives after a leader has collected the last resource.

    Args:
        incentives: Measure of fairness and end rule.
        returns (N,): What everybody had before; whole numbers.
        leader, kind: Who collected what: 0 red, 1 blue, 2 green.
        present (3,): Which kinds there were.

    >>> from gametheory_core.mediation.recursion import MediatorIncentives
    >>> nothing, both = np.zeros(2), np.ones(3, dtype=bool)
    >>> grid_transfers(MediatorIncentives(), nothing, 0, 0, both)
    (-4.0, 4.0)
    >>> grid_transfers(MediatorIncentives(), np.array([1.0, 5.0]), 0, 0, both)
    (0.0, 0.0)
    """
    past = tuple(map(int, returns.tolist()))
    return _transfers(incentives, past, leader, KINDS[kind], tuple(present.tolist()))


@cache
def _transfers(
    incentives: MediatorIncentives,
    returns: tuple[int, ...],
    leader: int,
    kind: str,
    present: tuple[bool, ...],
) -> tuple[float, ...]:
    game = _one_round(len(returns), present)
    moved = end_transfers(
        game,
        fairness=incentives.fairness,
        rule=incentives.end_rule,
        step=0,
        state=0,
        returns=tuple(map(Fraction, returns)),
        leader=leader,
    )
    return tuple(map(float, moved[game.actions[leader].index(kind)]))


@cache
def _one_round(players: int, present: tuple[bool, ...]) -> MediatedGame:
    """Return one collection of what there is, as a mediated game."""
    kinds = [kind for kind, is_there in zip(KINDS, present, strict=True) if is_there]
    return mediated_game(
        players=numbered_players(players),
        horizon=1,
        initial={"round": 1},
        actions=[
            [kind for kind in kinds if kind in (preferred_color(player), "green")]
            for player in range(players)
        ],
        play=lambda _, __, kind: (resource_rewards(kind, players=players), {"round": 1}),
    )
