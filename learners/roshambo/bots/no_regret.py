"""Bots that throw by regret: matching, its variants, Hedge, and ascent by projected gradients.

``u_a`` is what throw ``a`` would have been paid. All draw from a mixed action ``p``.
"""

import numpy as np

from learners.roshambo.bots.compiled_bot import Family, Floats, Recipe, Seat, Start
from learners.roshambo.bots.seats import drawn, paid, part

STRATEGY = 3  # where the mixed action lies in ``floats``, after three sums
CLIPS, OPTIMISM, DECAY = range(3)  # of matching; Hedge and ascent have a rate in place of the first


@part
def _throw(seat: Seat, p: Floats) -> int:
    return drawn(seat.ints, p[0], p[1], p[2])


def matching(seat: Seat, t: int) -> int:
    """Throw in proportion to positive regret."""
    rules, regret, p = seat.rules, seat.floats, seat.floats[STRATEGY:]
    if t == 0:
        return drawn(seat.ints, 1.0, 1.0, 1.0)
    last = seat.other[t - 1]
    mean = p[0] * paid(0, last) + p[1] * paid(1, last) + p[2] * paid(2, last)
    for i in range(3):
        regret[i] = rules[DECAY] * regret[i] + paid(i, last) - mean
        if rules[CLIPS] == 1.0:
            regret[i] = max(regret[i], 0.0)
    for i in range(3):
        p[i] = max(regret[i] + rules[OPTIMISM] * (paid(i, last) - mean), 0.0)
    total = p[0] + p[1] + p[2]
    for i in range(3):
        p[i] = p[i] / total if total > 0.0 else 1.0 / 3.0
    return _throw(seat, p)


def hedge(seat: Seat, t: int) -> int:
    """Throw in proportion to the exponential of what each throw would have earned."""
    rules, earned, p = seat.rules, seat.floats, seat.floats[STRATEGY:]
    if t == 0:
        return drawn(seat.ints, 1.0, 1.0, 1.0)
    last = seat.other[t - 1]
    for i in range(3):
        earned[i] = rules[DECAY] * earned[i] + paid(i, last)
    for i in range(3):
        p[i] = rules[0] * (earned[i] + rules[OPTIMISM] * paid(i, last))
    most = max(p[0], p[1], p[2])
    for i in range(3):
        p[i] = np.exp(p[i] - most)
    return _throw(seat, p)


def ascent(seat: Seat, t: int) -> int:
    """Throw by a mixed action that goes uphill, and back to the simplex by the shortest way."""
    p = seat.floats[STRATEGY:]
    if t > 0:
        for i in range(3):
            p[i] += seat.rules[0] * paid(i, seat.other[t - 1])
        low = min(p[0], p[1], p[2])
        high = max(p[0], p[1], p[2])
        middle = p[0] + p[1] + p[2] - low - high
        # the shift that is right if all three, the two largest or the largest stay positive
        shift = (low + middle + high - 1.0) / 3.0
        if low < shift:
            shift = (middle + high - 1.0) / 2.0
            if middle < shift:
                shift = high - 1.0
        for i in range(3):
            p[i] = max(p[i] - shift, 0.0)
    return _throw(seat, p)


EVEN = [0.0] * 3 + [1 / 3] * 3


def start_matching(*, clips: bool = False, optimism: float = 0.0, decay: float = 1.0) -> Start:
    """Return the memory of a regret matcher.

    Args:
        clips: Whether negative regret is forgotten.
        optimism: How many times the last regret counts once more.
        decay: Of regret, from throw to throw.
    """
    return Start(rules=[float(clips), optimism, decay], floats=EVEN)


def start_hedge(*, rate: float, optimism: float = 0.0, decay: float = 1.0) -> Start:
    """Return the memory of Hedge: rate of learning, and the rest as for matching."""
    return Start(rules=[rate, optimism, decay], floats=EVEN)


def start_ascent(*, rate: float) -> Start:
    """Return the memory of gradient ascent with one step size."""
    return Start(rules=[rate], floats=EVEN)


SUMS = "sums payoffs without bound"
MATCHING = Family("regret matching", matching, start_matching, unbounded=SUMS)
HEDGE = Family("Hedge", hedge, start_hedge, unbounded=SUMS)
ASCENT = Family("gradient ascent", ascent, start_ascent, unbounded="moves a mixed action freely")

BOTS = (
    Recipe("regret_matching", MATCHING, {}, "regret matching", ("hart2000simple",)),
    Recipe(
        "regret_matching_plus",
        MATCHING,
        {"clips": True},
        "the same, negative regret is forgotten",
        ("tammelin2014solving",),
    ),
    Recipe(
        "optimistic_matching",
        MATCHING,
        {"clips": True, "optimism": 1.0, "decay": 0.98},
        "the last regret counts twice, old ones less",
        ("farina2021faster",),
    ),
    Recipe("hedge", HEDGE, {"rate": 0.1}, "exponential weights", ("freund1997decision",)),
    Recipe(
        "optimistic_hedge",
        HEDGE,
        {"rate": 0.3, "optimism": 1.0},
        "the last payoff counts twice",
        ("rakhlin2013optimization",),
    ),
    Recipe(
        "smooth_fictitious_play",
        HEDGE,
        {"rate": 0.8, "decay": 0.9},
        "a soft reply to frequencies, old throws count less",
        ("fudenberg1998theory",),
    ),
    Recipe(
        "gradient_ascent", ASCENT, {"rate": 0.05}, "projected gradients", ("zinkevich2003online",)
    ),
)
