"""Rules of a tree: where play starts, and what happens at a position.

A *position* is all that has happened, as the rules see it; positions are hashable. Rules are for
trees that are laid out (``lay_out_rules``), sampled without being built, or only counted.
"""

from collections.abc import Hashable, Iterable
from typing import Generic, Protocol, TypeVar, runtime_checkable

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.tree_nodes import Node

Position = TypeVar("Position")
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


def require_rules(rules: object, *, function: str) -> None:
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
        f"{function}: needs rules with title (a text), players (labels), root and expand (a "
        f"method), but got {shown(rules)} (type {type(rules).__name__}), {problem}. "
        "Give TreeRules such as KuhnRules(); load_game reads games that are laid out by name."
    )
