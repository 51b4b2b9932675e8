"""Bots that weigh contexts of all lengths by how well they have forecast.

A node forecasts by ``(n_i + 1/2) / (n + 3/2)``. An inner node weighs that against its child's
forecast ``w`` with odds ``beta``, and ``beta`` is multiplied by what the node gave what came, over
what the child gave it. Source: :cite:`willems1995context`.
"""

import numpy as np

from learners.roshambo.bots.back_off import contexts, place
from learners.roshambo.bots.compiled_bot import Family, Floats, Recipe, Seat, Start
from learners.roshambo.bots.seats import largest, part

ORDER, BASE = range(2)
WIDTH = 4  # three counts and the logarithm of beta
MOST = 30.0  # of that logarithm


@part
def _descend(seat: Seat, t: int, weighed: Floats, came: int) -> None:
    """Write the weighted forecast of throw ``t`` of the other; learn what came, if it is not -1."""
    order, base = int(seat.rules[ORDER]), int(seat.rules[BASE])
    nodes, deepest = seat.floats, min(order, t)
    for k in range(deepest, -1, -1):
        at = WIDTH * place(seat, t, k, base)
        total = nodes[at] + nodes[at + 1] + nodes[at + 2] + 1.5
        share = 1.0 / (1.0 + np.exp(-nodes[at + 3])) if k < deepest else 1.0
        below = weighed[max(came, 0)]
        for i in range(3):
            weighed[i] = share * (nodes[at + i] + 0.5) / total + (1.0 - share) * weighed[i]
        if came >= 0:
            own = (nodes[at + came] + 0.5) / total
            nodes[at + came] += 1.0
            if k < deepest:
                odds = nodes[at + 3] + np.log(own / below)
                nodes[at + 3] = min(MOST, max(-MOST, odds))


def throw(seat: Seat, t: int) -> int:
    """Reply to the likeliest throw of the weighted forecast."""
    weighed = seat.floats[len(seat.floats) - 3 :]
    if t > 0:
        weighed[:] = 0.0
        _descend(seat, t - 1, weighed, seat.other[t - 1])
    weighed[:] = 0.0
    _descend(seat, t, weighed, -1)
    return (largest(seat.ints, weighed[0], weighed[1], weighed[2]) + 1) % 3


def start(*, order: int, joint: bool) -> Start:
    """Return the memory of a bot with contexts up to an order, of both histories or the other's."""
    base = 9 if joint else 3
    return Start(rules=[order, base], floats=WIDTH * contexts(order, base) + 3)


CONTEXT_TREES = Family("context tree", throw, start, unbounded="counts without bound")

BOTS = (
    Recipe(
        "tree_other",
        CONTEXT_TREES,
        {"order": 5, "joint": False},
        "all contexts of the other's last five throws, weighed",
        ("willems1995context",),
    ),
    Recipe(
        "tree_joint",
        CONTEXT_TREES,
        {"order": 3, "joint": True},
        "the same for both histories, of the last three",
        ("willems1995context",),
    ),
)
