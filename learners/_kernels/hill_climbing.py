"""Policy hill climbing that learns fast while losing: WoLF-PHC."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners._kernels.moves import MoveArrays, best_action, correct
from solvers._kernels.compile import compiled


class ClimbArrays(NamedTuple):
    """What a hill climber holds; all modified in place.

    ``values``, ``policy`` and ``average`` (O, A) float64; ``visits`` (O, A) int64, updates of each
    value; ``counts`` (O,) int64, updates of each policy row.
    """

    values: NDArray[np.float64]
    policy: NDArray[np.float64]
    average: NDArray[np.float64]
    visits: NDArray[np.int64]
    counts: NDArray[np.int64]


@compiled
def climb(
    held: ClimbArrays,
    legal: NDArray[np.bool_],
    moves: MoveArrays,
    rate: float,
    power: float,
    winning: float,
    losing: float,
) -> tuple[float, int]:
    """Update values, averages and policies by each move, in order.

    ``held`` is modified in place; ``legal`` (O, A) is read. Returns the sum of absolute errors,
    and at how many moves the player was winning.
    """
    total = 0.0
    wins = 0
    for episode in range(len(moves.is_made)):
        if not moves.is_made[episode]:
            continue
        ahead = 0.0
        after = moves.next_observation[episode]
        if moves.bootstraps[episode] and after >= 0:
            best = best_action(held.values[after], legal[after])
            ahead = held.values[after, best] if best >= 0 else 0.0
        target = moves.reward[episode] + moves.factor[episode] * ahead
        seen, action = moves.observation[episode], moves.action[episode]
        total += correct(held.values, held.visits, seen, action, target, rate, power)
        wins += _climb_row(held, legal[seen], seen, winning, losing)
    return total, wins


@compiled
def _climb_row(
    held: ClimbArrays, legal: NDArray[np.bool_], seen: int, winning: float, losing: float
) -> int:
    """Move a row of the policy towards its best action; return 1 if the player was winning."""
    held.counts[seen] += 1
    now = 0.0
    usual = 0.0
    choices = 0
    for action in range(len(legal)):
        if not legal[action]:
            continue
        choices += 1
        behind = held.policy[seen, action] - held.average[seen, action]
        held.average[seen, action] += behind / held.counts[seen]
        now += held.policy[seen, action] * held.values[seen, action]
        usual += held.average[seen, action] * held.values[seen, action]
    is_winning = now > usual
    if choices > 1:
        step = (winning if is_winning else losing) / (choices - 1)
        best = best_action(held.values[seen], legal)
        for action in range(len(legal)):
            if legal[action] and action != best:
                moved = min(held.policy[seen, action], step)
                held.policy[seen, action] -= moved
                held.policy[seen, best] += moved
    return 1 if is_winning else 0
