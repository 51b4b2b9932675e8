"""Rules of a tree: where play starts, and what happens at a position.

A *position* is all that has happened, as the rules see it; positions are hashable. Rules are for
trees that are laid out (``lay_out_rules``), sampled without being built, or only counted.
"""

from typing import Generic, Protocol, TypeVar

from gametheory_core.games.sketch import Node

Position = TypeVar("Position")


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
