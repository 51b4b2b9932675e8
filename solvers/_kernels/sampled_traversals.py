"""Sampled traversals of a built tree in compiled code: Monte-Carlo counterfactual regret.

The same steps, draws and sums, in the same order, as ``solvers.counterfactual.sampled_traversals``
takes on rules, so that the results are equal to the last bit.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers._kernels.local_rules import REGRET_MATCHING, respond

CHANCE, TERMINAL = -1, -2
EXTERNAL, OUTCOME = 0, 1


class SampledTree(NamedTuple):
    """A tree; read-only, indices int32.

    ``node_player`` (nodes,): a player, ``CHANCE`` or ``TERMINAL``; ``first_child`` (nodes,);
    ``first_action``, ``stop_action`` (nodes,): the flat actions of a node's information set;
    ``node_outcome`` (nodes,): which row of ``payoffs`` (outcomes + 1, players) float64 is paid
    there, the last being nothing; ``cumulative`` (flat actions,) float64: running sums of chance's
    probabilities at an information set, infinite from the last possible one on.
    """

    node_player: NDArray[np.int32]
    first_child: NDArray[np.int32]
    first_action: NDArray[np.int32]
    stop_action: NDArray[np.int32]
    node_outcome: NDArray[np.int32]
    payoffs: NDArray[np.float64]
    cumulative: NDArray[np.float64]


class SampledMemories(NamedTuple):
    """What is remembered, (flat actions of players,) float64 each; modified in place."""

    regrets: NDArray[np.float64]
    strategies: NDArray[np.float64]
    totals: NDArray[np.float64]


class SampledScratch(NamedTuple):
    """Room to work in; modified in place.

    ``visits``, ``first`` (nodes,) int32: nodes visited, and the place of each one's first child;
    ``values`` (nodes,) float64; ``mixed`` (most actions of an information set,) float64.
    """

    visits: NDArray[np.int32]
    first: NDArray[np.int32]
    values: NDArray[np.float64]
    mixed: NDArray[np.float64]


@njit(cache=True)
def match_regrets(offset: NDArray[np.int32], memories: SampledMemories) -> None:
    """Write the strategies that the regrets say to play; ``memories`` is modified in place.

    ``offset`` (information sets of players + 1,): where the actions of each start.
    """
    for infoset in range(len(offset) - 1):
        start, stop = offset[infoset], offset[infoset + 1]
        respond(REGRET_MATCHING, memories.regrets[start:stop], 1.0, memories.strategies[start:stop])


@njit(cache=True)
def sample(
    tree: SampledTree,
    memories: SampledMemories,
    scratch: SampledScratch,
    rng: np.random.Generator,
    sampling: int,
    exploration: float,
    iterations: int,
) -> None:
    """Let every player learn from one traversal, so many times.

    ``memories`` and ``scratch`` are modified in place, and ``rng`` moves on.
    """
    players = tree.payoffs.shape[1]
    is_averaging = sampling == EXTERNAL and players == 2
    for _ in range(iterations):
        for player in range(players):
            if not is_averaging:
                _walk_for_averages(tree, memories, rng, player)
            if sampling == EXTERNAL:
                _traverse_all(tree, memories, scratch, rng, player)
            else:
                _traverse_one(tree, memories, scratch, rng, player, exploration)


@njit(cache=True)
def _traverse_all(
    tree: SampledTree,
    memories: SampledMemories,
    scratch: SampledScratch,
    rng: np.random.Generator,
    player: int,
) -> None:
    visits, first = scratch.visits, scratch.first
    is_averaging = tree.payoffs.shape[1] == 2
    visits[0] = 0
    count, place = 1, 0
    while place < count:
        node = visits[place]
        mover = tree.node_player[node]
        first[place] = count
        if mover == player:
            for action in range(tree.stop_action[node] - tree.first_action[node]):
                visits[count] = tree.first_child[node] + action
                count += 1
        elif mover != TERMINAL:
            if is_averaging and mover != CHANCE:
                _add_to_totals(tree, memories, node)
            visits[count] = tree.first_child[node] + _drawn_at(tree, memories, rng, node)
            count += 1
        place += 1
    _learn_from_all(tree, memories, scratch, player, count)


@njit(cache=True)
def _learn_from_all(
    tree: SampledTree,
    memories: SampledMemories,
    scratch: SampledScratch,
    player: int,
    count: int,
) -> None:
    visits, values = scratch.visits, scratch.values
    for back in range(count):
        place = count - 1 - back
        node = visits[place]
        value = 0.0
        if tree.node_player[node] == player:
            start, stop = tree.first_action[node], tree.stop_action[node]
            below = scratch.first[place] - start
            for action in range(start, stop):
                value += memories.strategies[action] * values[below + action]
            for action in range(start, stop):
                memories.regrets[action] += values[below + action] - value
        elif tree.node_player[node] != TERMINAL:
            value = values[scratch.first[place]]
        values[place] = value + tree.payoffs[tree.node_outcome[node], player]
    for place in range(count):
        if tree.node_player[visits[place]] == player:
            _refresh(tree, memories, visits[place])


@njit(cache=True)
def _traverse_one(
    tree: SampledTree,
    memories: SampledMemories,
    scratch: SampledScratch,
    rng: np.random.Generator,
    player: int,
    exploration: float,
) -> None:
    node, count = 0, 0
    paid = tree.payoffs[tree.node_outcome[0], player]
    drawn_with = 1.0
    while tree.node_player[node] != TERMINAL:
        if tree.node_player[node] == player:
            start = tree.first_action[node]
            size = tree.stop_action[node] - start
            for action in range(size):
                scratch.mixed[action] = (
                    exploration / size + (1 - exploration) * memories.strategies[start + action]
                )
            drawn = _drawn(scratch.mixed[:size], rng.random())
            drawn_with *= scratch.mixed[drawn]
            scratch.visits[count], scratch.first[count] = node, drawn
            count += 1
        else:
            drawn = _drawn_at(tree, memories, rng, node)
        node = tree.first_child[node] + drawn
        paid += tree.payoffs[tree.node_outcome[node], player]
    _learn_from_one(tree, memories, scratch, count, paid / drawn_with)


@njit(cache=True)
def _learn_from_one(
    tree: SampledTree,
    memories: SampledMemories,
    scratch: SampledScratch,
    count: int,
    value: float,
) -> None:
    for back in range(count):
        node = scratch.visits[count - 1 - back]
        chosen = tree.first_action[node] + scratch.first[count - 1 - back]
        before = value * float(memories.strategies[chosen])
        for action in range(tree.first_action[node], tree.stop_action[node]):
            memories.regrets[action] += (value if action == chosen else 0.0) - before
        value = before
    for place in range(count):
        _refresh(tree, memories, scratch.visits[place])


@njit(cache=True)
def _walk_for_averages(
    tree: SampledTree, memories: SampledMemories, rng: np.random.Generator, player: int
) -> None:
    node = 0
    while tree.node_player[node] != TERMINAL:
        mover = tree.node_player[node]
        if mover >= 0 and mover != player:
            drawn = int(rng.random() * (tree.stop_action[node] - tree.first_action[node]))
        else:
            if mover == player:
                _add_to_totals(tree, memories, node)
            drawn = _drawn_at(tree, memories, rng, node)
        node = tree.first_child[node] + drawn


@njit(cache=True)
def _drawn_at(
    tree: SampledTree, memories: SampledMemories, rng: np.random.Generator, node: int
) -> int:
    start, stop = tree.first_action[node], tree.stop_action[node]
    if tree.node_player[node] == CHANCE:
        return _first_above(tree.cumulative, start, stop, rng.random()) - start
    return _drawn(memories.strategies[start:stop], rng.random())


@njit(cache=True)
def _first_above(sums: NDArray[np.float64], low: int, high: int, number: float) -> int:
    """Return the first place from ``low`` on whose running sum exceeds the number."""
    while low < high:
        middle = (low + high) // 2
        if number < sums[middle]:
            high = middle
        else:
            low = middle + 1
    return low


@njit(cache=True)
def _drawn(weights: NDArray[np.float64], number: float) -> int:
    """Return the first entry whose running sum exceeds the number."""
    total, last = 0.0, 0
    for action in range(len(weights)):
        if weights[action] > 0.0:
            total += weights[action]
            last = action
            if number < total:
                break
    return last


@njit(cache=True)
def _add_to_totals(tree: SampledTree, memories: SampledMemories, node: int) -> None:
    for action in range(tree.first_action[node], tree.stop_action[node]):
        memories.totals[action] += memories.strategies[action]


@njit(cache=True)
def _refresh(tree: SampledTree, memories: SampledMemories, node: int) -> None:
    start, stop = tree.first_action[node], tree.stop_action[node]
    respond(REGRET_MATCHING, memories.regrets[start:stop], 1.0, memories.strategies[start:stop])
