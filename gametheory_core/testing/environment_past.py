"""What was shown and done in one episode, as the checks of it need that."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, cast

from gametheory_core.arrays import FloatArray
from gametheory_core.testing.environment_content import Prints, split_numbers
from gametheory_core.testing.environment_forecast import Moment
from gametheory_core.testing.environment_look import Look

MOST_ENTRIES = 8  # of a label, that are looked at one by one
MOST_VALUES = 24  # of one thing, that are told apart


@dataclass
class Past:
    """What was shown and done in one episode.

    Attributes:
        seed: None without one.
        looks: What the model says was shown, and what was.
        actions: The movers', one less than looks when all is over.
        glances: Labels of what players saw off turn, before each of these actions.
    """

    seed: int | None
    looks: list[tuple[Moment, Look]] = field(default_factory=list[tuple[Moment, Look]])
    actions: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])
    glances: list[dict[int, Hashable]] = field(default_factory=list[dict[int, Hashable]])


@dataclass
class FewValues:
    """Which values are told apart, of things that may take any number of them: the first ones."""

    _known: dict[Hashable, set[Hashable]] = field(default_factory=dict[Hashable, set[Hashable]])

    def holds(self, what: Hashable, value: Hashable) -> bool:
        """Tell whether a value is among the first ones that something took."""
        known = self._known.setdefault(what, set())
        if len(known) < MOST_VALUES:
            known.add(value)
        return value in known


def entries_of(label: Any) -> list[tuple[str, Hashable]]:
    """Return the entries of a label that is a tuple, by their places; else the label itself."""
    found: list[tuple[str, Hashable]] = []

    def look(value: Any, place: str) -> None:
        if isinstance(value, tuple) and value:
            for k, entry in enumerate(cast("tuple[Any, ...]", value)):
                look(entry, f"{place}{k}.")
        else:
            found.append((f"entry {place[:-1]} of the " if place else "", value))

    look(label, "")
    return found if len(found) <= MOST_ENTRIES else [("", label)]


def numbers_shown(look: Look, player: int) -> tuple[Prints, FloatArray]:
    """Split what a mover is shown into the rest and its numbers; with its info, if that is told."""
    place = look.movers.index(player)
    is_told = look.prints[place][1] is not None
    return split_numbers([look.observations[place], look.notes[place] if is_told else None])
