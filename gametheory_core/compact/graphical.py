"""Graphical games: what a player gets depends on its own action and those of few neighbors.

Each player ``i`` has a table over its own action and those of its neighborhood ``N(i)`` (Kearns,
Littman and Singh 2001),

    u_i(a) = T_i[a_i, a_j for j in N(i)],

so that ``n`` players with ``k`` actions and at most ``d`` neighbors need ``n k^(d + 1)`` numbers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import as_tuple, number_of, require_integer
from gametheory_core.arrays import (
    ExactArray,
    NumberArray,
    as_exact,
    freeze,
    is_exact,
    number_array,
    reading_floats,
)
from gametheory_core.compact.seats import (
    CompactRecord,
    actions_or_numbers,
    check_actions,
    check_players,
    given_exactly,
    players_or_numbers,
    require_places,
    sizes,
)
from gametheory_core.errors import InvalidGame
from gametheory_core.games.table_content import keep


@dataclass(frozen=True, eq=False, repr=False)
class GraphicalGame(CompactRecord):
    """A neighborhood and a payoff table for each player; ``from_tables`` builds one of tensors.

    Attributes:
        players: Labels.
        actions: Labels of each player's actions.
        neighbors: For each player the others that its payoffs depend on, in ascending order. It
            may depend on one who does not depend on it.
        given_payoffs (num_payoffs,): For each player its table, flat: own action first, then those
            of its neighbors in order, the last one fastest. Float64 or exact; read-only.
        title: For people; no part of the game's identity.
    """

    players: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]
    neighbors: tuple[tuple[int, ...], ...]
    given_payoffs: NumberArray
    title: str = ""
    exact_payoffs = given_exactly

    def __post_init__(self) -> None:
        players = check_players(self.players)
        actions = check_actions(self.actions, players)
        given = number_array(self.given_payoffs, where="payoffs")
        neighbors = _checked_neighbors(self.neighbors, len(players))
        keep(self, players=players, actions=actions, neighbors=neighbors, given_payoffs=given)
        if given.shape != (self.starts[-1],):
            raise InvalidGame(
                needs=f"{self.starts[-1]:,} payoffs for tables over these neighborhoods",
                found=f"their shape is {given.shape}",
            )

    @staticmethod
    def from_tables(
        neighbors: Sequence[Sequence[int]],
        tables: Sequence[object],
        *,
        players: Sequence[str] | None = None,
        actions: Sequence[Sequence[str]] | None = None,
        title: str = "",
        decimals: bool = False,
    ) -> "GraphicalGame":
        """Build a game from one payoff table for each player.

        Args:
            neighbors: Of each player, from 0, in ascending order.
            tables: For each player, of shape (own actions, actions of each neighbor in order).
            players, actions: Default "Player 1", ... and "1", "2", ...
            decimals: Whether a float means the shortest decimal that is read as it (0.1 as 1/10).

        Raises:
            InvalidGame: If tables do not fit each other; names the player.

        >>> pays = [[1, 0], [0, 1]]
        >>> GraphicalGame.from_tables([(1,), (2,), (0,)], [pays, pays, pays])
        GraphicalGame('', 3 players, at most 1 neighbor, 2 actions each)
        """
        with reading_floats(decimals=decimals):
            read = [
                number_array(table, where=f"table of player {i + 1}")
                for i, table in enumerate(as_tuple(tables, name="tables"))
            ]
        for i, table in enumerate(read):
            if not table.ndim or not table.size:
                raise InvalidGame(
                    needs="a table over own actions and those of neighbors for each player",
                    found=f"player {i + 1} has shape {table.shape}",
                )
        counts = [table.shape[0] for table in read]
        near = _checked_neighbors(neighbors, len(read))
        for i, (table, own) in enumerate(zip(read, near, strict=True)):
            wanted = tuple(counts[j] for j in (i, *own))
            if table.shape != wanted:
                raise InvalidGame(
                    needs=f"a table of shape {wanted} for player {i + 1} and its neighbors {own}",
                    found=f"its shape is {table.shape}",
                )
        if not read:
            raise InvalidGame(needs="at least one player", found="got no table")
        if any(map(is_exact, read)):
            read = list(map(as_exact, read))
        return GraphicalGame(
            players=players_or_numbers(players, len(read)),
            actions=cast("Any", actions_or_numbers(actions, counts)),
            neighbors=near,
            given_payoffs=freeze(np.concatenate([table.ravel() for table in read])),
            title=title,
        )

    @cached_property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """The shape of each player's table."""
        counts = tuple(map(len, self.actions))
        return tuple(tuple(counts[j] for j in (i, *near)) for i, near in enumerate(self.neighbors))

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each player's payoffs start, and where the last ones end."""
        return (0, *accumulate(map(math.prod, self.shapes)))

    def table(self, player: int) -> ExactArray:
        """Return a player's exact table, shape (own actions, actions of each neighbor)."""
        require_integer(player, name="player", low=0, high=self.num_players - 1)
        start, stop = self.starts[player : player + 2]
        return self.exact_payoffs[start:stop].reshape(self.shapes[player])

    def __repr__(self) -> str:
        most = max(map(len, self.neighbors))
        return (
            f"GraphicalGame({self.title!r}, {number_of(self.num_players, 'player')}, at most "
            f"{number_of(most, 'neighbor')}, {sizes(self.num_actions)} each)"
        )


def _checked_neighbors(neighbors: Any, count: int) -> tuple[tuple[int, ...], ...]:
    given = as_tuple(neighbors, name="neighbors")
    if len(given) != count:
        raise InvalidGame(
            needs=f"a neighborhood for each of {count} players", found=f"got {len(given)}"
        )
    found = tuple(as_tuple(own, name="each neighborhood") for own in given)
    for i, own in enumerate(found):
        require_places(own, count, what="neighbors", where=f"player {i + 1}")
        if i in own or list(own) != sorted(set(own)):
            raise InvalidGame(
                needs="neighbors in ascending order, each once, without the player",
                found=f"player {i + 1} has {own}",
            )
    return found
