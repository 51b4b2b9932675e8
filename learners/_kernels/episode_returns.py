"""Monte-Carlo control: values move towards the returns of whole episodes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners._kernels.moves import correct
from solvers._kernels.compile import compiled


class EpisodeArrays(NamedTuple):
    """The own moves of episodes so far, in order; read-only.

    ``lengths`` (E,) int64, number of moves; ``observations``, ``actions`` (E, T) int64; ``rewards``
    (E, T) float64, what was received up to the next own move, and ``factors`` (E, T) float64, the
    discount on what comes after.
    """

    lengths: NDArray[np.int64]
    observations: NDArray[np.int64]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float64]
    factors: NDArray[np.float64]


@compiled
def learn_returns(
    values: NDArray[np.float64],
    visits: NDArray[np.int64],
    first: NDArray[np.int64],
    episodes: EpisodeArrays,
    is_over: NDArray[np.bool_],
    only_first: bool,  # noqa: FBT001 numba takes positions
    rate: float,
    power: float,
) -> tuple[float, int]:
    """Update a table by each finished episode, in order, from its last move to its first.

    ``values`` and ``visits`` (O, A) are modified in place; ``first`` (O, A) is working memory, -1
    before and after. If ``only_first``, the first visit of each cell in an episode counts alone.
    Returns the sum of absolute errors and the number of updates.
    """
    total = 0.0
    updates = 0
    for episode in range(len(is_over)):
        if not is_over[episode]:
            continue
        length = episodes.lengths[episode]
        for t in range(length):
            seen, action = episodes.observations[episode, t], episodes.actions[episode, t]
            if first[seen, action] < 0:
                first[seen, action] = t
        paid = 0.0
        for t in range(length - 1, -1, -1):
            seen, action = episodes.observations[episode, t], episodes.actions[episode, t]
            paid = episodes.rewards[episode, t] + episodes.factors[episode, t] * paid
            is_first = first[seen, action] == t
            if is_first or not only_first:
                total += correct(values, visits, seen, action, paid, rate, power)
                updates += 1
            if is_first:
                first[seen, action] = -1
    return total, updates
