"""Rules of public-state games: who moves and to where, what chance shows, what is paid.

Positions mean whatever the rules want. Those that continue alike should be equal: they become one
situation, however many histories lead there.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from gametheory_core.arguments import described, require_instance, require_integer, shown
from gametheory_core.errors import InvalidGame, UnsupportedGame, named
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
from gametheory_core.games.tree_draft import require_rules
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.memory import LOOK_EVERY, growth_limit

NEEDED = ("title", "players", "hands", "deal", "root", "expand")
MAX_SITUATIONS = 1_000_000
TOO_MANY = "Let play end, and let positions that continue alike be equal; or raise max_situations."


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


def public_state_game(
    rules: PublicRules, *, max_situations: int = MAX_SITUATIONS
) -> PublicStateGame:
    """List the situations of rules.

    Args:
        rules: Positions are listed with their deals, each pair once.
        max_situations: Refuse rules with more, such as those of play that never ends.

    Raises:
        InvalidGame: If play can come back to a position, deals do not sum to the one before, or
            something else is not as it should be; names the position.
        InvalidArgument: If they are no rules; names what is missing.
        UnsupportedGame: If there are more situations, or they take more memory than the cap.

    >>> from gametheory_core.catalog import kuhn_poker_ranges
    >>> game = kuhn_poker_ranges(cards=1000)
    >>> len(game.situations), game.num_nodes
    (9, 8991001)
    """
    require_rules(rules, needed=NEEDED, remedy="Implement PublicRules.")
    require_integer(max_situations, name="max_situations", low=1)
    require_room = growth_limit(what=f"the situations of {rules.title!r}", remedy=TOO_MANY)
    deals: dict[object, int] = {}
    known: list[Deal] = []

    def number(deal: Any) -> int:
        require_instance(deal, Deal, name="the deal of a position")
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
        if not _is_new(spot, expanded, rules.title, max_situations):
            continue
        node = rules.expand(spot[0])
        children = _children(node, spot, number)
        expanded[spot] = (node, children)
        if not len(expanded) % LOOK_EVERY:
            require_room()
        stack.append((spot, True))
        stack += [(child, False) for child in reversed(children)]
    place = {spot: k for k, spot in enumerate(reversed(order))}
    situations = tuple(_situation(spot, expanded[spot], place) for spot in reversed(order))
    return PublicStateGame(rules.players, rules.hands, tuple(known), situations, rules.title)


def _is_new(spot: Any, expanded: Mapping[Any, Any], title: str, max_situations: int) -> bool:
    """Tell whether a position with its deal was not met before; refuse one too many."""
    try:
        if spot in expanded:
            return False
    except TypeError:
        raise InvalidGame(
            needs="positions that are hashable",
            found=f"found {described(spot[0])}",
            remedy="Make them tuples or frozen dataclasses.",
        ) from None
    if len(expanded) >= max_situations:
        raise UnsupportedGame(
            needs=f"at most {named('max_situations')} = {max_situations:,} situations",
            found=f"{title!r} has more; play goes on at {shown(spot[0])}",
            remedy=TOO_MANY,
            argument="max_situations",
        )
    return True


def _children(node: Any, spot: Any, number: Any) -> list[Any]:
    if isinstance(node, PublicMove | PublicDraw):
        try:
            after: list[Any] = list(node.children.values())
            if isinstance(node, PublicMove):
                return [(position, spot[1]) for position in after]
            drawn = [(deal, position) for deal, position in after]
        except (AttributeError, TypeError, ValueError):
            raise InvalidGame(
                needs="children {label: position} of a move, {label: (deal, position)} of chance",
                found=f"for {shown(spot[0])} they are {shown(node.children)}",
                remedy="Give a dict.",
                where=type(node).__name__,
            ) from None
        return [(position, number(deal)) for deal, position in drawn]
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
