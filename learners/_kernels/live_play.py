"""One policy's side of a batch of episodes in compiled code, tables sitting in the other seats.

``seats`` (E,) says where the one sits. ``views`` (N, most observations) is the number that each
observation of each seat has for a policy of all seats.
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled


@partial(compiled, inline="always")
def drawn(row: NDArray[np.float64], legal: NDArray[np.bool_], number: float) -> int:
    """Return the legal action that a number draws; all are alike if the row gives none a share."""
    mass, count = 0.0, 0
    for action in range(len(row)):
        if legal[action]:
            mass += row[action]
            count += 1
    total, chosen = 0.0, 0
    for action in range(len(row)):
        share = row[action] / mass if mass > 0.0 else 1.0 / count
        if legal[action] and share > 0.0:
            total += share
            chosen = action
            if number < total:
                break
    return chosen


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
            joint[episode, seat] = drawn(row, legal[episode, seat], numbers[episode, seat])


@compiled
def draw_each(
    shares: NDArray[np.float64],
    legal: NDArray[np.bool_],
    numbers: NDArray[np.float64],
    chosen: NDArray[np.int64],
) -> None:
    """Draw an action of each row; ``shares`` and ``legal`` are (R, actions), ``chosen`` (R,)."""
    for row in range(len(shares)):
        chosen[row] = drawn(shares[row], legal[row], numbers[row])


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
