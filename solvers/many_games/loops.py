"""The compiled loops of many games, each called for a part of the games: arrays in, arrays out."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.memory import require_memory
from solvers.many_games.batch import Batch, Numbers, numbers_of
from solvers.many_games.forms import Floats

if TYPE_CHECKING:
    from solvers._kernels.many_games import Games


@dataclass(frozen=True, eq=False)
class Part:
    """Answers to consecutive games, as in ``ManyAnswers``; ``games`` are numbered from 0."""

    games: NDArray[np.int64]
    strategies: Floats
    weights: tuple[NDArray[np.uint64], ...]
    found_apart: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Order:
    """What a loop is asked for.

    Attributes:
        batch, numbers: The games.
        fits (num_games,): Those that the loop takes.
        words: That the longest of these needs.
        options: Of the solver of one game.
    """

    batch: Batch
    numbers: Numbers
    fits: NDArray[np.bool_]
    words: int
    options: Mapping[str, Any]

    @property
    def games(self) -> "Games":
        """What the loops for two players are given."""
        from solvers._kernels.many_games import Games  # noqa: PLC0415 loads numba

        own = self.numbers
        return Games(own.mantissas, own.exponents, own.shifts, self.fits)

    @property
    def two_sizes(self) -> tuple[int, int]:
        """How many actions the two players have."""
        rows, columns = self.batch.num_actions
        return rows, columns


def follow_paths(order: Order) -> Part:
    """Follow the Lemke-Howson path of one label through each game."""
    from solvers._kernels import many_paths as kernel  # noqa: PLC0415 loads numba

    return _one_each(order, kernel, kernel.follow_paths, order.options["initial_label"])


def solve_packings(order: Order) -> Part:
    """Solve the matrix game of the row player's payoffs."""
    from solvers._kernels import many_packings as kernel  # noqa: PLC0415 loads numba

    return _one_each(order, kernel, kernel.solve_packings)


def best_commitments(order: Order) -> Part:
    """Find the leader's best commitment among the vertices of the best-reply regions."""
    from solvers._kernels import many_vertices as kernel  # noqa: PLC0415 loads numba

    is_first = order.options["leader"] == 0
    if not is_first:
        batch = order.batch.swapped()
        order = replace(order, batch=batch, numbers=numbers_of(batch))
    batch, words = order.batch, order.words
    rows, columns = batch.num_actions
    commitments = np.zeros((len(batch), rows, words), dtype=np.uint64)
    floats = np.zeros((len(batch), rows))
    replies = np.zeros(len(batch), dtype=np.int64)
    status = np.zeros(len(batch), dtype=np.int8)
    wide = words + int(order.numbers.bits[order.fits].max(initial=1)) // 64 + 1
    room, visits = kernel.new_room((rows, columns), (most_vertices(rows, columns), 1), words)
    kernel.best_commitments(
        order.games,
        room,
        visits,
        np.zeros((rows * columns + 11) * wide, dtype=np.uint64),
        commitments,
        floats,
        replies,
        status,
    )
    pure = np.zeros((len(batch), columns, words), dtype=np.uint64)
    pure[np.arange(len(batch)), replies, 0] = 1
    sides = [(floats, commitments), (pure[..., 0].astype(float), pure)]
    sides = sides if is_first else sides[::-1]
    part = Part(
        np.arange(len(batch)),
        tuple(side[0] for side in sides),
        tuple(side[1] for side in sides),
        np.zeros(0, dtype=np.bool_),
    )
    return _finished(part, status == kernel.ALONE)


def list_equilibria(order: Order) -> Part:
    """List the extreme equilibria of each game."""
    from solvers._kernels import many_vertices as kernel  # noqa: PLC0415 loads numba

    batch, words = order.batch, order.words
    rows, columns = batch.num_actions
    capacity = (most_vertices(rows, columns), most_vertices(columns, rows))
    room, visits = kernel.new_room((rows, columns), capacity, words)
    counts = np.zeros(len(batch), dtype=np.int64)
    space = max(4 * len(batch), capacity[0] * capacity[1])
    pieces: list[tuple[NDArray[Any], ...]] = []
    game = 0
    while game < len(batch):
        arrays = _arrays(space, batch.num_actions, words)
        after = kernel.list_equilibria(
            order.games, game, room, visits, counts, *arrays[2:], *arrays[:2]
        )
        used = int(counts[game:after].sum())
        pieces.append(tuple(array[:used].copy() for array in arrays))
        game = after
    whole = [np.concatenate(own) for own in zip(*pieces, strict=True)]
    games = np.repeat(np.arange(len(batch)), counts)
    return Part(games, (whole[0], whole[1]), (whole[2], whole[3]), ~order.fits)


