"""Hypothesis strategies for compact games, shrinking to small ones."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from gametheory_core.arrays import exact_array
from gametheory_core.compact.anonymous import AnonymousGame, num_count_vectors
from gametheory_core.compact.congestion import CongestionGame
from gametheory_core.compact.graphical import GraphicalGame
from gametheory_core.compact.polymatrix import Pair, PolymatrixGame
from gametheory_core.testing.generators import Draw, PayoffKind, payoffs_of_kind, st

KINDS = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL)


def _numbers(draw: Draw, size: int, kinds: tuple[PayoffKind, ...]) -> Any:
    payoff = payoffs_of_kind(draw(st.sampled_from(kinds)))
    return exact_array(draw(st.lists(payoff, min_size=size, max_size=size)))


def _labels(counts: list[int]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple("abcdefgh"[:n]) for n in counts)


def _players(count: int) -> tuple[str, ...]:
    return tuple(f"p{i + 1}" for i in range(count))


@st.composite
def polymatrix_games(
    draw: Draw,
    *,
    num_players: tuple[int, int] = (2, 4),
    max_actions: int = 3,
    kinds: tuple[PayoffKind, ...] = KINDS,
) -> PolymatrixGame:
    """Draw polymatrix games on any graph, edges without payoffs included."""
    count = draw(st.integers(*num_players))
    counts = [draw(st.integers(1, max_actions)) for _ in range(count)]
    edges = [pair for pair in combinations(range(count), 2) if draw(st.booleans())]
    size = sum(2 * counts[i] * counts[j] for i, j in edges)
    return PolymatrixGame(
        _players(count),
        _labels(counts),
        np.array(edges, dtype=np.int32).reshape(-1, 2),
        _numbers(draw, size, kinds),
    )


@st.composite
def zero_sum_polymatrix_games(
    draw: Draw,
    *,
    num_players: tuple[int, int] = (2, 4),
    max_actions: int = 3,
    kinds: tuple[PayoffKind, ...] = KINDS,
) -> PolymatrixGame:
    """Draw polymatrix games whose payoffs sum to a constant, though perhaps on no single edge.

    Beside zero-sum games on edges, each player pays for its actions on one edge what it gets on
    another, and a constant is paid somewhere.
    """
    count = draw(st.integers(*num_players))
    counts = [draw(st.integers(1, max_actions)) for _ in range(count)]
    edges = [pair for pair in combinations(range(count), 2) if draw(st.booleans())]
    edges = edges or [(0, 1)]
    tables: dict[Pair, list[Any]] = {}
    for i, j in edges:
        first = _numbers(draw, counts[i] * counts[j], kinds).reshape(counts[i], counts[j])
        tables[i, j] = [first, -first]
    for player in range(count):
        own = [pair for pair in edges if player in pair]
        if len(own) > 1:
            moved = _numbers(draw, counts[player], kinds)
            for pair, sign in ((own[0], 1), (own[1], -1)):
                side = pair.index(player)
                column = moved.reshape((-1, 1) if side == 0 else (1, -1))
                tables[pair][1 - side] = tables[pair][1 - side] + sign * column
    first = tables[edges[0]]
    first[0] = first[0] + Fraction(draw(st.integers(-2, 2)))
    both: dict[Pair, tuple[Any, Any]] = {pair: (own[0], own[1]) for pair, own in tables.items()}
    return PolymatrixGame.from_edges(both, players=_players(count), actions=_padded(counts, both))


def _padded(counts: list[int], tables: dict[Pair, tuple[Any, Any]]) -> tuple[tuple[str, ...], ...]:
    """Label actions; who has no edge has as many as drawn."""
    known = {
        k: n for pair, (own, _) in tables.items() for k, n in zip(pair, own.shape, strict=True)
    }
    return _labels([known.get(k, n) for k, n in enumerate(counts)])


@st.composite
def graphical_games(
    draw: Draw,
    *,
    num_players: tuple[int, int] = (1, 4),
    max_actions: int = 3,
    max_neighbors: int = 2,
    kinds: tuple[PayoffKind, ...] = KINDS,
) -> GraphicalGame:
    """Draw graphical games, whose players may depend on some who do not depend on them."""
    count = draw(st.integers(*num_players))
    counts = [draw(st.integers(1, max_actions)) for _ in range(count)]
    near = [
        sorted(draw(st.sets(st.sampled_from(others), max_size=max_neighbors))) if others else []
        for others in ([j for j in range(count) if j != i] for i in range(count))
    ]
    tables = [
        _numbers(draw, int(np.prod(shape)), kinds).reshape(shape)
        for shape in ([counts[j] for j in (i, *own)] for i, own in enumerate(near))
    ]
    return GraphicalGame.from_tables(near, tables, players=_players(count), actions=_labels(counts))


@st.composite
def congestion_games(
    draw: Draw,
    *,
    num_players: tuple[int, int] = (1, 4),
    max_actions: int = 3,
    max_resources: int = 3,
    affine: bool = False,
) -> CongestionGame:
    """Draw congestion games, symmetric ones and others.

    Delays are whole numbers from -2 to 5 in any order; with ``affine`` they are ``a k + b`` for
    ``k`` users, ``a`` and ``b`` at least 0, and actions use something.
    """
    count = draw(st.integers(*num_players))
    resources = draw(st.integers(1, max_resources))
    some = st.sets(st.integers(0, resources - 1), min_size=int(affine)).map(sorted).map(tuple)
    one = st.lists(some, min_size=1, max_size=max_actions).map(tuple)
    uses = (draw(one),) * count if draw(st.booleans()) else tuple(draw(one) for _ in range(count))
    if affine:
        lines = [(draw(st.integers(0, 3)), draw(st.integers(0, 3))) for _ in range(resources)]
        rows = [[a * k + b for k in range(1, count + 1)] for a, b in lines]
    else:
        whole = st.lists(st.integers(-2, 5), min_size=count, max_size=count)
        rows = [draw(whole) for _ in range(resources)]
    return CongestionGame(
        _players(count),
        tuple("rstuvw"[:resources]),
        _labels([len(own) for own in uses]),
        uses,
        exact_array(rows),
    )


@st.composite
def anonymous_games(
    draw: Draw,
    *,
    num_players: tuple[int, int] = (1, 4),
    max_actions: int = 3,
    kinds: tuple[PayoffKind, ...] = KINDS,
) -> AnonymousGame:
    """Draw anonymous games, symmetric ones and others."""
    count = draw(st.integers(*num_players))
    actions = draw(st.integers(1, max_actions))
    rows = 1 if draw(st.booleans()) else count
    shape = (rows, actions, num_count_vectors(count - 1, actions))
    numbers = _numbers(draw, int(np.prod(shape)), kinds)
    return AnonymousGame(_players(count), tuple("abcdefgh"[:actions]), numbers.reshape(shape))
