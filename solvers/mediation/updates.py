"""One update: an agent's best leading, or the mediator's best picks, all others being fixed.

Both run from the last layer back, all nodes of a layer at once. An agent decides at every node,
also where another one is picked: what it would do if it led there.

How ties break is part of the result. Every rule for them is a function of the node, of what is best
there and of the present choice; the random one draws an order of preference for every node
beforehand and sticks to it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solvers.mediation.tables import Integers, MediatedTables, StepTable, fairness_scores

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
    ties: MediatorTies, *, steps: Sequence[StepTable], players: int, rng: np.random.Generator | None
) -> Choose:
    """Return how the mediator chooses."""
    if rng is not None and ties is MediatorTies.RANDOM:
        return drawn([len(step.past) for step in steps], players, rng)
    if ties is MediatorTies.POOREST:
        return poorest(steps)
    return {MediatorTies.KEEP: kept, MediatorTies.LAST: last}.get(ties, first)


@dataclass(frozen=True)
class Play:
    """What agents do and whom the mediator picks, at every node that the mediator tells apart.

    Attributes:
        actions (n, N)
        leaders (n,)
    """

    actions: list[Indices]
    leaders: list[Indices]


@dataclass(frozen=True)
class Optimum:
    """What is best for an agent at every node, and at which nodes which actions attain it.

    Attributes:
        best (n, A)
        start: Its value at each first node.
    """

    best: list[Flags]
    start: list[int]


def agent_update(
    tables: MediatedTables, play: Play, agent: int, choose: Choose, *, freezes: bool = False
) -> list[Indices]:
    """Return an agent's best action at every node, against the others and the mediator.

    Args:
        choose: Breaks ties.
        freezes: Whether the agent keeps its action where another one is picked.
    """
    best = agent_optimum(tables, play, agent).best
    found: list[Indices] = []
    for t, (actions, leaders) in enumerate(zip(play.actions, play.leaders, strict=True)):
        present = actions[:, agent]
        chosen = choose(t, best[t], present)
        found.append(np.where(leaders == agent, chosen, present) if freezes else chosen)
    return found


def agent_optimum(tables: MediatedTables, play: Play, agent: int) -> Optimum:
    """Return an agent's best actions at every node, given what it does best later on."""
    found: list[Flags] = []
    after = _nothing(tables)
    for t in reversed(range(len(tables.steps))):
        step, leaders = tables.steps[t], play.leaders[t]
        own = step.payoffs[:, agent, :, agent]
        own = own + (step.weights[:, agent] * after[step.child[:, agent]]).sum(axis=-1)
        own = np.where(step.legal[:, agent], own, own.min() - 1)
        highest = own.max(axis=1)
        found.append(step.legal[:, agent] & (own == highest[:, None]))
        others = _followed(step, after, leaders, play.actions[t], agent)
        after = _closed(np.where(leaders == agent, highest, others))
    return Optimum(found[::-1], [int(after[node]) for node in tables.histories.start])


def mediator_update(tables: MediatedTables, play: Play, choose: Choose) -> list[Indices]:
    """Return whom to pick at every node, the fairest given the agents' actions and later picks.

    Raises:
        InvalidArgument: If the measure cannot judge the returns.
    """
    found: list[Indices] = []
    after = _nothing(tables, vectors=True)
    for t in reversed(range(len(tables.steps))):
        step, actions = tables.steps[t], play.actions[t]
        nodes, agents = np.ogrid[: len(actions), : actions.shape[1]]
        rewards = step.rewards[nodes, agents, actions]
        weights = step.weights[nodes, agents, actions][..., None]
        # what everybody gets from here on if each agent in turn is picked and acts as it does
        values = rewards + (weights * after[step.child[nodes, agents, actions]]).sum(axis=2)
        scores = fairness_scores(
            tables.incentives.fairness,
            step.past[:, None, :] + step.present * values,
            denominator=step.denominator,
        )
        best = scores == scores.max(axis=1, keepdims=True)
        found.append(choose(t, best, play.leaders[t]))
        after = _closed(values[np.arange(len(actions)), found[-1]])
    return found[::-1]


def start_returns(tables: MediatedTables, play: Play) -> list[list[int]]:
    """Return what everybody gets from each first node on, in the mediator's units."""
    after = _nothing(tables, vectors=True)
    for step, actions, leaders in _backwards(tables, play):
        nodes = np.arange(len(leaders))
        where = (nodes, leaders, actions[nodes, leaders])
        later = (step.weights[where][..., None] * after[step.child[where]]).sum(axis=1)
        after = _closed(step.rewards[where] + later)
    return [after[node].tolist() for node in tables.histories.start]


def _backwards(tables: MediatedTables, play: Play) -> list[tuple[StepTable, Indices, Indices]]:
    return list(zip(tables.steps, play.actions, play.leaders, strict=True))[::-1]


def _followed(
    step: StepTable, after: Integers, leaders: Indices, actions: Indices, agent: int
) -> Integers:
    """Return what an agent gets from each node on if the picked leader does as planned."""
    nodes = np.arange(len(leaders))
    where = (nodes, leaders, actions[nodes, leaders])
    later = (step.weights[where] * after[step.child[where]]).sum(axis=-1)
    return step.payoffs[..., agent][where] + later


def _nothing(tables: MediatedTables, *, vectors: bool = False) -> Integers:
    """Return the values beyond the last layer: one row, of zeros."""
    dtype: Any = tables.steps[0].rewards.dtype if tables.steps else np.int64
    return np.zeros((1, tables.game.num_players) if vectors else 1, dtype=dtype)


def _closed(values: Integers) -> Integers:
    """Append a zero: what node -1, the end of play, is worth."""
    return np.concatenate([values, np.zeros((1, *values.shape[1:]), dtype=values.dtype)])
