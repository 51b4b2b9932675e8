"""Cells of strategies with given supports: subdivided until each holds no equilibrium, or one.

A cell is a simplex of strategies for each player. What an action earns is multilinear in the
others' strategies, so on a cell it takes its extremes at the corners: a cell is the payoff tensor
of a smaller game, whose actions are the corners, and halving an edge averages two slices of it.
With ``F`` the differences of supported actions' payoffs and ``J`` its derivatives, a cell is done

- if, at all corners, a supported action earns less than some other action: no equilibrium;
- if, for some matrix ``Y``, a component of ``Y F`` has one sign at all corners: no solution;
- if ``|I - Y J| < 1`` at all corners of a larger cell around it (row sums): then, as ``J`` is an
  average of its values at the corners, ``Y F`` is injective there, and a solution known to lie in
  the larger cell is the only one.

Floats, with a margin for all rounding on the way; only the choice of ``Y`` is heuristic.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray
from solvers.many_players.support_newton import Supports

MARGIN = 1e-12  # of payoffs in [0, 1], far above the rounding of a few hundred averages of them
ENLARGED = 1.5  # how much larger the cell is in which a solution has to be unique
LARGEST_SLOPE = 0.95  # less than 1, for rounding
LARGEST_INVERSE = 1e8  # entries of Y: past it, nothing is decided by Y
FLAT = 1e-9  # payoffs that differ less along an edge are not told apart by halving it


@dataclass(frozen=True, eq=False)
class Cells:
    """Some cells of one support profile, B in all.

    Attributes:
        tensors: ``tensors[i]``, shape (B, actions of i, corners of player 0, ..., of n - 1): what
            actions earn at the corners; axis ``i`` of the corners has length 1.
        corners: ``corners[i]``, shape (B, corners of i, supported actions of i): the strategies.
    """

    supports: Supports
    tensors: tuple[FloatArray, ...]
    corners: tuple[FloatArray, ...]

    def __len__(self) -> int:
        return len(self.corners[0])

    def where(self, chosen: NDArray[np.bool_] | NDArray[np.intp] | slice) -> "Cells":
        """Return some of the cells."""
        return Cells(
            self.supports,
            tuple(tensor[chosen] for tensor in self.tensors),
            tuple(own[chosen] for own in self.corners),
        )

    def mapped(self, change: Callable[[FloatArray, int, int], FloatArray]) -> "Cells":
        """Change all corners of all players by ``change(array, axis, player)``."""
        tensors = self.tensors
        for player, own in enumerate(self.supports):
            if len(own) > 1:
                tensors = tuple(
                    tensor if i == player else change(tensor, 2 + player, player)
                    for i, tensor in enumerate(tensors)
                )
        return Cells(
            self.supports,
            tensors,
            tuple(change(own, 1, player) for player, own in enumerate(self.corners)),
        )


def whole_cell(payoffs: FloatArray, supports: Supports) -> Cells:
    """Return the cell of all strategies with some or all of the supported actions.

    Args:
        payoffs (n, *num_actions): In [0, 1].
    """
    tensors: list[FloatArray] = []
    for player, table in enumerate(payoffs):
        picked = [
            np.arange(table.shape[j]) if j == player else np.array(own)
            for j, own in enumerate(supports)
        ]
        restricted = np.moveaxis(table[np.ix_(*picked)], player, 0)
        tensors.append(np.expand_dims(restricted, player + 1)[np.newaxis])
    corners = tuple(np.eye(len(own))[np.newaxis] for own in supports)
    return Cells(supports, tuple(tensors), corners)


def joined(cells: Sequence[Cells]) -> Cells:
    """Put cells of one support profile together."""
    return Cells(
        cells[0].supports,
        tuple(np.concatenate(parts) for parts in zip(*(c.tensors for c in cells), strict=True)),
        tuple(np.concatenate(parts) for parts in zip(*(c.corners for c in cells), strict=True)),
    )


def without_dominated(cells: Cells) -> Cells:
    """Drop the cells in which a supported action is surely worse than another action."""
    kept = np.ones(len(cells), dtype=bool)
    for tensor, own in zip(cells.tensors, cells.supports, strict=True):
        flat = tensor.reshape(*tensor.shape[:2], -1)
        for action in own:
            gains = flat - flat[:, [action]]
            kept &= ~(gains.min(axis=2) > MARGIN).any(axis=1)
    return cells if kept.all() else cells.where(kept)


@dataclass(frozen=True, eq=False)
class Linearized:
    """Equations at the corners of cells; N equations, M corners of all players together.

    Attributes:
        values (B, N, M): ``F``.
        slopes (B, M, N, N): ``J``, by barycentric coordinates, each player's last one the dependent
            one.
        inverses (B, N, N): ``Y``, about the inverse of ``J`` in the middle.
        is_usable (B,): Whether ``Y`` is of a size with which rounding is harmless.
    """

    values: FloatArray
    slopes: FloatArray
    inverses: FloatArray
    is_usable: NDArray[np.bool_]


def linearized(cells: Cells, inverses: FloatArray | None = None) -> Linearized:
    """Evaluate equations and derivatives at all corners; ``inverses`` if they are known already."""
    sizes = tuple(len(own) for own in cells.supports)
    count, corners = len(cells), int(np.prod(sizes))
    starts = np.concatenate(([0], np.cumsum([size - 1 for size in sizes])))
    unknowns = int(starts[-1])
    values = np.zeros((count, unknowns, corners))
    slopes = np.zeros((count, corners, unknowns, unknowns))
    for i, own in enumerate(cells.supports):
        if len(own) == 1:
            continue
        differences = cells.tensors[i][:, list(own[1:])] - cells.tensors[i][:, [own[0]]]
        rows = slice(starts[i], starts[i + 1])
        shape = (count, sizes[i] - 1, *sizes)
        values[:, rows] = np.broadcast_to(differences, shape).reshape(count, sizes[i] - 1, -1)
        for j, size in enumerate(sizes):
            if j == i or size == 1:
                continue
            last = differences.take([size - 1], axis=2 + j)
            for b in range(size - 1):
                slope = differences.take([b], axis=2 + j) - last
                column = np.broadcast_to(slope, shape).reshape(count, sizes[i] - 1, -1)
                slopes[:, :, rows, starts[j] + b] = column.transpose(0, 2, 1)
    if inverses is None:
        inverses = _inverses(slopes.mean(axis=1))
    is_usable = np.abs(inverses).max(axis=(1, 2), initial=0.0) < LARGEST_INVERSE
    return Linearized(values, slopes, inverses, is_usable)


def _inverses(matrices: FloatArray) -> FloatArray:
    """Invert, after a tiny change that keeps singular matrices from stopping the others."""
    size = matrices.shape[1]
    scale = np.abs(matrices).max(axis=(1, 2), initial=0.0) + FLAT
    shaken = matrices + (1e-10 * scale)[:, None, None] * np.diag(np.arange(1.0, size + 1))
    try:
        return np.linalg.inv(shaken)
    except np.linalg.LinAlgError:
        return np.zeros_like(shaken)


def has_no_solution(system: Linearized) -> NDArray[np.bool_]:
    """Mark the cells in which a combination of the equations has one sign."""
    combined = system.inverses @ system.values
    margin = MARGIN * np.abs(system.inverses).sum(axis=2)
    one_sign = (combined.min(axis=2) > margin) | (combined.max(axis=2) < -margin)
    return system.is_usable & one_sign.any(axis=1)


def has_one_solution_at_most(system: Linearized) -> NDArray[np.bool_]:
    """Mark the cells in which the equations, combined, are injective."""
    size = system.inverses.shape[1]
    if size == 0:
        return np.ones(len(system.values), dtype=bool)
    left = np.eye(size) - system.inverses[:, np.newaxis] @ system.slopes
    return system.is_usable & (np.abs(left).sum(axis=3).max(axis=(1, 2)) < LARGEST_SLOPE)


def enlarged(cells: Cells) -> Cells:
    """Return the cells, each player's simplex enlarged about its middle."""

    def away(array: FloatArray, axis: int, player: int) -> FloatArray:
        middle = array.mean(axis=axis, keepdims=True)
        return middle + ENLARGED * (array - middle) if len(cells.supports[player]) > 1 else array

    return cells.mapped(away)


