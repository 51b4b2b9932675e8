"""Sampled traversals of a built tree in compiled code: Monte-Carlo counterfactual regret.

The same steps, draws and sums, in the same order, as ``solvers.counterfactual.sampled_traversals``
takes on rules, so that the results are equal to the last bit. A node's numbers lie side by side,
and arrays are passed whole, with bounds, and not counted, which is several times as fast.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled

CHANCE, TERMINAL = -1, -2
EXTERNAL, OUTCOME = 0, 1
_compiled = partial(compiled, _nrt=False)  # nothing is allocated, so none counts
MOVER, CHILD, START, STOP, PAID = 0, 1, 2, 3, 4  # columns of nodes


class SampledTree(NamedTuple):
    """A tree; read-only.

    ``nodes`` (nodes, 5) int32: the mover (a player, ``CHANCE`` or ``TERMINAL``), the first child,
    the first flat action and the one beyond the last, and which row of ``payoffs`` is paid;
    ``payoffs`` (outcomes + 1, players) float64, the last row being nothing; ``cumulative`` (flat
    actions,) float64: running sums of chance's probabilities at an information set, infinite from
    the last possible one on.
    """

    nodes: NDArray[np.int32]
    payoffs: NDArray[np.float64]
    cumulative: NDArray[np.float64]


class SampledMemories(NamedTuple):
    """What is remembered; modified in place.

    ``regrets``, ``strategies`` and ``totals``: (flat actions of players,) float64 each; ``done``
    (1,) int64: iterations, counted here so that numbers and count never differ.
    """

    regrets: NDArray[np.float64]
    strategies: NDArray[np.float64]
    totals: NDArray[np.float64]
    done: NDArray[np.int64]


class SampledScratch(NamedTuple):
    """Room to work in; modified in place.

    ``visits``, ``first``, ``own`` (nodes,) int32: nodes visited, the place of each one's first
    child, and the places of the player's own; ``values`` (nodes,) float64; ``mixed`` (most actions
    of an information set,) float64.
    """

    visits: NDArray[np.int32]
    first: NDArray[np.int32]
    own: NDArray[np.int32]
    values: NDArray[np.float64]
    mixed: NDArray[np.float64]


@_compiled
def match_regrets(offset: NDArray[np.int32], memories: SampledMemories) -> None:
    """Write the strategies that the regrets say to play; ``memories`` is modified in place.

    ``offset`` (information sets of players + 1,): where the actions of each start.
    """
    for infoset in range(len(offset) - 1):
        _match(memories.regrets, memories.strategies, offset[infoset], offset[infoset + 1])


@_compiled
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
    for _ in range(iterations):
        for player in range(players):
            if sampling == OUTCOME or players != 2:
                _walk_for_averages(tree, memories, rng, player)
            if sampling == EXTERNAL:
                _traverse_all(tree, memories, scratch, rng, player)
            else:
                _traverse_one(tree, memories, scratch, rng, player, exploration)
        memories.done[0] += 1


@_compiled
def _traverse_all(
    tree: SampledTree,
    memories: SampledMemories,
    scratch: SampledScratch,
    rng: np.random.Generator,
    player: int,
) -> None:
    nodes, strategies, totals = tree.nodes, memories.strategies, memories.totals
    visits, first = scratch.visits, scratch.first
    is_averaging = tree.payoffs.shape[1] == 2
    visits[0] = 0
    count, place, moves = 1, 0, 0
    while place < count:
        node = visits[place]
        mover, child = nodes[node, MOVER], nodes[node, CHILD]
        first[place] = count
        if mover == player:
            scratch.own[moves] = place
            moves += 1
            for action in range(nodes[node, STOP] - nodes[node, START]):
                visits[count] = child + action
                count += 1
        elif mover == CHANCE:
            visits[count] = child + _drawn_by_chance(
                tree.cumulative, nodes[node, START], nodes[node, STOP], rng.random()
            )
            count += 1
        elif mover != TERMINAL:
            start, stop = nodes[node, START], nodes[node, STOP]
            if is_averaging:
                for action in range(start, stop):
                    totals[action] += strategies[action]
            visits[count] = child + _drawn(strategies, start, stop, rng.random())
            count += 1
        place += 1
    _learn_from_all(tree, memories, scratch, player, count)
    for move in range(moves):
        node = visits[scratch.own[move]]
        _match(memories.regrets, strategies, nodes[node, START], nodes[node, STOP])


@_compiled
def _learn_from_all(
    tree: SampledTree, memories: SampledMemories, scratch: SampledScratch, player: int, count: int
) -> None:
    nodes, strategies, regrets = tree.nodes, memories.strategies, memories.regrets
    visits, first, values = scratch.visits, scratch.first, scratch.values
    for place in range(count - 1, -1, -1):
        node = visits[place]
        mover = nodes[node, MOVER]
        value = 0.0
        if mover == player:
            start, stop = nodes[node, START], nodes[node, STOP]
            below = first[place] - start
            for action in range(start, stop):
                value += strategies[action] * values[below + action]
            for action in range(start, stop):
                regrets[action] += values[below + action] - value
        elif mover != TERMINAL:
            value = values[first[place]]
        values[place] = value + tree.payoffs[nodes[node, PAID], player]


@_compiled
def _traverse_one(
    tree: SampledTree,
    memories: SampledMemories,
    scratch: SampledScratch,
    rng: np.random.Generator,
    player: int,
    exploration: float,
) -> None:
    nodes, strategies, mixed = tree.nodes, memories.strategies, scratch.mixed
    node, moves = 0, 0
    paid = tree.payoffs[nodes[0, PAID], player]
    drawn_with = 1.0
    while nodes[node, MOVER] != TERMINAL:
        mover, start, stop = nodes[node, MOVER], nodes[node, START], nodes[node, STOP]
        if mover == player:
            size = stop - start
            even = exploration / size
            for action in range(size):
                mixed[action] = even + (1 - exploration) * strategies[start + action]
            drawn = _drawn(mixed, 0, size, rng.random())
            drawn_with *= mixed[drawn]
            scratch.visits[moves], scratch.own[moves] = node, start + drawn
            moves += 1
        elif mover == CHANCE:
            drawn = _drawn_by_chance(
                tree.cumulative, nodes[node, START], nodes[node, STOP], rng.random()
            )
        else:
            drawn = _drawn(strategies, start, stop, rng.random())
        node = nodes[node, CHILD] + drawn
        paid += tree.payoffs[nodes[node, PAID], player]
    _learn_from_one(tree, memories, scratch, moves, paid / drawn_with)


@_compiled
def _learn_from_one(
    tree: SampledTree, memories: SampledMemories, scratch: SampledScratch, moves: int, value: float
) -> None:
    nodes, strategies, regrets = tree.nodes, memories.strategies, memories.regrets
    for move in range(moves - 1, -1, -1):
        node, chosen = scratch.visits[move], scratch.own[move]
        before = value * float(strategies[chosen])
        for action in range(nodes[node, START], nodes[node, STOP]):
            regrets[action] += (value if action == chosen else 0.0) - before
        value = before
    for move in range(moves):
        node = scratch.visits[move]
        _match(regrets, strategies, nodes[node, START], nodes[node, STOP])


@_compiled
def _walk_for_averages(
    tree: SampledTree, memories: SampledMemories, rng: np.random.Generator, player: int
) -> None:
    nodes, strategies, totals = tree.nodes, memories.strategies, memories.totals
    node = 0
    while nodes[node, MOVER] != TERMINAL:
        mover, start, stop = nodes[node, MOVER], nodes[node, START], nodes[node, STOP]
        if mover == player:
            for action in range(start, stop):
                totals[action] += strategies[action]
            drawn = _drawn(strategies, start, stop, rng.random())
        elif mover == CHANCE:
            drawn = _drawn_by_chance(
                tree.cumulative, nodes[node, START], nodes[node, STOP], rng.random()
            )
        else:
            drawn = int(rng.random() * (stop - start))
        node = nodes[node, CHILD] + drawn


@_compiled
def _drawn_by_chance(sums: NDArray[np.float64], start: int, high: int, number: float) -> int:
    """Return the first branch, from 0, whose running sum exceeds the number; by halving."""
    low = start
    while low < high:
        middle = (low + high) // 2
        if number < sums[middle]:
            high = middle
        else:
            low = middle + 1
    return low - start


@_compiled
def _drawn(weights: NDArray[np.float64], start: int, stop: int, number: float) -> int:
    """Return the first action, from 0, whose running sum of weights exceeds the number."""
    total, last = 0.0, start
    for action in range(start, stop):
        if weights[action] > 0.0:
            total += weights[action]
            last = action
            if number < total:
                break
    return last - start


@_compiled
def _match(
    regrets: NDArray[np.float64], strategies: NDArray[np.float64], start: int, stop: int
) -> None:
    """Write shares of positive regrets, or equal ones; ``strategies`` is modified in place."""
    total = 0.0
    for action in range(start, stop):
        total += max(regrets[action], 0.0)
    for action in range(start, stop):
        if total > 0.0:
            strategies[action] = max(regrets[action], 0.0) / total
        else:
            strategies[action] = 1.0 / (stop - start)
