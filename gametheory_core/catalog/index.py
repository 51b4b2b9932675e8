"""The catalogue: names of games and how to build them; parameters as ``name:key=value,...``.

A public function of the catalogue's files is in it if it asks for nothing but integers, by keyword
and with defaults.
"""

import difflib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType, ModuleType
from typing import TypeAlias

from gametheory_core.arguments import shown
from gametheory_core.catalog import (
    absences,
    bidding,
    cleanup,
    counterexamples,
    grids,
    hidden_information,
    iterated,
    markov,
    matrix,
    poker,
    public_states,
    repeated,
    textbook_trees,
    trade,
    turn_orders,
)
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.extensions import RegisteredGame, builders
from gametheory_core.games.bayesian import BayesianGame, SecurityGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import AEC, POSG

Form: TypeAlias = NormalFormGame | ExtensiveFormGame | BayesianGame | SecurityGame
Game: TypeAlias = Form | POSG | AEC | RegisteredGame


MOST_NEAR = 3
RANGES = "_ranges"  # ends names of public-state games; what is before it is the tree


@dataclass(frozen=True)
class CatalogEntry:
    """A game of the catalogue.

    Attributes:
        name: How to ask for it.
        build: Makes the game; keyword-only integer parameters with defaults.
    """

    name: str
    build: Callable[..., Game]

    @property
    def summary(self) -> str:
        """What the game is, in one line."""
        return (inspect.getdoc(self.build) or self.name).splitlines()[0]

    @property
    def source(self) -> str:
        """Where the game comes from; empty for a folk game."""
        _, _, source = (inspect.getdoc(self.build) or "").partition("Source: ")
        return " ".join(source.partition("\n\n")[0].split())

    @property
    def parameters(self) -> Mapping[str, int]:
        """Name and default of each parameter."""
        signature = inspect.signature(self.build)
        return {name: parameter.default for name, parameter in signature.parameters.items()}


_FILES = (
    matrix,
    textbook_trees,
    poker,
    bidding,
    hidden_information,
    public_states,
    repeated,
    iterated,
    cleanup,
    grids,
    turn_orders,
    absences,
    counterexamples,
    markov,
    trade,
)


def _builds(function: object, file: ModuleType) -> bool:
    """Tell whether a function of a file builds a game without being told anything but integers."""
    return (
        inspect.isfunction(function)
        and function.__module__ == file.__name__
        and not function.__name__.startswith("_")
        and all(
            type(parameter.default) is int and parameter.kind is parameter.KEYWORD_ONLY
            for parameter in inspect.signature(function).parameters.values()
        )
    )


_OWN: Mapping[str, CatalogEntry] = MappingProxyType(
    {
        name: CatalogEntry(name, function)
        for file in _FILES
        for name, function in vars(file).items()
        if _builds(function, file)
    }
)


def catalog() -> Mapping[str, CatalogEntry]:
    """Return the games of the catalogue by name, those of rooms of their own at the end."""
    return {**_OWN, **{name: CatalogEntry(name, build) for name, build in builders().items()}}


def load(specification: str) -> Game:
    """Build a game of the catalogue from ``name`` or ``name:key=value,...``.

    Raises:
        InvalidArgument: If the name or a parameter is unknown, or a value is no integer or out of
            range.
        UnsupportedGame: If its tree is too large; names the game over ranges, where there is one.

    >>> load("liars_dice:sides=2").title
    "Liar's dice, one die of 2 sides each"
    """
    entry, parameters = specified(specification)
    try:
        return entry.build(**parameters)
    except UnsupportedGame as error:
        if (unbuilt := f"{entry.name}{RANGES}") not in _OWN:
            raise
        asked = specification.replace(entry.name, unbuilt, 1)
        rest = f"Or {error.remedy[0].lower()}{error.remedy[1:]}"
        found = f"Ask for {asked}, which is played without a tree. {rest}"
        raise error.changed(remedy=found) from None


def specified(specification: str) -> tuple[CatalogEntry, dict[str, int]]:
    """Return the entry that ``name`` or ``name:key=value,...`` names, and the values given.

    Raises:
        InvalidArgument: As ``load`` does, but for values out of range.

    >>> entry, parameters = specified("liars_dice:sides=2")
    >>> entry.name, parameters
    ('liars_dice', {'sides': 2})
    """
    name, colon, text = specification.partition(":")
    entry = _OWN.get(name) or catalog().get(name)
    if entry is None:
        close = _near(name, list(catalog()))
        hint = f"Did you mean {' or '.join(close)}? " if close else ""
        files = "Files of games end in .nfg, .efg, .csv or .json. " if "." in name else ""
        raise InvalidArgument(
            needs="the name of a game",
            found=f"{name!r} is not one",
            remedy=f"{hint}{files}List the names with: gametheory list",
            where="catalogue",
        )
    return entry, _parameters(entry, text) if colon else {}


def _near(name: str, known: list[str]) -> list[str]:
    """Return up to three names that may be meant: those that hold all its words, or look alike."""
    words = "".join(c if c.isalnum() else " " for c in name.lower()).split()
    holding = [other for other in known if words and all(word in other for word in words)]
    near = difflib.get_close_matches("_".join(words), known, n=MOST_NEAR)
    return list(dict.fromkeys([*sorted(holding, key=len), *near]))[:MOST_NEAR]


def _parameters(entry: CatalogEntry, text: str) -> dict[str, int]:
    known = entry.parameters
    defaults = ", ".join(f"{key}={value}" for key, value in known.items()) or "none"
    given: dict[str, int] = {}
    for part in text.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if key not in known or not equals or key in given:
            problem = "is given twice" if key in given else "is not one of them"
            close = [] if key in known else difflib.get_close_matches(key, known, n=1)
            raise InvalidArgument(
                needs=f"parameters KEY=VALUE ({defaults})",
                found=f"{part!r} {problem}",
                remedy=f"Did you mean {close[0]}?" if close else "",
                where=entry.name,
            )
        try:
            given[key] = int(value)
        except ValueError:
            raise InvalidArgument(
                needs=f"an integer for {key}", found=f"got {shown(value)}", where=entry.name
            ) from None
    return given
