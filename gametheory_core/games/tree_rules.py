"""Rules of a tree: where play starts, and what happens at a position.

A *position* is all that has happened, as the rules see it; positions are hashable. Rules are for
trees that are laid out (``lay_out_rules``), sampled without being built, or only counted.

What happens at a position of a tree: a player's move, a lottery, or the end of play.

A *position* is whatever the author of the rules passes on from a node to its children.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument, InvalidGame

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
            needs="to return a Decision, Chance or Terminal for each position",
            found=f"for {shown(position)} it returned {shown(node)} (type {type(node).__name__})",
            remedy="Return one of them on every path.",
            where="expand",
        )


def wrong_lottery(children: object) -> InvalidGame:
    """Return the complaint about children of a chance node that are no lottery."""
    return InvalidGame(
        needs="children {label: (probability, position)}",
        where="Chance",
        found=f"got {shown(children)}",
        remedy="Give each label a pair of a number and a position.",
    )


def wrong_children(node: Decision[object]) -> InvalidGame:
    """Return the complaint about children of a decision that are no mapping."""
    return InvalidGame(
        needs="children {action: position}",
        found=f"got {shown(node.children)}",
        remedy="Give each position the label of the action that leads there.",
        where=f"information set {shown(node.infoset)}",
    )


NEEDED = ("title", "players", "root", "expand")


class TreeRules(Protocol, Generic[Position]):
    """A game tree given by its rules; a frozen dataclass is also hashable and has a repr."""

    @property
    def title(self) -> str:
        """For people."""
        ...

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players 0, 1, ..."""
        ...

    @property
    def root(self) -> Position:
        """Where play starts."""
        ...

    def expand(self, position: Position) -> Node[Position]:
        """Return the ``Decision``, ``Chance`` or ``Terminal`` at a position."""
        ...


@runtime_checkable
class ShapedRules(TreeRules[Position], Protocol[Position]):
    """Rules that also say which positions have trees of the same shape below them.

    With it, large trees are counted, and refused, in no time.
    """

    def shape_key(self, position: Position) -> Hashable:
        """Return a key; positions of one depth with equal keys have equally many nodes below."""
        ...


def require_rules(rules: object) -> None:
    """Refuse what cannot be rules, before any position is expanded.

    Raises:
        InvalidArgument: Names what is missing, or of the wrong type.
    """
    if isinstance(rules, type):
        problem = "a class, not its instance"
    elif missing := [name for name in NEEDED if not hasattr(rules, name)]:
        problem = f"without {' and '.join(missing)}"
    elif not isinstance(title := getattr(rules, "title", None), str):
        problem = f"whose title is {shown(title)}"
    elif not isinstance(players := getattr(rules, "players", None), Iterable):
        problem = f"whose players are {shown(players)}"
    elif not callable(expand := getattr(rules, "expand", None)):
        problem = f"whose expand is {shown(expand)}"
    else:
        return
    raise InvalidArgument(
        needs="rules with title (a text), players (labels), root and expand (a method)",
        found=f"got {shown(rules)} (type {type(rules).__name__}), {problem}",
        remedy="Give TreeRules such as KuhnRules(); load_game reads games that are laid out by "
        "name.",
    )
