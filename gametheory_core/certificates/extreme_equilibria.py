"""All extreme equilibria of a bimatrix game, exactly, by a method that is the core's own.

Three things are used that leave the equilibria what they are. Strictly dominated actions are
played in none (Luce and Raiffa 1957), once each elimination is proved. Actions that are *copies* of
each other, for both players and up to terms that no player influences, are one: equilibria are the
profiles that are equilibria when copies are merged, extreme ones play one copy of each. And the
players of a game that is *strategically zero-sum* (Moulin and Vial 1978),

    alpha A[i, j] + beta B[i, j] = r[i] + s[j]   with alpha, beta > 0,

have the same best replies as those of the zero-sum game ``Z[i, j] = alpha A[i, j] - s[j]``, so that
its pairs of optimal strategies are the equilibria, and the vertices of the two faces of optimal
strategies are the extreme strategies. One equilibrium tells the value, and most of each face: a row
that earns less than the value against an optimal column strategy is played in no optimal one, and a
column that is played in an optimal strategy holds every optimal row strategy to the value.

Other games have their best-response polytopes listed: large ones layer by layer if they are simple
(see ``simple_polytopes``). Vertices of all others, and of faces, are the extreme rays of a cone,
listed by the double description method (Motzkin et al. 1953): keep the rays while inequalities are
added one by one.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ExactArray, exact_array, scaled_integers
from gametheory_core.certificates.dominance import ActionSets, Elimination
from gametheory_core.certificates.integer_rows import null_space
from gametheory_core.certificates.reduced_game import checked_reduction, spread
from gametheory_core.certificates.simple_polytopes import Doubt, simple_pairs
from gametheory_core.errors import CertificateRejected, UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame

MANY_LABELS = 15  # of both players; listing rays is quicker below

Vector: TypeAlias = tuple[int, ...]
Ray: TypeAlias = tuple[Vector, int]  # with the bit set of inequalities it meets with equality
Strategy: TypeAlias = tuple[Fraction, ...]
Words: TypeAlias = NDArray[np.uint64]

BITS_OF_A_WORD = 64


@dataclass(frozen=True, eq=False)
class _Core:
    """What is left of a game without dominated actions and copies.

    Attributes:
        tables (num_rows, num_columns): Payoffs of the two players who may choose, as integers; what
            no action of the player's own changes is taken away.
        players: These two.
        classes: The actions of each player, of these two or not, that each one left stands for.
        num_actions: Of the game.
    """

    tables: tuple[ExactArray, ExactArray]
    players: tuple[int, int]
    classes: tuple[ActionSets, ...]
    num_actions: tuple[int, ...]


def extreme_strategies(
    game: NormalFormGame,
    *,
    eliminations: Sequence[Elimination] = (),
    known: Sequence[tuple[Strategy, ...]] = (),
) -> list[tuple[Strategy, ...]]:
    """List all extreme equilibria of a game that is a bimatrix game, once it is reduced.

    Args:
        game: Two players, or more of whom eliminations and copies leave two a choice.
        eliminations: Of strictly dominated actions, in order; each is checked.
        known: Equilibria; they save time where the game is strategically zero-sum.

    Raises:
        UnsupportedGame: If one player, or more than two, have a choice.
        CertificateRejected: If an elimination is not right, or what is known is no equilibrium of a
            game that is strategically zero-sum.
    """
    if not all(_are_strategies(game, pair) for pair in known):
        raise _no_equilibrium()
    core = _core(game, eliminations)
    zero_sum = _as_zero_sum(*core.tables) if known else None
    if zero_sum is None:
        pairs = _labelled_pairs(core)
    else:
        merged = [_merged(core, player, known) for player in range(game.num_players)]
        first, second = (merged[player] for player in core.players)
        pairs = list(product(*_optimal_vertices(zero_sum, first, second)))
    return [
        strategies
        for pair in pairs
        for played in [dict(zip(core.players, pair, strict=True))]
        for strategies in product(
            *(list(_spread(core, j, played.get(j, (1,)))) for j in range(game.num_players))
        )
    ]


def _core(game: NormalFormGame, eliminations: Sequence[Elimination]) -> _Core:
    classes = checked_reduction(game, eliminations, merges_copies=True).copies
    choosing = sorted(range(game.num_players), key=lambda player: len(classes[player]) == 1)
    if len(choosing) < 2 or any(len(classes[player]) > 1 for player in choosing[2:]):
        sizes = " x ".join(str(len(own)) for own in classes)
        raise UnsupportedGame(needs="two players with a choice", found=f"{game!r} leaves {sizes}")
    row, column = sorted(choosing[:2])
    kept = np.ix_(*([copies[0] for copies in own] for own in classes))
    shape = len(classes[row]), len(classes[column])
    first, second = (
        game.scaled_payoffs[player].numerators[kept].reshape(shape) for player in (row, column)
    )
    tables = first - first.min(axis=0), second - second.min(axis=1)[:, None]
    return _Core(tables, (row, column), classes, game.num_actions)


def _spread(core: _Core, player: int, weights: Vector) -> Iterator[Strategy]:
    shares = exact_array([Fraction(weight, sum(weights)) for weight in weights])
    for strategy in spread(shares, core.classes[player], core.num_actions[player]):
        yield tuple(strategy.tolist())


def _merged(core: _Core, player: int, known: Sequence[tuple[Strategy, ...]]) -> ExactArray:
    """Return the mean of what a player is known to play, over classes of actions, as integers."""
    means = [sum(weights) / len(known) for weights in zip(*(k[player] for k in known), strict=True)]
    merged = [sum((means[a] for a in own), Fraction(0)) for own in core.classes[player]]
    if sum(merged) != 1:
        raise _no_equilibrium()
    return scaled_integers(exact_array(merged)).numerators


def _are_strategies(game: NormalFormGame, pair: tuple[Strategy, ...]) -> bool:
    return tuple(map(len, pair)) == game.num_actions and all(
        min(strategy) >= 0 and sum(strategy) == 1 for strategy in pair
    )


def _no_equilibrium() -> CertificateRejected:
    return CertificateRejected(
        found="a profile is claimed that is not an equilibrium", remedy="Do not use this answer."
    )


def _as_zero_sum(first: ExactArray, second: ExactArray) -> ExactArray | None:
    """Return the payoffs Z of a zero-sum game with the same best replies; None if there is none.

    Differences of differences have no terms of rows or columns in them: those of A must be a
    negative multiple of those of B.
    """
    mine, others = (t - t[0] - t[:, :1] + t[0, 0] for t in (first, second))
    place = tuple(axis[0] for axis in np.nonzero(mine)) if mine.any() else (0, 0)
    at, against = mine[place], -others[place]
    if not (at or others.any()):
        at = against = 1
    if at * against <= 0 or (mine * against != -others * at).any():
        return None
    alpha, beta = abs(against), abs(at)
    return alpha * (first - first[0]) - beta * second[0]


def _optimal_vertices(
    payoffs: ExactArray, x: ExactArray, y: ExactArray
) -> tuple[list[Vector], list[Vector]]:
    """List the vertices of both players' optimal strategies, from a pair of optimal ones."""
    against_y, against_x = payoffs @ y, x @ payoffs
    value, weight = max(against_y), sum(y)
    if value * sum(x) != min(against_x) * weight:
        raise _no_equilibrium()
    rows = _face_vertices(payoffs, against_y == value, y != 0)
    columns = _face_vertices(-payoffs.T, against_x * weight == value * sum(x), x != 0)
    return rows, columns


