"""What is kept of an enumeration of equilibria that was interrupted."""

from dataclasses import dataclass


@dataclass(frozen=True)
class EnumerationState:
    """Where a search for all equilibria stands, for the same function to go on from.

    Plain numbers, so that ``dataclasses.asdict`` and JSON can keep it.

    Attributes:
        game: A digest of the polytopes that are searched.
        left: Vertices, as bit sets of tight labels, whose subtrees are still to be searched.
        found: Vertices that may be part of an equilibrium.
        visited: Vertices so far.
    """

    game: str
    left: tuple[int, ...]
    found: tuple[int, ...]
    visited: int
