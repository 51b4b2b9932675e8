"""Bots that are automata: one loop plays them all."""

from collections.abc import Callable
from functools import partial
from typing import Any

from learners.roshambo.bots.automata import Automaton
from learners.roshambo.bots.compiled_bot import Family, Seat, Start
from learners.roshambo.bots.seats import uniform

STATE = 1  # where the place of the state in ``rules`` lies in ``ints``
WIDTH = 11  # of a state: how likely 0 is, and 0 or 1, and the places of nine successors


def throw(seat: Seat, t: int) -> int:
    """Throw by the state that the last throws lead to."""
    rules = seat.rules
    at = seat.ints[STATE]
    if t > 0:
        at = int(rules[at + 2 + 3 * seat.own[t - 1] + seat.other[t - 1]])
        seat.ints[STATE] = at
    first, second = rules[at], rules[at + 1]
    if first >= 1.0:
        return 0
    if second <= 0.0:
        return 2
    if first <= 0.0 and second >= 1.0:
        return 1
    number = uniform(seat.ints)
    return 0 if number < first else (1 if number < second else 2)


def finite_state(name: str, build: Callable[..., Automaton]) -> Family:
    """Return the family of bots whose automata a function builds from their parameters."""
    return Family(name, throw, partial(_start, build), automaton=build)


def _start(build: Callable[..., Automaton], **parameters: Any) -> Start:
    automaton = build(**parameters)
    rules: list[float] = []
    for row, after in zip(automaton.strategies, automaton.successors.tolist(), strict=True):
        rules += [float(row[0]), float(row[0] + row[1])]
        rules += [float(WIDTH * state) for line in after for state in line]
    return Start(rules=rules, ints=1)
