"""Bots that learn as people were found to: attractions weighted by experience, and memories.

Attraction of throw ``a`` after ``t`` throws, with ``u_a`` what it was or would have been paid:
``N' = rho N + 1`` and ``A_a' = (phi N A_a + w_a u_a) / N'``, where ``w_a`` is 1 for the throw made
and ``delta`` for the others. Throws are drawn in proportion to ``exp(rate A_a)``.
Source: :cite:`camerer1999experience`.
"""

import numpy as np

from learners.roshambo.bots.compiled_bot import Family, Recipe, Seat, Start
from learners.roshambo.bots.seats import drawn, largest, paid

RATE, PHI, RHO, DELTA = range(4)
EXPERIENCE = 3  # where ``N`` lies in ``floats``, after attractions


def attraction(seat: Seat, t: int) -> int:
    """Throw in proportion to exponentials of attractions."""
    rules, floats = seat.rules, seat.floats
    if t > 0:
        last, before = seat.own[t - 1], floats[EXPERIENCE]
        floats[EXPERIENCE] = rules[RHO] * before + 1.0
        for i in range(3):
            weight = 1.0 if i == last else rules[DELTA]
            sum_ = rules[PHI] * before * floats[i] + weight * paid(i, seat.other[t - 1])
            floats[i] = sum_ / floats[EXPERIENCE]
    most = max(floats[0], floats[1], floats[2])
    a = np.exp(rules[RATE] * (floats[0] - most))
    b = np.exp(rules[RATE] * (floats[1] - most))
    c = np.exp(rules[RATE] * (floats[2] - most))
    return drawn(seat.ints, a, b, c)


def reinforced(seat: Seat, t: int) -> int:
    """Throw in proportion to propensities that grow with what was paid: 2, 1 or 0."""
    rules, propensity = seat.rules, seat.floats
    if t > 0:
        last = seat.own[t - 1]
        reward = 1.0 + paid(last, seat.other[t - 1])
        for i in range(3):
            share = 1.0 - rules[1] if i == last else rules[1] / 2.0
            propensity[i] = (1.0 - rules[0]) * propensity[i] + share * reward
    return drawn(seat.ints, propensity[0], propensity[1], propensity[2])


def remembered(seat: Seat, t: int) -> int:
    """Reply to the throw that is best remembered to follow the other's last ones.

    A memory of so many throws ago has the strength of that number to a negative power.
    """
    lag, span = int(seat.rules[0]), len(seat.rules) - 1
    strength, other = seat.floats, seat.other
    for i in range(3):
        strength[i] = 0.0
    for k in range(max(lag, t - span), t):
        same = True
        for back in range(1, lag + 1):
            same = same and other[k - back] == other[t - back]
        if same:
            strength[other[k]] += seat.rules[t - k]
    return (largest(seat.ints, strength[0], strength[1], strength[2]) + 1) % 3


def start_attraction(*, rate: float, phi: float, rho: float, delta: float) -> Start:
    """Return the memory of a bot with the parameters of the model."""
    return Start(rules=[rate, phi, rho, delta], floats=[0.0, 0.0, 0.0, 1.0])


def start_reinforced(*, forgetting: float, experimentation: float) -> Start:
    """Return the memory of a bot with the parameters of the model."""
    return Start(rules=[forgetting, experimentation], floats=[1.0, 1.0, 1.0])


def start_remembered(*, lag: int, power: float, span: int) -> Start:
    """Return the memory of a bot: how many throws must be alike, the power, how far it looks."""
    return Start(rules=[lag, *(ago**-power for ago in range(1, span + 1))], floats=3)


SUMS = "sums payoffs without bound"
ATTRACTION = Family("attraction", attraction, start_attraction, unbounded=SUMS)
REINFORCED = Family("reinforcement", reinforced, start_reinforced, unbounded=SUMS)
REMEMBERED = Family(
    "memories", remembered, start_remembered, unbounded="has more states than can be listed"
)

BOTS = (
    Recipe(
        "attraction",
        ATTRACTION,
        {"rate": 2.0, "phi": 0.9, "rho": 0.8, "delta": 0.5},
        "experience-weighted attraction",
        ("camerer1999experience",),
    ),
    Recipe(
        "reinforcement",
        REINFORCED,
        {"forgetting": 0.1, "experimentation": 0.1},
        "throws what was paid well, as people were found to",
        ("erev1998predicting",),
    ),
    Recipe(
        "memory_of_one",
        REMEMBERED,
        {"lag": 1, "power": 0.5, "span": 500},
        "what is best remembered to follow the other's last throw",
        ("lebiere2011cognitive",),
    ),
    Recipe(
        "memory_of_two",
        REMEMBERED,
        {"lag": 2, "power": 1.0, "span": 50},
        "the same for its last two, in the last fifty",
        ("lebiere2011cognitive",),
    ),
)
