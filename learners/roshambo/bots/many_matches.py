"""The loop by which compiled bots throw in many matches at once, each with a memory of its own."""

import numpy as np
from numpy.typing import NDArray

from learners.roshambo.bots.compiled_bot import Floats, Ints, Seat
from learners.roshambo.bots.seats import ask
from solvers._kernels.compile import compiled

ABSENT = -1  # address of a bot that is not compiled


@compiled
def throw_everywhere(
    places: Ints,
    addresses: Ints,
    sizes: NDArray[np.int64],
    rules: NDArray[np.float64],
    floats: NDArray[np.float64],
    ints: NDArray[np.int64],
    own: NDArray[np.int64],
    other: NDArray[np.int64],
    t: int,
    thrown: Ints,
) -> int:
    """Ask for throw ``t`` of all matches; return a match whose bot throws what is no throw, or -1.

    Args:
        places (E,): Which bot plays.
        addresses (B,): Of the bots' throws.
        sizes (B, 3): How many rules, floats and ints each has.
        rules (B, ...): Of the bots.
        floats, ints (E, ...): Memories; modified in place.
        own, other (E, K): Throws of the bots and of whom they meet.
        thrown (E,): Modified in place, where the bot is compiled.
    """
    for e in range(len(places)):
        bot = places[e]
        if addresses[bot] == ABSENT:
            continue
        memory: Floats = floats[e, : sizes[bot, 1]]
        seat = Seat(rules[bot, : sizes[bot, 0]], memory, ints[e, : sizes[bot, 2]], own[e], other[e])
        thrown[e] = ask(addresses[bot], seat, t)
        if thrown[e] < 0 or thrown[e] > 2:
            return e
    return -1
