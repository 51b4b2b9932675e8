"""All games of the catalogue by name, with their parameters: ``load("kuhn_poker:cards=4")``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType

from gametheory_core.catalog import kuhn_poker, textbook
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame

Game = NormalFormGame | ExtensiveFormGame


@dataclass(frozen=True)
class Parameter:
    """An option of a game.

    Attributes
    ----------
    name : str
        Keyword of the constructor.
    type : type
        ``int``, or a ``StrEnum`` whose values are the choices.
    default : int or StrEnum member
        Value where none is given.
    meaning : str
        In a line, with the range.
    """

    name: str
    type: type[int] | type[StrEnum]
    default: int | StrEnum
    meaning: str


@dataclass(frozen=True)
class CatalogEntry:
    """A game, or a family of games with parameters.

    Attributes
    ----------
    name : str
        As written in a specification.
    summary, source : str
        What it is, and where it comes from, a line each.
    parameters : tuple of Parameter
        Keyword arguments of ``build``.
    build : callable
        Constructor; called only on demand.
    """

    name: str
    summary: str
    source: str
    parameters: tuple[Parameter, ...]
    build: Callable[..., Game]


def load(specification: str) -> Game:
    """Build a game from ``"name"`` or ``"name:key=value,key=value"``.

    Raises
    ------
    InvalidArgument
        If the name is unknown (suggests close ones), a parameter is unknown, repeated or of the
        wrong type, or the constructor refuses its value.

    Examples
    --------
    >>> load("kuhn_poker:cards=4")
    ExtensiveFormGame('Kuhn poker, 4 cards', 2 players, 113 nodes, 16 information sets)
    """
    name, colon, text = specification.partition(":")
    entry = CATALOG.get(name)
    if entry is None:
        close = " or ".join(repr(known) for known in get_close_matches(name, CATALOG, cutoff=0.5))
        hint = f"Did you mean {close}? " if close else ""
        raise InvalidArgument(
            f"load: needs a game of the catalogue, but there is none named {name!r}. "
            f"{hint}To list them all: python -m gametheory_core list."
        )
    return entry.build(**_read_parameters(entry, text if colon else None))


def _read_parameters(entry: CatalogEntry, text: str | None) -> dict[str, int | StrEnum]:
    values: dict[str, int | StrEnum] = {}
    if text is None:
        return values
    known = {parameter.name: parameter for parameter in entry.parameters}
    for item in text.split(","):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals or key not in known:
            raise InvalidArgument(
                f"load: {entry.name} {_accepted(entry)}, but got {item!r}. {_example(entry)}"
            )
        if key in values:
            raise InvalidArgument(f"load: needs each parameter once, but {key!r} is given twice.")
        values[key] = _read_value(entry, known[key], value)
    return values


def _read_value(entry: CatalogEntry, parameter: Parameter, text: str) -> int | StrEnum:
    try:
        return parameter.type(text)
    except ValueError:
        raise InvalidArgument(
            f"load: {entry.name} needs {parameter.name} to be {accepted_values(parameter)}, "
            f"but got {text!r}. It means: {parameter.meaning}."
        ) from None


def accepted_values(parameter: Parameter) -> str:
    """Return in words what a parameter accepts, such as ``"an integer"``."""
    if issubclass(parameter.type, StrEnum):
        return "one of " + ", ".join(member.value for member in parameter.type)
    return "an integer"


def _accepted(entry: CatalogEntry) -> str:
    if not entry.parameters:
        return "takes no parameters"
    return "takes " + ", ".join(f"{p.name} ({accepted_values(p)})" for p in entry.parameters)


def _example(entry: CatalogEntry) -> str:
    settings = ",".join(f"{p.name}={p.default}" for p in entry.parameters)
    return f"Write {entry.name}:{settings}." if settings else f"Write {entry.name}."


_ENTRIES = (
    CatalogEntry(
        "matching_pennies",
        "2 x 2 zero-sum game without pure equilibrium",
        "von Neumann and Morgenstern 1944",
        (),
        textbook.matching_pennies,
    ),
    CatalogEntry(
        "rock_paper_scissors",
        "3 x 3 zero-sum game, each action beats one other",
        "von Neumann and Morgenstern 1944",
        (),
        textbook.rock_paper_scissors,
    ),
    CatalogEntry(
        "prisoners_dilemma",
        "2 x 2 game in which to defect dominates",
        "Axelrod 1984",
        (),
        textbook.prisoners_dilemma,
    ),
    CatalogEntry(
        "battle_of_the_sexes",
        "2 x 2 coordination with different tastes",
        "Luce and Raiffa 1957; Osborne and Rubinstein 1994, section 2.3",
        (),
        textbook.battle_of_the_sexes,
    ),
    CatalogEntry(
        "chicken",
        "2 x 2 game, each wants to dare if the other yields",
        "Aumann 1974",
        (),
        textbook.chicken,
    ),
    CatalogEntry(
        "stag_hunt",
        "2 x 2 coordination, the better equilibrium is riskier",
        "Aumann 1990",
        (),
        textbook.stag_hunt,
    ),
    CatalogEntry(
        "commitment",
        "2 x 2 game in which the row player gains by committing to a lottery",
        "Conitzer and Sandholm 2006",
        (),
        textbook.commitment,
    ),
    CatalogEntry(
        "kuhn_poker",
        "poker with one card each and one bet, from its rules",
        "Kuhn 1950",
        (Parameter("cards", int, 3, "ranks in the deck, 2 to 13"),),
        kuhn_poker.kuhn_poker,
    ),
)

CATALOG: Mapping[str, CatalogEntry] = MappingProxyType({entry.name: entry for entry in _ENTRIES})
