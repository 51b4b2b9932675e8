"""Bots that know only what their own throws were paid: UCB, Exp3, Thompson, gradient bandits."""

import numpy as np

from learners.roshambo.bots.compiled_bot import Family, Floats, Ints, Recipe, Seat, Start
from learners.roshambo.bots.seats import drawn, largest, paid, part, uniform

SECOND = 3  # where the second three numbers lie in ``floats``
TURN = 2.0 * np.pi


@part
def _softmax(weights: Floats, rate: float, p: Floats) -> None:
    most = max(weights[0], weights[1], weights[2])
    for i in range(3):
        p[i] = np.exp(rate * (weights[i] - most))
    total = p[0] + p[1] + p[2]
    for i in range(3):
        p[i] /= total


@part
def _normal(ints: Ints) -> float:
    """Return a normal number, by the method of Box and Muller."""
    distance = np.sqrt(-2.0 * np.log(1.0 - uniform(ints)))
    return distance * np.cos(TURN * uniform(ints))


def ucb(seat: Seat, t: int) -> int:
    """Throw what was paid best on average, with a bonus for what was seldom thrown."""
    rules, tried, earned = seat.rules, seat.floats, seat.floats[SECOND:]
    if t > 0:
        last = seat.own[t - 1]
        for i in range(3):
            tried[i] *= rules[1]
            earned[i] *= rules[1]
        tried[last] += 1.0
        earned[last] += paid(last, seat.other[t - 1])
    if t < 3:
        return t
    bonus = rules[0] * np.log(tried[0] + tried[1] + tried[2])
    a = earned[0] / tried[0] + np.sqrt(bonus / tried[0])
    b = earned[1] / tried[1] + np.sqrt(bonus / tried[1])
    c = earned[2] / tried[2] + np.sqrt(bonus / tried[2])
    return largest(seat.ints, a, b, c)


def exp3(seat: Seat, t: int) -> int:
    """Throw in proportion to exponentials of earnings over chances, and sometimes anything."""
    rules, earned, p = seat.rules, seat.floats, seat.floats[SECOND:]
    if t > 0:
        last = seat.own[t - 1]
        earned[last] += 0.5 * (1.0 + paid(last, seat.other[t - 1])) / p[last]
    _softmax(earned, rules[0] / 3.0, p)
    for i in range(3):
        p[i] = (1.0 - rules[0]) * p[i] + rules[0] / 3.0
    return drawn(seat.ints, p[0], p[1], p[2])


def thompson(seat: Seat, t: int) -> int:
    """Throw what is best by a draw of what each might be worth."""
    rules, tried, earned = seat.rules, seat.floats, seat.floats[SECOND:]
    if t > 0:
        last = seat.own[t - 1]
        for i in range(3):
            tried[i] *= rules[0]
            earned[i] *= rules[0]
        tried[last] += 1.0
        earned[last] += paid(last, seat.other[t - 1])
    a = earned[0] / (tried[0] + 1.0) + _normal(seat.ints) / np.sqrt(tried[0] + 1.0)
    b = earned[1] / (tried[1] + 1.0) + _normal(seat.ints) / np.sqrt(tried[1] + 1.0)
    c = earned[2] / (tried[2] + 1.0) + _normal(seat.ints) / np.sqrt(tried[2] + 1.0)
    return largest(seat.ints, a, b, c)


def gradient(seat: Seat, t: int) -> int:
    """Throw by preferences that go up or down with what was paid above the average."""
    rules, preferences, p = seat.rules, seat.floats, seat.floats[SECOND:]
    if t > 0:
        last = seat.own[t - 1]
        gain = paid(last, seat.other[t - 1]) - seat.floats[2 * SECOND]
        seat.floats[2 * SECOND] += gain / t
        for i in range(3):
            preferences[i] += rules[0] * gain * ((1.0 if i == last else 0.0) - p[i])
    _softmax(preferences, 1.0, p)
    return drawn(seat.ints, p[0], p[1], p[2])


def start_ucb(*, width: float, decay: float = 1.0) -> Start:
    """Return the memory of UCB: the factor in the bonus, and how averages forget."""
    return Start(rules=[width, decay], floats=6)


def start_exp3(*, exploration: float) -> Start:
    """Return the memory of Exp3, which throws anything so often."""
    return Start(rules=[exploration], floats=6)


def start_thompson(*, decay: float = 1.0) -> Start:
    """Return the memory of Thompson sampling with normal beliefs, and how they forget."""
    return Start(rules=[decay], floats=6)


def start_gradient(*, rate: float) -> Start:
    """Return the memory of a gradient bandit with one step size."""
    return Start(rules=[rate], floats=7)


SUMS = "sums payoffs without bound"
UCB = Family("UCB", ucb, start_ucb, unbounded=SUMS)
EXP3 = Family("Exp3", exp3, start_exp3, unbounded=SUMS)
THOMPSON = Family("Thompson sampling", thompson, start_thompson, unbounded=SUMS)
GRADIENT = Family("gradient bandit", gradient, start_gradient, unbounded=SUMS)

BOTS = (
    Recipe("ucb", UCB, {"width": 2.0}, "UCB1", ("auer2002finite",)),
    Recipe(
        "forgetful_ucb",
        UCB,
        {"width": 0.5, "decay": 0.95},
        "UCB with discounted averages",
        ("garivier2011switching",),
    ),
    Recipe("exp3", EXP3, {"exploration": 0.1}, "Exp3", ("auer2002nonstochastic",)),
    Recipe(
        "thompson",
        THOMPSON,
        {"decay": 0.97},
        "draws what each throw may be worth, and throws the best",
        ("thompson1933likelihood",),
    ),
    Recipe(
        "gradient_bandit",
        GRADIENT,
        {"rate": 0.3},
        "policy gradients against the average",
        ("williams1992simple",),
    ),
)
