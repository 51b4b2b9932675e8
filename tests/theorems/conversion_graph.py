"""The graph of models of games: an arrow for each conversion that a public function declares.

A function is an arrow by its return annotation, ``Conversion[Source, Target, ...]``. Files are
arrows from a model to itself, one for each format and each model that it holds.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from gametheory_core import BayesianGame, ExtensiveFormGame, NormalFormGame, UnsupportedGame
from gametheory_core.conversions import Conversion, Preserved
from gametheory_core.conversions.conversion import Identity
from gametheory_core.errors import MissingDependency
from gametheory_core.extensions import game_kinds
from gametheory_core.formats import game_from, parse_efg, parse_json, parse_nfg
from gametheory_core.formats.files import SUFFIXES, game_text
from gametheory_core.games import (
    AEC,
    POSG,
    TabularAEC,
    TabularPOSG,
    has_perfect_recall,
    is_rules_of_posg,
)
from gametheory_core.mediation import MediatedGame, naive_responses
from tests.public_rooms import public_rooms

SILENT = {"leader_problem"}  # which claims nothing, so that nothing can be tested along it
SMALL = {"max_profiles": 24}  # joint plans: larger normal forms and trees are left out
NEEDED = {  # arguments beside the game
    "aec_to_extensive": lambda _: {"max_nodes": 60},
    "extensive_to_normal": lambda _: SMALL,
    "mediate": lambda game: {"responses": naive_responses(game)},
    "posg_to_extensive": lambda _: {"max_nodes": 60},
    "posg_to_normal": lambda _: SMALL,
    "restrict_actions": lambda game: {"kept": [range(max(1, n - 1)) for n in game.num_actions]},
}


class Arrow(NamedTuple):
    """A conversion of all games of a model that it takes.

    Attributes:
        source, target: Models: classes, unions of them, or the protocols of rules.
        convert: Game -> ``Conversion``; raises ``UnsupportedGame`` where there is none.
    """

    name: str
    source: Any
    target: Any
    convert: Callable[[Any], Conversion]


FOREIGN = ("gametheory_core.adapters", "gametheory_core.figures")  # which need other packages


def declared() -> Iterator[Arrow]:
    """Yield the conversions that the rooms of the core make public."""
    functions: dict[str, Any] = {}
    for room in public_rooms("gametheory_core"):
        for name in () if room.__name__ in FOREIGN else room.__all__:
            with suppress(MissingDependency):
                functions[name] = getattr(room, name)
    for name, function in sorted(functions.items()):
        is_function = callable(function) and not isinstance(function, type)
        returned = get_type_hints(function).get("return") if is_function else None
        if get_origin(returned) is Conversion:
            source, target = get_args(returned)[:2]
            yield Arrow(name, source, target, partial(_converted, name, function))


def _converted(name: str, function: Callable[..., Conversion], game: Any) -> Conversion:
    return function(game, **NEEDED.get(name, lambda _: {})(game))


HELD = {
    ".csv": (),  # two players with names: tests/core/formats/test_spreadsheets.py
    ".efg": (ExtensiveFormGame,),
    ".json": (BayesianGame, ExtensiveFormGame, NormalFormGame, TabularAEC, TabularPOSG),
    ".nfg": (NormalFormGame,),
}
PARSE = {
    ".efg": parse_efg,
    ".json": lambda text, *, name: game_from(parse_json(text, name=name)),
    ".nfg": parse_nfg,
}


def files() -> Iterator[Arrow]:
    """Yield the ways of games into files and back."""
    registered = tuple(kind.type for kind in game_kinds().values() if kind.play)
    for suffix in SUFFIXES:
        for model in (*HELD[suffix], *(registered if suffix == ".json" else ())):
            name = f"{model.__name__}{suffix}"
            yield Arrow(name, model, model, partial(_written_and_read, suffix))


def _written_and_read(suffix: str, game: Any) -> Conversion:
    name = f"game{suffix}"
    back = PARSE[suffix](game_text(game, suffix, name=name), name=name)
    return Conversion(game, back, Identity(), _kept(game))


def _kept(game: Any) -> frozenset[Preserved]:
    """All claims, where best responses are computed."""
    is_tree = isinstance(game, ExtensiveFormGame)
    if isinstance(game, BayesianGame | MediatedGame) or (is_tree and not has_perfect_recall(game)):
        return frozenset(Preserved) - {Preserved.BEST_RESPONSES, Preserved.NASH}
    return frozenset(Preserved)


ARROWS = tuple(arrow for arrow in (*declared(), *files()) if arrow.name not in SILENT)


def belongs(game: Any, model: Any) -> bool:
    """Tell whether a game is of a model."""
    if model is POSG:
        return is_rules_of_posg(game)
    if model is AEC:
        return hasattr(game, "next_player")
    return isinstance(game, model)


def classes(model: Any) -> tuple[Any, ...]:
    """The classes and protocols of a model."""
    return get_args(model) or (model,)


def is_taken(target: Any, source: Any) -> bool:
    """Tell whether all games of one class or protocol are of a model."""
    rules = {TabularPOSG: POSG, TabularAEC: AEC}
    return any(wanted in (target, rules.get(target)) for wanted in classes(source))


def meeting() -> set[tuple[str, str]]:
    """The pairs of arrows whose ends meet: what the first leads to is what the second takes."""
    return {
        (first.name, second.name)
        for first in ARROWS
        for second in ARROWS
        if any(is_taken(target, second.source) for target in classes(first.target))
    }


def arrows_from(game: Any) -> list[Arrow]:
    """Return the arrows that start at the game's models."""
    return [arrow for arrow in ARROWS if belongs(game, arrow.source)]


def taken(arrow: Arrow, game: Any) -> Conversion | None:
    """Return the conversion of a game, None if it is refused."""
    try:
        return arrow.convert(game)
    except UnsupportedGame:
        return None


def paths(
    game: Any, longest: int, path: tuple[str, ...] = (), before: Conversion | None = None
) -> Iterator[tuple[tuple[str, ...], Conversion]]:
    """Yield every path of arrows from a game, with what the conversions along it compose to."""
    for arrow in arrows_from(game):
        step = taken(arrow, game)
        if step is None:
            continue
        here, composed = (*path, arrow.name), before.then(step) if before else step
        yield here, composed
        if len(here) < longest:
            yield from paths(step.target, longest, here, composed)
