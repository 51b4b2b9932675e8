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
    legal: NDArray[np.bool_],
    numbers: NDArray[np.float64],
    joint: NDArray[np.int64],
) -> None:
    """Draw what those do who act and are not the one.

    Args:
        stack (policies, observations, actions): Mixed actions.
        places (E, N): Which of them sits in each seat.
        observations, acts, numbers (E, N): What is seen, by whom who acts, and what draws.
        legal (E, N, actions): What tables may not know; all alike where a table says nothing else.
        joint (E, N): Written where somebody acts.
    """
    for episode in range(len(seats)):
        for seat in range(acts.shape[1]):
            if seat == seats[episode] or not acts[episode, seat]:
                continue
            row = stack[places[episode, seat], views[seat, observations[episode, seat]]]
            allowed = legal[episode, seat]
            mass, count = 0.0, 0
            for action in range(len(row)):
                if allowed[action]:
                    mass += row[action]
                    count += 1
            total, chosen = 0.0, 0
            for action in range(len(row)):
                share = row[action] / mass if mass > 0.0 else 1.0 / count
                if allowed[action] and share > 0.0:
                    total += share
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
