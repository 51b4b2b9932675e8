"""Polymatrix games: players on a graph, who play a bimatrix game along each edge.

A player picks one action for all edges, and gets the sum of what its edges pay (Janovskaja 1968):

    u_i(a) = sum over edges {i, j} of  A_ij[a_i, a_j].

So a game of ``n`` players with ``k`` actions holds at most ``n (n - 1) k^2`` numbers, where its
normal form holds ``n k^n``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import as_tuple, number_of, require_instance, require_integer, shown
from gametheory_core.arrays import (
    ExactArray,
    IntArray,
    NumberArray,
    ScaledIntegers,
    as_exact,
    freeze,
    integer_array,
    is_exact,
    number_array,
    reading_floats,
    scaled_integers,
)
from gametheory_core.compact.seats import (
    CompactRecord,
    actions_or_numbers,
    check_actions,
    check_players,
    given_exactly,
    players_or_numbers,
    sizes,
)
from gametheory_core.errors import InvalidGame
from gametheory_core.games.table_content import keep

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False, repr=False)
class PolymatrixGame(CompactRecord):
    """A graph of players with a bimatrix game on each edge; ``from_edges`` builds one of matrices.

    Attributes:
        players: Labels.
        actions: Labels of each player's actions.
        edges (num_edges, 2): Pairs of players, the smaller number first, in ascending order, none
            twice; read-only.
        given_payoffs (num_payoffs,): For each edge ``(i, j)`` what ``i`` gets, then what ``j``
            gets; each of shape (actions of i, actions of j), the action of j fastest. Float64 or
            exact; read-only.
        title: For people; no part of the game's identity.
    """

    players: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]
    edges: IntArray
    given_payoffs: NumberArray
    title: str = ""
    exact_payoffs = given_exactly

    def __post_init__(self) -> None:
        players = check_players(self.players)
        actions = check_actions(self.actions, players)
        edges = _checked_edges(self.edges, len(players))
        given = number_array(self.given_payoffs, where="payoffs")
        keep(self, players=players, actions=actions, edges=edges, given_payoffs=given)
        if given.shape != (self.starts[-1],):
            raise InvalidGame(
                needs=f"{self.starts[-1]:,} payoffs, two for each pair of actions on each edge",
                found=f"their shape is {given.shape}",
            )

    @staticmethod
    def from_edges(
        games: Mapping[Pair, tuple[object, object]],
        *,
        players: Sequence[str] | None = None,
        actions: Sequence[Sequence[str]] | None = None,
        title: str = "",
        decimals: bool = False,
    ) -> "PolymatrixGame":
        """Build a game from a bimatrix game for each edge.

        Args:
            games: By pair of players, from 0, what the first one gets and what the second one gets;
                both of shape (actions of the first, actions of the second). Each pair once.
            players: Default as many as actions are for, or as the edges name.
            actions: Default "1", "2", ... as many as the matrices have rows and columns.
            decimals: Whether a float means the shortest decimal that is read as it (0.1 as 1/10).

        Raises:
            InvalidGame: If a pair stands twice, or matrices do not fit each other; names the pair.

        >>> game = PolymatrixGame.from_edges(
        ...     {(0, 1): ([[1, 0], [0, 1]], [[1, 0], [0, 1]]), (1, 2): ([[0, 2]], [[3, 4]])}
        ... )
        Traceback (most recent call last):
        gametheory_core.errors.InvalidGame: from_edges: needs as many actions of a player on all \
edges, but player 2 has 2 on edge (0, 1) and 1 on edge (1, 2).
        """
        require_instance(games, Mapping, name="games", remedy="Give a dict by pair of players.")
        with reading_floats(decimals=decimals):
            tables = dict(_read_edge(pair, both) for pair, both in games.items())
        if len(tables) < len(games):
            raise InvalidGame(needs="each pair of players once", found="one stands there twice")
        counts = _counted(tables)
        count = _number_of_players(counts, players, actions)
        shape = [counts.get(i, 1) for i in range(count)]
        ordered = sorted(tables)
        flat = [part.ravel() for pair in ordered for part in tables[pair]]
        if any(map(is_exact, flat)):
            flat = list(map(as_exact, flat))
        return PolymatrixGame(
            players=players_or_numbers(players, count),
            actions=cast("Any", actions_or_numbers(actions, shape)),
            edges=np.array(ordered, dtype=np.int32).reshape(-1, 2),
            given_payoffs=freeze(np.concatenate(flat)) if flat else np.zeros(0, dtype=object),
            title=title,
        )

    @property
    def num_edges(self) -> int:
        """Number of edges."""
        return len(self.edges)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where the payoffs of each edge start, and where the last ones end."""
        counts = np.array(list(map(len, self.actions)), dtype=np.int64)
        sizes_of_edges = 2 * counts[self.edges[:, 0]] * counts[self.edges[:, 1]]
        return (0, *np.cumsum(sizes_of_edges).tolist())

    @cached_property
    def scaled_payoffs(self) -> ScaledIntegers:
        """The payoffs as integers over one denominator for all."""
        return scaled_integers(self.given_payoffs)

    @cached_property
    def neighbors(self) -> tuple[tuple[int, ...], ...]:
        """The players that each player shares an edge with, in ascending order."""
        found: list[list[int]] = [[] for _ in self.players]
        for i, j in self.edges.tolist():
            found[i].append(j)
            found[j].append(i)
        return tuple(tuple(sorted(own)) for own in found)

    def bimatrix(self, edge: int) -> ExactArray:
        """Return what both get on an edge ``(i, j)``, shape (2, actions of i, actions of j)."""
        require_integer(edge, name="edge", low=0, high=self.num_edges - 1)
        return edge_table(self, self.exact_payoffs, edge)

    def __repr__(self) -> str:
        return (
            f"PolymatrixGame({self.title!r}, {number_of(self.num_players, 'player')}, "
            f"{number_of(self.num_edges, 'edge')}, {sizes(self.num_actions)} each)"
        )


