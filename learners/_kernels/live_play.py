"""One policy's side of a batch of episodes in compiled code, tables sitting in the other seats.

``seats`` (E,) says where the one sits. ``views`` (N, most observations) is the number that each
observation of each seat has for a policy of all seats.
"""

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled


@compiled
def answer(
    stack: NDArray[np.float64],
    views: NDArray[np.int64],
    seats: NDArray[np.int64],
    places: NDArray[np.int64],
    observations: NDArray[np.int64],
    acts: NDArray[np.bool_],
    numbers: NDArray[np.float64],
    joint: NDArray[np.int64],
) -> None:
    """Draw what those do who act and are not the one.

    Args:
        stack (policies, observations, actions): Mixed actions.
        places (E, N): Which of them sits in each seat.
        observations, acts, numbers (E, N): What is seen, by whom who acts, and what draws.
        joint (E, N): Written where somebody acts.
    """
    for episode in range(len(seats)):
        for seat in range(acts.shape[1]):
            if seat == seats[episode] or not acts[episode, seat]:
                continue
            row = stack[places[episode, seat], views[seat, observations[episode, seat]]]
            total, chosen = 0.0, 0
            for action in range(len(row)):
                if row[action] > 0.0:
                    total += row[action]
                    chosen = action
                    if numbers[episode, seat] < total:
                        break
            joint[episode, seat] = chosen


@compiled
def see(
    views: NDArray[np.int64],
    seats: NDArray[np.int64],
    observations: NDArray[np.int64],
    seen: NDArray[np.int64],
) -> None:
    """Write what the one sees, as policies number it; ``seen`` is (E,)."""
    for episode in range(len(seats)):
        seat = seats[episode]
        seen[episode] = views[seat, observations[episode, seat]]
