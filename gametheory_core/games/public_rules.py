"""Rules of public-state games: who moves and to where, what chance shows, what is paid.

Positions mean whatever the rules want. Those that continue alike should be equal: they become one
situation, however many histories lead there.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidGame
from gametheory_core.games.extensive_form import TERMINAL
from gametheory_core.games.public_deals import Deal
from gametheory_core.games.public_states import (
    End,
    Paid,
    PayoffTable,
    PublicStateGame,
    Showdown,
    Situation,
)
from gametheory_core.games.tree_table import CHANCE


@dataclass(frozen=True)
class PublicMove:
    """A player's move, seen by both: label -> position reached."""

    player: int
    children: Mapping[str, Hashable]


@dataclass(frozen=True)
class PublicDraw:
    """Chance's move, seen by both: label -> (deal of what follows, position reached)."""

    children: Mapping[str, tuple[Deal, Hashable]]


class PublicRules(Protocol):
    """The rules of a public-state game; a frozen dataclass is best.

    Attributes:
        hands: Labels, of each player.
        deal: At the start.
        root: Position after the deal; positions are hashable, and equal ones continue alike.
    """

    @property
    def title(self) -> str: ...  # noqa: D102
    @property
    def players(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def hands(self) -> tuple[tuple[str, ...], tuple[str, ...]]: ...  # noqa: D102
    @property
    def deal(self) -> Deal: ...  # noqa: D102
    @property
    def root(self) -> Hashable: ...  # noqa: D102

    def expand(self, position: Any) -> PublicMove | PublicDraw | End:
        """Say who moves and to where, or what is paid."""
        ...


def public_state_game(rules: PublicRules) -> PublicStateGame:
    """List the situations of rules.

    Args:
        rules: Positions are listed with their deals, each pair once.

    Raises:
        InvalidGame: If play can come back to a position, deals do not sum to the one before, or
            something else is not as it should be; names the position.

    >>> from gametheory_core.catalog import kuhn_poker_ranges
    >>> game = kuhn_poker_ranges(cards=1000)
    >>> len(game.situations), game.num_nodes
    (9, 8991001)
    """
    deals: dict[object, int] = {}
    known: list[Deal] = []

    def number(deal: Deal) -> int:
        if deal.key not in deals:
            deals[deal.key] = len(known)
            known.append(deal)
        return deals[deal.key]

    root = (rules.root, number(rules.deal))
    expanded: dict[Any, Any] = {}
    order: list[Any] = []  # the last first: what follows stands before
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        spot, is_left = stack.pop()
        if is_left:
            order.append(spot)
            continue
        if spot in expanded:
            continue
        node = rules.expand(spot[0])
        children = _children(node, spot, number)
        expanded[spot] = (node, children)
        stack.append((spot, True))
        stack += [(child, False) for child in reversed(children)]
    place = {spot: k for k, spot in enumerate(reversed(order))}
    situations = tuple(_situation(spot, expanded[spot], place) for spot in reversed(order))
    return PublicStateGame(rules.players, rules.hands, tuple(known), situations, rules.title)


def _children(node: Any, spot: Any, number: Any) -> list[Any]:
    if isinstance(node, PublicMove):
        return [(position, spot[1]) for position in node.children.values()]
    if isinstance(node, PublicDraw):
        return [(position, number(deal)) for deal, position in node.children.values()]
    if isinstance(node, Paid | Showdown | PayoffTable):
        return []
    raise InvalidGame(
        needs="a PublicMove, PublicDraw, Paid, Showdown or PayoffTable of each position",
        found=f"for {shown(spot[0])} it returned {shown(node)} (type {type(node).__name__})",
        where="expand",
    )


def _situation(spot: Any, expanded: Any, place: Any) -> Situation:
    node, children = expanded
    if not isinstance(node, PublicMove | PublicDraw):
        return Situation(TERMINAL, spot[1], end=node)
    numbers = tuple(place[child] for child in children)
    if min(numbers, default=place[spot] + 1) <= place[spot]:
        raise InvalidGame(
            needs="play that ends",
            found=f"it can come back to {shown(spot[0])}",
            remedy="Let positions count the moves.",
        )
    mover = node.player if isinstance(node, PublicMove) else CHANCE
    return Situation(mover, spot[1], tuple(node.children), numbers)
