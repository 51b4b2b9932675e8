"""What happens at a position of a tree: a player's move, a lottery, or the end of play.

A *position* is whatever the author of the rules passes on from a node to its children.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

Position = TypeVar("Position")
Position_co = TypeVar("Position_co", covariant=True)


@dataclass(frozen=True)
class Decision(Generic[Position_co]):
    """A player's move.

    Attributes
    ----------
    player : int
        Who moves, from 0.
    infoset : hashable
        What the mover knows: nodes with equal ``player`` and ``infoset`` cannot be told apart.
        Its ``str`` becomes the label.
    children : mapping
        Action label -> position reached.
    payoffs : sequence of numbers
        Paid on reaching this node, on top of what follows; empty for nothing.
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