def edge_table(game: PolymatrixGame, numbers: Any, edge: int) -> Any:
    """Return the part of an edge of an array laid out like payoffs, in their shape."""
    i, j = game.edges[edge].tolist()
    part = numbers[game.starts[edge] : game.starts[edge + 1]]
    return part.reshape(2, game.num_actions[i], game.num_actions[j])


def _checked_edges(edges: Any, count: int) -> IntArray:
    array = integer_array(edges, ndim=2, what="edges, as pairs of numbers of players")
    if array.shape[1] != 2:
        raise InvalidGame(
            needs="edges as pairs of numbers of players", found=f"their shape is {array.shape}"
        )
    pairs = [tuple(pair) for pair in array.tolist()]
    for before, pair in zip([(-1, -1), *pairs], pairs, strict=False):
        i, j = pair
        if not 0 <= i < j < count:
            raise InvalidGame(
                needs=f"edges (i, j) with 0 <= i < j <= {count - 1}", found=f"got {pair}"
            )
        if pair <= before:
            raise InvalidGame(
                needs="edges in ascending order, each once",
                found=f"{pair} comes after {before}",
                remedy="Sort them together with their payoffs, or use from_edges.",
            )
    return freeze(array.astype(np.int32))


def _read_edge(pair: Any, both: Any) -> tuple[Pair, tuple[NumberArray, NumberArray]]:
    """Return a pair in order, and both matrices with the first player's actions as rows."""
    if (
        not isinstance(pair, tuple)
        or len(cast("tuple[Any, ...]", pair)) != 2
        or not all(type(i) is int and i >= 0 for i in cast("tuple[Any, ...]", pair))
        or pair[0] == pair[1]
    ):
        raise InvalidGame(
            needs="a pair of two players' numbers from 0", found=f"got {pair!r}", where="from_edges"
        )
    i, j = cast("Pair", pair)
    is_pair = isinstance(both, list | tuple | np.ndarray) and len(cast("Any", both)) == 2
    if not is_pair:
        raise InvalidGame(
            needs="a pair of matrices, what the first player gets and what the second one gets",
            found=f"edge {pair} has {shown(both)}",
            where="from_edges",
        )
    first, second = (number_array(own, where=f"edge {pair}") for own in both)
    if first.ndim != 2 or first.shape != second.shape or 0 in first.shape:
        raise InvalidGame(
            needs="two matrices of one shape, (actions of the first, actions of the second)",
            found=f"edge {pair} has {first.shape} and {second.shape}",
            where="from_edges",
        )
    return ((i, j), (first, second)) if i < j else ((j, i), (second.T, first.T))


def _counted(tables: Mapping[Pair, tuple[NumberArray, NumberArray]]) -> dict[int, int]:
    """Return how many actions each player has, by the matrices of all its edges."""
    counts: dict[int, tuple[int, Pair]] = {}
    for pair, (first, _) in tables.items():
        for player, size in zip(pair, first.shape, strict=True):
            known, other = counts.setdefault(player, (size, pair))
            if known != size:
                raise InvalidGame(
                    needs="as many actions of a player on all edges",
                    found=f"player {player + 1} has {known} on edge {other} and {size} on edge "
                    f"{pair}",
                    where="from_edges",
                )
    return {player: size for player, (size, _) in counts.items()}


def _number_of_players(counts: Mapping[int, int], players: Any, actions: Any) -> int:
    """Return how many there are; refuse edges that name others, or leave it open."""
    last = max(counts, default=-1)
    if players is None and actions is None:
        if len(counts) <= last:
            alone = next(i for i in range(last) if i not in counts)
            raise InvalidGame(
                needs="an edge for each player, where neither players nor actions say who there is",
                found=f"the edges name players up to {last}, and none names player {alone}",
                remedy="Give players, or actions for each player.",
            )
        return last + 1
    given = as_tuple(actions, name="actions") if players is None else check_players(players)
    if last >= len(given):
        raise InvalidGame(
            needs=f"edges between players from 0 to {len(given) - 1}",
            found=f"one names player {last}",
            remedy="Number players from 0, and give a label or actions for each.",
        )
    return len(given)
