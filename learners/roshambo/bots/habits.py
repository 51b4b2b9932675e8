"""Bots with several habits: they follow the best of them, change when they lose, or drift.

A habit is a form ``a x + b y + c t + d`` mod 3 in the own last throw ``x``, the other's ``y`` and
the number ``t`` of throws made.
"""

from collections.abc import Sequence

import numpy as np

from learners.roshambo.bots.compiled_bot import Family, Recipe, Seat, Start
from learners.roshambo.bots.seats import drawn, paid, part, uniform

Habit = tuple[int, int, int, int]
FORMS = 4  # numbers of a habit
HEAD = 3  # numbers before habits in ``rules``
HABIT = 1  # where the habit that is followed lies in ``ints``


@part
def _by_habit(seat: Seat, t: int, habit: int) -> int:
    """Return what a habit throws; last throws before the first are taken for rock."""
    rules, at = seat.rules, HEAD + FORMS * habit
    x = seat.own[t - 1] if t > 0 else 0
    y = seat.other[t - 1] if t > 0 else 0
    return (
        int(rules[at]) * x + int(rules[at + 1]) * y + int(rules[at + 2]) * t + int(rules[at + 3])
    ) % 3


def weighed(seat: Seat, t: int) -> int:
    """Follow a habit, drawn in proportion to the exponential of what it would have been paid."""
    rules, scores = seat.rules, seat.floats
    count = int(rules[2])
    if t > 0:
        for h in range(count):
            payoff = paid(_by_habit(seat, t - 1, h), seat.other[t - 1])
            scores[h] = rules[1] * scores[h] + payoff
    most, total = scores[0], 0.0
    for h in range(1, count):
        most = max(most, scores[h])
    for h in range(count):
        total += np.exp(rules[0] * (scores[h] - most))
    rest = uniform(seat.ints) * total
    for h in range(count):
        rest -= np.exp(rules[0] * (scores[h] - most))
        if rest < 0.0:
            return _by_habit(seat, t, h)
    return _by_habit(seat, t, count - 1)


def changing(seat: Seat, t: int) -> int:
    """Follow one habit until too much is lost by it, or by chance; then the next."""
    rules, lost = seat.rules, seat.floats
    if t > 0:
        lost[0] = max(0.0, lost[0] - paid(seat.own[t - 1], seat.other[t - 1]))
        leaves = lost[0] >= rules[1]
        if rules[0] > 0.0 and uniform(seat.ints) < rules[0]:
            leaves = True
        if leaves:
            lost[0] = 0.0
            seat.ints[HABIT] = (seat.ints[HABIT] + 1) % int(rules[2])
    return _by_habit(seat, t, seat.ints[HABIT])


def drifting(seat: Seat, t: int) -> int:
    """Throw by a mixed action that is pulled toward a throw, which is drawn anew at times."""
    rules, p = seat.rules, seat.floats
    if uniform(seat.ints) < rules[0]:
        seat.ints[HABIT] = drawn(seat.ints, 1.0, 1.0, 1.0)
    for i in range(3):
        p[i] += rules[1] * ((1.0 if i == seat.ints[HABIT] else 0.0) - p[i])
    return drawn(seat.ints, p[0], p[1], p[2])


def start_weighed(*, habits: Sequence[Habit], rate: float, decay: float) -> Start:
    """Return the memory of a bot: how sharply habits are chosen, and how scores forget."""
    return Start(rules=[rate, decay, *_flat(habits)], floats=len(habits))


def start_changing(*, habits: Sequence[Habit], change: float, most_lost: float) -> Start:
    """Return the memory of a bot: how often it changes by chance, and the loss it does not bear."""
    return Start(rules=[change, most_lost, *_flat(habits)], floats=1, ints=1)


def start_drifting(*, change: float, pull: float) -> Start:
    """Return the memory of a bot: how often a new throw pulls, and how far in one step."""
    return Start(rules=[change, pull], floats=[1 / 3] * 3, ints=1)


def _flat(habits: Sequence[Habit]) -> list[float]:
    return [float(len(habits)), *(float(number) for habit in habits for number in habit)]


WEIGHED = Family("weighed habits", weighed, start_weighed, unbounded="sums payoffs without bound")
CHANGING = Family(
    "changing habits", changing, start_changing, unbounded="changes its state by chance and score"
)
DRIFTING = Family("drifting", drifting, start_drifting, unbounded="moves a mixed action freely")

NEVER = 1e9
COPIES = tuple((0, 1, 0, plus) for plus in range(3))
SHIFTS = tuple((1, 0, 0, plus) for plus in range(3))
STILL = tuple((0, 0, 0, plus) for plus in range(3))

BOTS = (
    Recipe(
        "nine_experts",
        WEIGHED,
        {"habits": COPIES + SHIFTS + STILL, "rate": 0.5, "decay": 0.95},
        "three constants and the last throws, each turned three ways, weighed",
        ("lanctot2023population",),
    ),
    Recipe(
        "best_of_habits",
        WEIGHED,
        {
            "habits": (*COPIES, *SHIFTS, (1, 1, 0, 0), (1, 2, 0, 1), (0, 0, 1, 0), (0, 0, 2, 0)),
            "rate": 20.0,
            "decay": 0.9,
        },
        "follows what would have been paid best lately",
    ),
    Recipe(
        "gives_up_losers",
        CHANGING,
        {"habits": (*COPIES, (0, 0, 1, 0), (1, 0, 0, 2)), "change": 0.0, "most_lost": 3.0},
        "one simple habit until three throws are lost by it, then the next",
        ("billings2000first",),
    ),
    Recipe(
        "moody",
        CHANGING,
        {"habits": (*STILL, *COPIES, (0, 0, 2, 1)), "change": 0.04, "most_lost": NEVER},
        "one simple habit for about 25 throws, then the next",
    ),
    Recipe(
        "touchy",
        CHANGING,
        {"habits": (*COPIES, *SHIFTS, (2, 1, 0, 0)), "change": 0.02, "most_lost": 2.0},
        "changes habits after two losses, and sometimes without",
    ),
    Recipe(
        "drifting",
        DRIFTING,
        {"change": 0.02, "pull": 0.05},
        "a mixed action that drifts toward one throw after another",
    ),
    Recipe(
        "whims",
        DRIFTING,
        {"change": 0.1, "pull": 0.6},
        "one favorite for about ten throws, then another",
    ),
)