def _face_vertices(payoffs: ExactArray, playable: Any, played: Any) -> list[Vector]:
    """List the vertices of a player's optimal strategies, each up to a positive factor.

    Args:
        payoffs (num_rows, num_columns)
        playable (num_rows,): Rows that earn the value against an optimal strategy of the opponent.
        played (num_columns,): Columns that it plays; all earn the same against what is optimal,
            which is the value, since it is what their mixture earns.
    """
    least = payoffs[np.ix_(playable, played)][:, :1]
    equal = (payoffs[np.ix_(playable, played)] - least).T
    span = null_space(equal.tolist(), int(playable.sum()))
    slacks = (payoffs[np.ix_(playable, ~played)] - least).T @ span
    rays = extreme_rays([*span.tolist(), *slacks.tolist()], span.shape[1])
    vertices: list[Vector] = []
    for ray in rays:
        point = np.zeros(len(payoffs), dtype=object)
        point[np.flatnonzero(playable)] = span @ np.array(ray, dtype=object)
        vertices.append(tuple(point.tolist()))
    return vertices


def _labelled_pairs(core: _Core) -> list[tuple[Vector, Vector]]:
    """List the pairs of vertices where every action is unplayed or a best reply."""
    first, second = (table - table.min() + 1 for table in core.tables)
    if sum(first.shape) >= MANY_LABELS:
        with suppress(Doubt):
            return simple_pairs(first, second)
    against_rows, against_columns = second.T.tolist(), first.tolist()
    rows, columns = len(first), len(first[0])
    x_vertices, y_vertices = _vertices(against_rows), _vertices(against_columns)
    every = (1 << (rows + columns)) - 1
    missing = [
        every ^ (_bits(_unplayed(x)) | _bits(_best_replies(against_rows, x)) << rows)
        for x in x_vertices
    ]
    have = [
        _bits(_best_replies(against_columns, y)) | _bits(_unplayed(y)) << rows for y in y_vertices
    ]
    wanted, labels = (_words(own, rows + columns) for own in (missing, have))
    return [
        (x, y_vertices[k])
        for x, own in zip(x_vertices, wanted, strict=True)
        for k in _having(labels, own).tolist()
    ]


