"""Congestion games: an action uses resources, each of which costs more the more players use it.

With ``S_a`` the resources of action ``a`` and ``n_r`` the number of players who use ``r``
(Rosenthal 1973),

    u_i(a) = - sum over r in S_{a_i} of  d_r(n_r),

and a player who changes its action gains exactly what the *potential*

    P(a) = sum over r of  d_r(1) + ... + d_r(n_r)

loses. So every path of improvements ends, at a pure equilibrium.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast

from gametheory_core.arguments import (
    as_tuple,
    check_labels,
    counted,
    number_of,
    require_instance,
    require_integer,
    shown,
)
from gametheory_core.arrays import NumberArray, number_array, reading_floats
from gametheory_core.compact.seats import (
    CompactRecord,
    check_actions,
    check_players,
    given_exactly,
    players_or_numbers,
    require_places,
    require_table,
    sizes,
)
from gametheory_core.errors import InvalidGame
from gametheory_core.games.table_content import keep

Resources = tuple[int, ...]


@dataclass(frozen=True, eq=False, repr=False)
class CongestionGame(CompactRecord):
    """Resources with delays, and actions that are sets of them.

    Attributes:
        players: Labels.
        resources: Labels.
        actions: Labels of each player's actions.
        uses: For each player and action the resources that it uses, in ascending order.
        given_delays (num_resources, num_players): ``[r, k]`` is what resource ``r`` costs each of
            ``k + 1`` users. Float64 or exact; read-only.
        title: For people; no part of the game's identity.
    """

    players: tuple[str, ...]
    resources: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]
    uses: tuple[tuple[Resources, ...], ...]
    given_delays: NumberArray
    title: str = ""
    exact_delays = given_exactly

    def __post_init__(self) -> None:
        players = check_players(self.players)
        actions = check_actions(self.actions, players)
        resources = check_labels(self.resources, kind="resource")
        delays = number_array(self.given_delays, where="delays")
        if delays.shape != (len(resources), len(players)):
            raise InvalidGame(
                needs="delays of shape (resources, players), which is "
                f"{(len(resources), len(players))}",
                found=f"their shape is {delays.shape}",
            )
        uses = _checked_uses(self.uses, actions, len(resources))
        keep(
            self,
            players=players,
            actions=actions,
            resources=resources,
            uses=uses,
            given_delays=delays,
        )

    @staticmethod
    def from_delays(
        delays: Mapping[str, Sequence[object] | Callable[[int], object]],
        actions: Sequence[Mapping[str, Sequence[str]]] | Mapping[str, Sequence[str]],
        *,
        num_players: int | None = None,
        players: Sequence[str] | None = None,
        title: str = "",
        decimals: bool = False,
    ) -> "CongestionGame":
        """Build a game from delays by resource, and actions by the resources that they use.

        Args:
            delays: By label of a resource, what it costs each of 1, 2, ... users: a sequence with
                a number for each, or a function of the number of users.
            actions: By label of an action the labels of what it uses; for each player, or once for
                all, and then ``num_players`` or ``players`` says how many there are.
            num_players: Number of players.
            players: Default "Player 1", ...
            decimals: Whether a float means the shortest decimal that is read as it (0.1 as 1/10).

        Raises:
            InvalidGame: If an action uses what has no delay, or a delay is missing.

        >>> game = CongestionGame.from_delays(
        ...     {"short": lambda users: users, "long": [2, 2]},
        ...     {"north": ["short"], "south": ["long"]},
        ...     num_players=2,
        ... )
        >>> game
        CongestionGame('', 2 players, 2 resources, 2 actions each)
        """
        require_instance(delays, Mapping, name="delays", remedy="Give a dict by resource.")
        count = _number_of_players(actions, num_players, players)
        require_table(
            len(delays) * count,
            of=f"a delay of each of {len(delays)} resources for each number of users",
            remedy="Take fewer players.",
        )
        labels = players_or_numbers(players, count)
        own = [actions] * count if isinstance(actions, Mapping) else list(actions)
        names = tuple(map(str, delays))
        rows = [_delays_of(name, delay, count) for name, delay in delays.items()]
        for name, row in zip(names, rows, strict=True):
            if len(row) != count:
                raise InvalidGame(
                    needs=f"a delay for each number of users from 1 to {count}",
                    found=f"resource {name!r} has {'more' if len(row) > count else len(row)}",
                )
        with reading_floats(decimals=decimals):
            table = number_array(rows, where="delays")
        return CongestionGame(
            players=labels,
            resources=names,
            actions=tuple(tuple(map(str, choice)) for choice in own),
            uses=tuple(
                tuple(_numbers(used, names, action) for action, used in choice.items())
                for choice in own
            ),
            given_delays=table if names else table.reshape(0, count),
            title=title,
        )

    @property
    def num_resources(self) -> int:
        """Number of resources."""
        return len(self.resources)

    def __repr__(self) -> str:
        return (
            f"CongestionGame({self.title!r}, {number_of(self.num_players, 'player')}, "
            f"{number_of(self.num_resources, 'resource')}, {sizes(self.num_actions)} each)"
        )


def _delays_of(name: object, delay: object, count: int) -> list[object]:
    """Return what a resource costs 1, 2, ... users."""
    if callable(delay):
        return [delay(users) for users in range(1, count + 1)]
    if isinstance(delay, str | bytes | Mapping | AbstractSet) or not isinstance(delay, Iterable):
        raise InvalidGame(
            needs="delays as a sequence, a number for each of 1, 2, ... users, or as a function",
            found=f"resource {str(name)!r} has {shown(delay)}",
            where="delays",
        )
    return list(islice(cast("Iterable[object]", delay), count + 1))


def _number_of_players(
    actions: object, num_players: int | None, players: Sequence[str] | None
) -> int:
    if num_players is not None:
        require_integer(num_players, name="num_players", low=1)
    counts: dict[str, int | None] = {
        "actions": None,
        "num_players": num_players,
        "players": None if players is None else len(check_players(players)),
    }
    if not isinstance(actions, Mapping):
        own = as_tuple(actions, name="actions")
        for i, choice in enumerate(own):
            require_instance(choice, Mapping, name=f"actions of player {i + 1}")
        counts["actions"] = len(own)
    given = {name: count for name, count in counts.items() if count is not None}
    if len(set(given.values())) != 1:
        raise InvalidGame(
            needs="one number of players, from num_players, players or a list of actions",
            found=", ".join(f"{name} says {counted(count)}" for name, count in given.items())
            or "nothing says it",
            where="from_delays",
        )
    return next(iter(given.values()))


def _numbers(used: Sequence[str], names: tuple[str, ...], action: str) -> Resources:
    labels = tuple(map(str, as_tuple(used, name=f"what action {action!r} uses")))
    for name in labels:
        if name not in names:
            raise InvalidGame(
                needs="resources that have delays",
                found=f"action {action!r} uses {name!r}",
                where="from_delays",
            )
    return tuple(sorted(map(names.index, labels)))


def _checked_uses(
    uses: Any, actions: tuple[tuple[str, ...], ...], count: int
) -> tuple[tuple[Resources, ...], ...]:
    given = tuple(
        tuple(as_tuple(one, name="what an action uses") for one in as_tuple(own, name="uses"))
        for own in as_tuple(uses, name="uses")
    )
    if tuple(map(len, given)) != tuple(map(len, actions)):
        raise InvalidGame(
            needs=f"what each action uses, for {tuple(map(len, actions))} actions",
            found=f"got {tuple(map(len, given))}",
        )
    for i, own in enumerate(given):
        for a, one in enumerate(own):
            where = f"action {a + 1} of player {i + 1}"
            require_places(one, count, what="resources", where=where)
            if list(one) != sorted(set(one)):
                raise InvalidGame(
                    needs="resources in ascending order, each once", found=f"got {one}", where=where
                )
    return given
