"""Members that a game made from another game takes over unchanged."""

from operator import attrgetter
from typing import Any


def from_inner(name: str) -> Any:
    """Return a read-only member that is ``self.game``'s member of this name.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Doubled:
    ...     game: complex
    ...     real = from_inner("real")
    >>> Doubled(3 + 4j).real
    3.0
    """
    return property(attrgetter(f"game.{name}"))