def _bits(places: Iterable[int]) -> int:
    return sum(1 << place for place in places)


def _vertices(payoffs: list[list[int]]) -> list[Vector]:
    """List the vertices of ``{z >= 0 : payoffs @ z <= 1}`` but 0, each up to a positive factor.

    The cone over the polytope has coordinates ``(z, t)`` and inequalities ``z >= 0``, ``t >= 0``,
    ``t - payoffs[k] @ z >= 0``; its extreme rays are the vertices.
    """
    normals = [[*(-value for value in row), 1] for row in payoffs]
    rays = extreme_rays(normals, len(payoffs[0]) + 1)
    return [ray[:-1] for ray in rays if any(ray[:-1])]


def extreme_rays(normals: Sequence[Sequence[int]], size: int) -> list[Vector]:
    """List the extreme rays of the cone ``{ray >= 0 : normals @ ray >= 0}`` of some dimension."""
    rays = [
        (tuple(int(i == j) for i in range(size)), ((1 << size) - 1) ^ (1 << j)) for j in range(size)
    ]
    for number, normal in enumerate(normals):
        rays = cut(rays, normal, 1 << (size + number), size)
    return [ray for ray, _ in rays]


def cut(rays: list[Ray], normal: Sequence[int], bit: int, size: int) -> list[Ray]:
    """Intersect a cone of dimension ``size`` with the half-space ``normal @ ray >= 0``.

    Each ray comes with the bit set of inequalities it meets with equality. A new ray appears
    between each two adjacent rays on different sides; two rays are adjacent if no third one meets
    all the inequalities that both of them meet.
    """
    heights = [sum(a * b for a, b in zip(normal, ray, strict=True)) for ray, _ in rays]
    kept = [
        (ray, zeros if height else zeros | bit)
        for (ray, zeros), height in zip(rays, heights, strict=True)
        if height >= 0
    ]
    zero_sets = _words([zeros for _, zeros in rays], bit.bit_length())
    above = [i for i, height in enumerate(heights) if height > 0]
    below = np.array([j for j, height in enumerate(heights) if height < 0], dtype=np.intp)
    for i in above:
        common = zero_sets[i] & zero_sets[below]
        for k in np.flatnonzero(np.bitwise_count(common).sum(axis=1) >= size - 2).tolist():
            if _having(zero_sets, common[k]).size > 2:
                continue
            j = int(below[k])
            mixed = [
                heights[i] * b - heights[j] * a for a, b in zip(rays[i][0], rays[j][0], strict=True)
            ]
            divisor = gcd(*mixed)
            kept.append(
                (tuple(value // divisor for value in mixed), (rays[i][1] & rays[j][1]) | bit)
            )
    return kept


def _words(sets: Sequence[int], size: int) -> Words:
    """Write sets of bits as rows of machine words."""
    shifts = range(0, max(size, 1), BITS_OF_A_WORD)
    mask = (1 << BITS_OF_A_WORD) - 1
    rows = [[own >> shift & mask for shift in shifts] for own in sets]
    return np.array(rows, dtype=np.uint64).reshape(len(rows), len(shifts))


def _having(sets: Words, wanted: Words) -> NDArray[np.intp]:
    """Return which sets have all of some bits."""
    return np.flatnonzero(((sets & wanted) == wanted).all(axis=1))


def _unplayed(weights: Vector) -> list[int]:
    return [action for action, weight in enumerate(weights) if not weight]


def _best_replies(payoffs: list[list[int]], weights: Vector) -> list[int]:
    values = [sum(p * w for p, w in zip(row, weights, strict=True)) for row in payoffs]
    best = max(values)
    return [reply for reply, value in enumerate(values) if value == best]
