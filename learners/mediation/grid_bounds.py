"""How fair play on the grid of resources can be at most, and whether two players can reach it.

A collection pays all players together at most ``N`` times the shared resource's 4, so nobody who is
worst off has more than 4 for each; and there are no more collections than steps. With two players
the bound is reached from every start if twice the slowest collection takes no longer than there is
time. How long the slowest takes is found backwards from the goal, over all cells and headings of
leader and helper and all they can do together.
"""

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance, require_integer
from gametheory_core.errors import UnsupportedGame
from gametheory_core.mediation.catalog import HEADINGS, KINDS, ResourceGridRules, resource_rewards
from gametheory_core.mediation.fairness import MINIMUM, Fairness
from learners.mediation.led_batch import fairness_of_floats

NEVER = np.iinfo(np.int16).max
MOST_CELLS = 36  # along both sides; time and memory grow with their third power
MOVES = 4  # forward, backward, left, right; a leader may also stay, by collecting nothing


def fairness_bound(rules: ResourceGridRules, *, fairness: Fairness = MINIMUM) -> float:
    """Return a fairness that no episode of the grid exceeds, whatever anybody does.

    Args:
        fairness: A measure that no transfer from a poorer to a richer player raises, and no loss;
            all three kinds are such.

    >>> fairness_bound(ResourceGridRules(num_agents=4)), fairness_bound(ResourceGridRules(steps=1))
    (8.0, 4.0)
    """
    require_instance(rules, ResourceGridRules, name="rules")
    players = rules.num_agents
    best = max(sum(resource_rewards(kind, players=players)) for kind in KINDS)
    each = float(best) / players * min(rules.collections, rules.steps)
    return float(fairness_of_floats(fairness, np.full(players, each)))


def is_bound_reached(rules: ResourceGridRules) -> bool:
    """Tell whether two players can collect what is shared as often as they may, from every start.

    Raises:
        UnsupportedGame: If there are more players, or too many cells to look at all places.

    >>> is_bound_reached(ResourceGridRules(size=3, steps=20))
    True
    """
    if rules.num_agents != 2:
        raise UnsupportedGame(
            needs="two players",
            found=f"there are {rules.num_agents}",
            remedy="fairness_bound holds for any number.",
            where="is_bound_reached",
        )
    slowest = int(fewest_steps(rules.size).max())
    return slowest * rules.collections <= rules.steps


def fewest_steps(size: int) -> NDArray[np.int16]:
    """Return how many steps leader and helper need to collect something, collecting included.

    Args:
        size: Cells along a side, 2 to 6.

    Returns:
        (goals, places): For each cell of what is collected; places are ``(cell * 4 + heading)`` of
        the leader times ``4 * cells``, plus the same of the helper, different cells alone, in that
        order.

    >>> found = fewest_steps(2)
    >>> found.shape, int(found.min()), int(found.max())
    ((4, 192), 1, 5)
    """
    require_integer(size, name="size", low=2, high=int(MOST_CELLS**0.5), where="fewest_steps")
    cells = size * size
    leader, helper = _places(cells)
    after = _after(size, leader, helper)
    apart = _distances(size)
    helped = apart[leader // MOVES, helper // MOVES] <= 1
    found = np.full((cells, len(leader)), NEVER, dtype=np.int16)
    for goal in range(cells):
        known = found[goal]
        known[(leader // MOVES == goal) & helped] = 1
        steps = 1
        while True:
            reached = (known[after] == steps).any(axis=1) & (known == NEVER)
            if not reached.any():
                break
            steps += 1
            known[reached] = steps
    return found


def _places(cells: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return places ``cell * 4 + heading`` of leader and helper on different cells, (S,) each."""
    turns = len(HEADINGS)
    whole = np.arange((cells * turns) ** 2)
    leader, helper = np.divmod(whole, cells * turns)
    apart = leader // turns != helper // turns
    return leader[apart], helper[apart]


def _distances(size: int) -> NDArray[np.int64]:
    rows, columns = np.divmod(np.arange(size * size), size)
    return np.abs(np.subtract.outer(rows, rows)) + np.abs(np.subtract.outer(columns, columns))


def _after(size: int, leader: NDArray[np.int64], helper: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return which pair of places follows each pair, (S, joint moves): the leader moves first."""
    cells, turns = size * size, len(HEADINGS)
    number = np.full((cells * turns) ** 2, -1, dtype=np.int64)
    number[leader * cells * turns + helper] = np.arange(len(leader))
    stays = leader[:, None]
    led = np.concatenate([_moved(size, leader, helper // turns), stays], axis=1)
    found = [
        number[own[:, None] * cells * turns + _moved(size, helper, own // turns)] for own in led.T
    ]
    return np.concatenate(found, axis=1)


def _moved(size: int, place: NDArray[np.int64], taken: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where an agent is after each of its moves, (S, 4), with one cell taken."""
    cell, heading = np.divmod(place, len(HEADINGS))
    ways = np.array(HEADINGS)[heading]
    row, column = np.divmod(cell, size)
    found = [place - heading + (heading + turn) % len(HEADINGS) for turn in (3, 1)]
    for sign in (1, -1):
        down, right = row + sign * ways[:, 0], column + sign * ways[:, 1]
        inside = (down >= 0) & (down < size) & (right >= 0) & (right < size)
        goes = inside & (down * size + right != taken)
        found.append(np.where(goes, (down * size + right) * len(HEADINGS) + heading, place))
    return np.stack(found, axis=1)