def list_cells(order: Order) -> Part:
    """List the joint actions in which nobody gains by a change of own action; any players."""
    batch = order.batch
    stable = np.ones((len(batch), *batch.num_actions), dtype=np.bool_)
    for player in range(batch.payoffs.shape[1]):
        own = batch.payoffs[:, player]
        stable &= own >= own.max(axis=1 + player, keepdims=True)
    players = len(batch.num_actions)
    require_memory(
        int(stable.sum()) * 8 * (3 * players + 4 * sum(batch.num_actions)),
        what=f"{int(stable.sum()):,} pure equilibria of {players} players",
        remedy="Solve fewer games in a call, or smaller ones.",
    )
    games, *cells = np.nonzero(stable)
    pure = [
        (np.arange(size) == own[:, np.newaxis])
        for own, size in zip(cells, batch.num_actions, strict=True)
    ]
    return Part(
        games,
        tuple(own.astype(float) for own in pure),
        tuple(own[..., np.newaxis].astype(np.uint64) for own in pure),
        ~order.fits,
    )


def correlate(order: Order) -> Part:
    """Find the correlated equilibrium of largest welfare."""
    from solvers._kernels import many_packings, many_programs  # noqa: PLC0415 loads numba

    rows, columns = order.two_sizes
    words, count = order.words, len(order.fits)
    weights = np.zeros((count, rows, columns, words), dtype=np.uint64)
    floats = np.zeros((count, rows, columns))
    status = np.zeros(count, dtype=np.int8)
    many_programs.find_correlated(
        order.games,
        many_packings.new_room((swaps_of(rows, columns) + 1, rows * columns), words),
        np.zeros(2 * rows * columns * words, dtype=np.uint64),
        weights,
        floats,
        status,
    )
    nobody = np.zeros(0, dtype=np.bool_)
    whole = Part(np.arange(count), (floats,), (weights,), nobody)
    return _finished(whole, status == many_programs.ALONE)


def eliminate(order: Order) -> Part:
    """Eliminate strictly dominated actions."""
    from solvers._kernels import many_packings, many_programs  # noqa: PLC0415 loads numba

    rows, columns = order.two_sizes
    words, count = order.words, len(order.fits)
    left = np.zeros((count, 2), dtype=np.int64)
    status = np.zeros(count, dtype=np.int8)
    most = max(rows, columns)
    many_programs.eliminate(
        order.games,
        many_packings.new_room((most, most), words),
        np.zeros(2 * rows * columns * words, dtype=np.uint64),
        words,
        left,
        status,
    )
    masks = [
        left[:, i, np.newaxis] >> np.arange(size) & 1 for i, size in enumerate((rows, columns))
    ]
    whole = Part(
        np.arange(count),
        tuple(own.astype(np.float64) for own in masks),
        tuple(own[..., np.newaxis].astype(np.uint64) for own in masks),
        np.zeros(0, dtype=np.bool_),
    )
    return _finished(whole, status == many_programs.ALONE)


def swaps_of(rows: int, columns: int) -> int:
    """Count the pairs of a recommended action and another one."""
    return rows * (rows - 1) + columns * (columns - 1)


def most_vertices(dimension: int, others: int) -> int:
    """Bound the number of vertices of a best-response polytope (McMullen 1970)."""
    facets = dimension + others
    return comb(facets - (dimension + 1) // 2, others) + comb(facets - (dimension + 2) // 2, others)


def _arrays(count: int, num_actions: tuple[int, ...], words: int) -> tuple[NDArray[Any], ...]:
    """Make room for strategies of two players, then for weights."""
    return (
        *(np.zeros((count, own)) for own in num_actions),
        *(np.zeros((count, own, words), dtype=np.uint64) for own in num_actions),
    )


def _one_each(order: Order, kernel: Any, loop: Any, *asked: int) -> Part:
    """Call a loop that finds one answer to each game, or none."""
    count = len(order.fits)
    rows, columns, *weights = _arrays(count, order.batch.num_actions, order.words)
    status = np.zeros(count, dtype=np.int8)
    room = kernel.new_room(order.two_sizes, order.words)
    loop(order.games, *asked, room, *weights, rows, columns, status)
    nobody = np.zeros(0, dtype=np.bool_)
    whole = Part(np.arange(count), (rows, columns), tuple(weights), nobody)
    return _finished(whole, status == kernel.ENDED)


def _finished(part: Part, is_found: NDArray[np.bool_]) -> Part:
    """Leave out the games whose answer the loop did not find."""
    return Part(
        part.games[is_found],
        tuple(own[is_found] for own in part.strategies),
        tuple(own[is_found] for own in part.weights),
        ~is_found,
    )
