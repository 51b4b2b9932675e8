"""How agents and mediator choose among equally good actions and leaders: part of the result.

Every rule is a function of the node, of what is best there and of the present choice; the random
one draws an order of preference for every node beforehand and sticks to it.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solvers.mediation.integer_tables import StepTable

Indices: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Choose: TypeAlias = Callable[[int, Flags, Indices], Indices]
"""Of the step, which choices (n, k) are best, and the present ones (n,): the new ones (n,)."""


class AgentTies(Enum):
    """Which of an agent's best actions it takes."""

    KEEP = "the present one if it is among them, else the first"
    FIRST = "the first"
    LAST = "the last"
    RANDOM = "by an order drawn for each node"


class MediatorTies(Enum):
    """Which of the fairest leaders the mediator picks."""

    FIRST = "the first"
    LAST = "the last"
    POOREST = "the one with the lowest return so far, else the first"
    KEEP = "the present one if it is among them, else the first"
    RANDOM = "by an order drawn for each node"


def first(_step: int, best: Flags, _present: Indices) -> Indices:
    """Choose the first."""
    return best.argmax(axis=1)


def last(_step: int, best: Flags, _present: Indices) -> Indices:
    """Choose the last."""
    return best.shape[1] - 1 - best[:, ::-1].argmax(axis=1)


def kept(_step: int, best: Flags, present: Indices) -> Indices:
    """Choose the present one if it is among the best, else the first."""
    every = np.arange(len(present))
    return np.where(best[every, present], present, best.argmax(axis=1))


def drawn(sizes: Sequence[int], choices: int, rng: np.random.Generator) -> Choose:
    """Draw an order of preference for each node of each step, and choose by it."""
    orders = [rng.permuted(np.tile(np.arange(choices), (size, 1)), axis=1) for size in sizes]

    def choose(step: int, best: Flags, _present: Indices) -> Indices:
        return np.where(best, orders[step], -1).argmax(axis=1)

    return choose


def poorest(steps: Sequence[StepTable]) -> Choose:
    """Choose who has the lowest return so far."""

    def choose(step: int, best: Flags, _present: Indices) -> Indices:
        past = steps[step].past
        return np.where(best, past, past.max() + 1).argmin(axis=1)

    return choose


def agent_chooser(
    ties: AgentTies, *, sizes: Sequence[int], choices: int, rng: np.random.Generator | None
) -> Choose:
    """Return how one agent chooses, at so many nodes of each step."""
    if rng is not None and ties is AgentTies.RANDOM:
        return drawn(sizes, choices, rng)
    return {AgentTies.KEEP: kept, AgentTies.LAST: last}.get(ties, first)


def mediator_chooser(
    ties: MediatorTies,
    *,
    steps: Sequence[StepTable],
    players: int,
    rng: np.random.Generator | None,
) -> Choose:
    """Return how the mediator chooses."""
    if rng is not None and ties is MediatorTies.RANDOM:
        return drawn([len(step.past) for step in steps], players, rng)
    if ties is MediatorTies.POOREST:
        return poorest(steps)
    return {MediatorTies.KEEP: kept, MediatorTies.LAST: last}.get(ties, first)
