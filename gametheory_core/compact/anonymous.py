"""Anonymous games: what counts is how many others take each action, and not who.

All players have the same ``k`` actions. With ``c(a)`` the number of *others* who take each action,

    u_i(a) = T_i[a_i, c],

a table of ``k`` times ``binomial(n + k - 2, k - 1)`` numbers for each player, or one for all if the
game is symmetric.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from gametheory_core.arguments import (
    check_labels,
    counted,
    number_of,
    require_function,
    require_integer,
)
from gametheory_core.arrays import ExactArray, NumberArray, number_array, reading_floats
from gametheory_core.compact.seats import (
    CompactRecord,
    check_players,
    given_exactly,
    players_or_numbers,
    require_table,
    sizes,
)
from gametheory_core.errors import InvalidGame
from gametheory_core.games.table_content import keep

Counts = tuple[int, ...]
MOST_KINDS = 1_000_000


def count_vectors(total: int, kinds: int) -> Iterator[Counts]:
    """Yield all ways to write a total as a sum of ``kinds`` counts, in lexicographic order.

    >>> list(count_vectors(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    require_integer(total, name="total", low=0)
    require_integer(kinds, name="kinds", low=1, high=MOST_KINDS)
    counts = [0] * kinds
    counts[-1] = total
    last = kinds - 1 if total else 0  # place of the last count that is not zero
    yield tuple(counts)
    while last:
        moved, counts[last] = counts[last], 0
        counts[last - 1] += 1
        counts[-1] = moved - 1
        last = kinds - 1 if moved > 1 else last - 1
        yield tuple(counts)


def num_count_vectors(total: int, kinds: int) -> int:
    """Return how many there are."""
    return math.comb(total + kinds - 1, kinds - 1)


@dataclass(frozen=True, eq=False, repr=False)
class AnonymousGame(CompactRecord):
    """Payoffs by own action and the numbers of others who take each action.

    Attributes:
        players: Labels.
        labels: Of the actions, the same for all players.
        given_payoffs (num_players or 1, actions, count vectors): ``[i, a, c]`` is what player ``i``
            gets for action ``a`` when the others are spread as the ``c``-th of
            ``count_vectors(num_players - 1, actions)`` says. One row if it is the same for all
            players. Float64 or exact; read-only.
        title: For people; no part of the game's identity.
    """

    players: tuple[str, ...]
    labels: tuple[str, ...]
    given_payoffs: NumberArray
    title: str = ""
    exact_payoffs = given_exactly

    def __post_init__(self) -> None:
        players = check_players(self.players)
        labels = check_labels(self.labels, kind="action")
        if not labels:
            raise InvalidGame(needs="at least one action", found="got none")
        given = number_array(self.given_payoffs, where="payoffs")
        shape = (len(labels), num_count_vectors(len(players) - 1, len(labels)))
        if given.shape not in {(1, *shape), (len(players), *shape)}:
            raise InvalidGame(
                needs=f"payoffs of shape {(1, *shape)}, for all players alike, or "
                f"{(len(players), *shape)}",
                found=f"their shape is {given.shape}",
            )
        keep(self, players=players, labels=labels, given_payoffs=given)

    @staticmethod
    def from_function(
        pays: Callable[[str, dict[str, int]], object],
        *,
        actions: Sequence[str],
        num_players: int,
        players: Sequence[str] | None = None,
        title: str = "",
        decimals: bool = False,
    ) -> "AnonymousGame":
        """Build a game that is the same for all players from a function.

        Args:
            pays: Takes an action, and by action the number of *others* who take it; returns what
                the action pays.
            actions: Labels.
            num_players: At least 1.
            players: Default "Player 1", ...
            decimals: Whether a float means the shortest decimal that is read as it (0.1 as 1/10).

        >>> game = AnonymousGame.from_function(
        ...     lambda own, others: 3 if own == "stay" else 6 - 2 * others["go"],
        ...     actions=("go", "stay"),
        ...     num_players=4,
        ... )
        >>> game
        AnonymousGame('', 4 players, 2 actions, the same payoffs for all)
        """
        require_function(pays, name="pays", remedy="It takes an action, and counts of the others.")
        labels = check_labels(actions, kind="action")
        require_integer(num_players, name="num_players", low=1)
        if not labels:
            raise InvalidGame(needs="at least one action", found="got none")
        others = num_count_vectors(num_players - 1, len(labels))
        require_table(
            len(labels) * others,
            of=f"one for each of {counted(others)} counts of {counted(num_players - 1)} others "
            f"over {len(labels)} actions, and each own action",
            remedy="Take fewer players or actions, or a CongestionGame where actions cost by use.",
        )
        names = players_or_numbers(players, num_players)
        rows = [
            [
                pays(own, dict(zip(labels, counts, strict=True)))
                for counts in count_vectors(num_players - 1, len(labels))
            ]
            for own in labels
        ]
        with reading_floats(decimals=decimals):
            table = number_array([rows], where="payoffs")
        return AnonymousGame(names, labels, table, title)

    @property
    def actions(self) -> tuple[tuple[str, ...], ...]:
        """Labels of each player's actions."""
        return (self.labels,) * len(self.players)

    @property
    def is_symmetric(self) -> bool:
        """Whether one table holds for all players."""
        return self.given_payoffs.shape[0] == 1

    @cached_property
    def places(self) -> dict[Counts, int]:
        """Where the payoffs of each count vector of the others stand."""
        vectors = count_vectors(self.num_players - 1, len(self.labels))
        return {counts: place for place, counts in enumerate(vectors)}

    def table(self, player: int) -> ExactArray:
        """Return a player's exact table, shape (actions, count vectors)."""
        require_integer(player, name="player", low=0, high=self.num_players - 1)
        return self.exact_payoffs[0 if self.is_symmetric else player]

    def __repr__(self) -> str:
        whose = "the same payoffs for all" if self.is_symmetric else "payoffs of their own"
        return (
            f"AnonymousGame({self.title!r}, {number_of(self.num_players, 'player')}, "
            f"{sizes(self.num_actions)}, {whose})"
        )
