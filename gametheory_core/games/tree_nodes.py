"""What happens at a position of a tree: a player's move, a lottery, or the end of play.

A *position* is whatever the author of the rules passes on from a node to its children.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidGame

Position = TypeVar("Position")
Position_co = TypeVar("Position_co", covariant=True)


@dataclass(frozen=True)
class Decision(Generic[Position_co]):
    """A player's move.

    Attributes:
        player: Who moves, from 0.
        infoset: What the mover knows: nodes with equal ``player`` and ``infoset`` cannot be told
            apart. Its ``str`` becomes the label.
        children: Action label -> position reached.
        payoffs: Paid on reaching this node, on top of what follows; empty for nothing.
    """

    player: int
    infoset: Hashable
    children: Mapping[str, Position_co]
    payoffs: Sequence[object] = ()


@dataclass(frozen=True)
class Chance(Generic[Position_co]):
    """Nature's move: label -> (probability, position reached)."""

    children: Mapping[str, tuple[object, Position_co]]
    payoffs: Sequence[object] = ()


@dataclass(frozen=True)
class Terminal:
    """The end of play: one payoff for each player."""

    payoffs: Sequence[object]


Node: TypeAlias = Decision[Position] | Chance[Position] | Terminal


def decision_children(node: Decision[Position]) -> list[Position]:
    """Return the positions that a player can choose.

    Raises:
        InvalidGame: If the children are no mapping; names the information set.
    """
    try:
        return list(node.children.values())
    except AttributeError:
        raise wrong_children(node) from None


def require_chance(node: object, position: object) -> None:
    """Refuse what rules made of a position, if it is no lottery either.

    Raises:
        InvalidGame: Names the position, and what was made of it.
    """
    if not isinstance(node, Chance):
        raise InvalidGame(
            "expand: needs to return a Decision, Chance or Terminal for each position, but for "
            f"{shown(position)} it returned {shown(node)} (type {type(node).__name__}). Return "
            "one of them on every path."
        )


def wrong_lottery(children: object) -> InvalidGame:
    """Return the complaint about children of a chance node that are no lottery."""
    return InvalidGame(
        "Chance: needs children {label: (probability, position)}, but got "
        f"{shown(children)}. Give each label a pair of a number and a position."
    )


def wrong_children(node: Decision[object]) -> InvalidGame:
    """Return the complaint about children of a decision that are no mapping."""
    return InvalidGame(
        f"information set {shown(node.infoset)}: needs children {{action: position}}, but got "
        f"{shown(node.children)}. Give each position the label of the action that leads there."
    )