def halved(cells: Cells) -> tuple[Cells, Cells | None]:
    """Halve each cell at the edge along which payoffs vary most.

    Returns:
        The halves; and the cells, if any, along no edge of which payoffs vary noticeably.
    """
    edges = [
        (player, p, q)
        for player, own in enumerate(cells.supports)
        for p, q in combinations(range(len(own)), 2)
    ]
    variation = np.array([_variation(cells, *edge) for edge in edges])
    best = variation.argmax(axis=0)
    is_flat = variation.max(axis=0) < FLAT
    parts: list[Cells] = []
    for index, (player, p, q) in enumerate(edges):
        chosen = np.flatnonzero((best == index) & ~is_flat)
        if len(chosen):
            part = cells.where(chosen)
            parts += [_half(part, player, p, q), _half(part, player, q, p)]
    flat = cells.where(is_flat) if is_flat.any() else None
    return (joined(parts) if parts else cells.where(slice(0, 0))), flat


def _variation(cells: Cells, player: int, p: int, q: int) -> FloatArray:
    most = np.zeros(len(cells))
    for i, (tensor, own) in enumerate(zip(cells.tensors, cells.supports, strict=True)):
        if i != player:
            differences = tensor - tensor[:, [own[0]]]
            axis = 2 + player
            change = differences.take(p, axis=axis) - differences.take(q, axis=axis)
            most = np.maximum(most, np.abs(change).reshape(len(cells), -1).max(axis=1, initial=0.0))
    return most


def _half(cells: Cells, player: int, kept: int, moved: int) -> Cells:
    """Move a corner to the middle of its edge to another one."""

    def halve(array: FloatArray, axis: int) -> FloatArray:
        out = array.copy()
        index = (slice(None),) * axis
        out[(*index, moved)] = (array[(*index, kept)] + array[(*index, moved)]) / 2
        return out

    return Cells(
        cells.supports,
        tuple(t if i == player else halve(t, 2 + player) for i, t in enumerate(cells.tensors)),
        tuple(halve(c, 1) if i == player else c for i, c in enumerate(cells.corners)),
    )
