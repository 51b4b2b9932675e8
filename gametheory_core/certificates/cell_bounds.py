"""Combinations of rows on many cells at once, in floats, where these leave no doubt.

Rows and corners are padded to the game's own actions, so that cells of different supports of one
game are looked at together.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.certificates.halved_cells import CellTree, Part
from gametheory_core.certificates.support_solutions import MARGIN
from gametheory_core.evaluation.support_rows import DifferenceTables

MOST_HALVINGS = 100  # of a cell: each rounds its corners, far less than the margin
MOST_BITS = 1000  # of an integer that floats hold
TOGETHER = 2**12  # cells that are halved together, if they are of several trees
CHUNK = 2**20  # floats looked at together
LEAST = 1e-290  # that a value is below 0


def are_surely_below(parts: Sequence[Part]) -> list[bool]:
    """Tell of which parts floats suffice to see that their combinations of rows are below 0.

    Args:
        parts: Of one game, those of one tree after each other; each with a weight for each row.
    """
    found: list[bool] = []
    for group in _groups(parts):
        found += _are_below(group[0].tree.rows.tables, group).tolist()
    return found


def _groups(parts: Sequence[Part]) -> Iterator[Sequence[Part]]:
    """Divide parts, between trees, so that not too many cells are halved together."""
    first, cells = 0, 0
    for at, part in enumerate(parts):
        if at and part.tree is not parts[at - 1].tree:
            cells += len(parts[at - 1].tree.above)
            if cells > TOGETHER:
                yield parts[first:at]
                first, cells = at, 0
    if parts:
        yield parts[first:]


def _are_below(tables: DifferenceTables, group: Sequence[Part]) -> NDArray[np.bool_]:
    trees = list({id(each.tree): each.tree for each in group}.values())
    numbers = {id(tree): number for number, tree in enumerate(trees)}
    of = np.array([numbers[id(each.tree)] for each in group], dtype=np.int64)
    firsts = np.cumsum([0, *(len(tree.above) for tree in trees)], dtype=np.int64)
    places = firsts[of] + np.array([each.place for each in group], dtype=np.int64)
    corners = _corners(trees, firsts[:-1])
    weights = _weights(trees, of, [each.weights for each in group])
    references = np.array(
        [[own[0] for own in tree.rows.supports] for tree in trees], dtype=np.int64
    )[of]
    size = max(1, CHUNK // prod(tables.game.num_actions))
    chunks = (slice(at, at + size) for at in range(0, len(group), size))
    below = [
        _below(tables, weights[at], references[at], corners[places[at]], _lasts(trees)[of[at]])
        for at in chunks
    ]
    return np.concatenate(below)


def _corners(trees: Sequence[CellTree], firsts: NDArray[np.int64]) -> FloatArray:
    """Return the corners of all cells of trees: (cells, players, corners, actions).

    Where a player has fewer corners, what stands for the others says nothing. Cells of too many
    halvings are at 0, where rows vanish.
    """
    counts = trees[0].rows.tables.game.num_actions
    above = np.concatenate(
        [np.array(tree.above) + first for tree, first in zip(trees, firsts, strict=True)]
    )
    players, kept, moved = np.concatenate([np.array(tree.edges) for tree in trees]).T
    depths = np.concatenate([tree.depths for tree in trees])
    found = np.zeros((len(above), len(counts), max(counts), max(counts)))
    for tree, first in zip(trees, firsts.tolist(), strict=True):
        for player, own in enumerate(tree.rows.supports):
            corners, own_bits = tree.first.corners[player], tree.first.bits[player]
            found[first, player] = _padded(own, corners, own_bits, max(counts))
    for depth in range(1, min(int(depths.max()), MOST_HALVINGS) + 1):
        here = np.flatnonzero(depths == depth)
        half = found[above[here]]
        each, of, to = np.arange(len(here)), players[here], moved[here]
        half[each, of, to] = (half[each, of, to] + half[each, of, kept[here]]) / 2
        found[here] = half
    return found


@lru_cache(maxsize=4096)
def _padded(
    own: tuple[int, ...], corners: tuple[tuple[int, ...], ...], bits: int, count: int
) -> FloatArray:
    """Return corners as probabilities of all actions."""
    found = np.zeros((count, count))
    found[: len(own), own] = [[a / (1 << bits) for a in corner] for corner in corners]
    return freeze(found)


def _lasts(trees: Sequence[CellTree]) -> NDArray[np.int64]:
    """Return, for each tree, player and corner, the corner itself, or one that is there."""
    count = max(trees[0].rows.tables.game.num_actions)
    sizes = np.array([[len(own) for own in tree.rows.supports] for tree in trees])
    return np.minimum(np.arange(count), sizes[..., np.newaxis] - 1)


def _weights(
    trees: Sequence[CellTree], of: NDArray[np.int64], weights: Sequence[tuple[int, ...]]
) -> FloatArray:
    """Return weights of rows as floats, up to a factor each; (combinations, players, actions)."""
    tables = trees[0].rows.tables
    counts = tables.game.num_actions
    try:
        given = np.array(weights, dtype=np.float64)
    except OverflowError:
        bits = [max(map(int.bit_length, own), default=0) - MOST_BITS for own in weights]
        given = np.array(
            [[w / (1 << max(0, b)) for w in own] for own, b in zip(weights, bits, strict=True)]
        )
    actions = np.array([tree.rows.actions for tree in trees], dtype=np.int64)
    actions = actions.reshape(len(trees), given.shape[1], 2)[of]
    mantissas, exponents = np.frexp(given)
    exponents = exponents + np.array(tables.shifts)[actions[..., 0]]
    lowest = np.iinfo(exponents.dtype).min // 2
    largest = np.where(mantissas != 0, exponents, lowest).max(axis=1, keepdims=True, initial=lowest)
    found = np.zeros((len(given), len(counts), max(counts)))
    found[np.arange(len(given))[:, np.newaxis], actions[..., 0], actions[..., 1]] = np.ldexp(
        mantissas, exponents - largest
    )
    return found


def _below(
    tables: DifferenceTables,
    weights: FloatArray,
    references: NDArray[np.int64],
    corners: FloatArray,
    lasts: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Add up rows and evaluate them at all joint corners."""
    counts = tables.game.num_actions
    corners = np.take_along_axis(corners, lasts[..., np.newaxis], axis=2)
    each = len(weights)
    total = np.zeros((each, *(1 for _ in counts)))
    doubts = np.zeros(each)
    for player, count in enumerate(counts):
        chosen = tables.all_floats(player)
        own = weights[:, np.newaxis, player, :count]
        sizes = np.abs(chosen).max(axis=2)[references[:, player]]
        doubts += (np.abs(own[:, 0]) * sizes).sum(axis=1)
        chosen = chosen[references[:, player]]
        values = (own @ chosen)[:, 0]
        shape = [each]
        for other in reversed(range(len(counts))):
            if other == player:
                shape.insert(1, 1)
                continue
            actions = counts[other]
            theirs = corners[:, other, :actions, :actions].swapaxes(1, 2)
            values = (values.reshape(each, -1, actions) @ theirs).swapaxes(1, 2).reshape(each, -1)
            shape.insert(1, actions)
        total = total + values.reshape(shape)
    return total.reshape(each, -1).max(axis=1) < -MARGIN * doubts - LEAST
