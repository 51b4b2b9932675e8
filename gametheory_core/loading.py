"""Games by name: a file, or an entry of the catalogue.

``load_game`` returns whatever kind of game it finds. Code that is checked for types says which kind
it wants: ``load_matrix``, ``load_tree``, ``load_posg`` and ``load_aec`` refuse any other.
"""

import os
from pathlib import Path
from typing import Any, TypeVar

from gametheory_core.arguments import require_instance
from gametheory_core.catalog.index import load
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.formats.files import SUFFIXES, read_game
from gametheory_core.formats.gambit_text import DuplicateLabels
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import is_rules_of_posg
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import AEC, POSG

Form = TypeVar("Form", NormalFormGame, ExtensiveFormGame)


def load_game(
    name: str | os.PathLike[str],
    *,
    duplicates: DuplicateLabels = DuplicateLabels.REFUSE,
    recover: bool = False,
    decimals: bool = False,
) -> Any:
    """Load a game from a file, or from the catalogue.

    Args:
        name: A path that exists or ends in ``.nfg``, ``.efg``, ``.csv`` or ``.json``; else ``name``
            or ``name:key=value,...`` of the catalogue.
        duplicates, recover, decimals: Of files, as for ``read_game``.

    Returns:
        A game of whatever kind it is: the name alone tells. A file has rules as a ``TabularPOSG``
        or ``TabularAEC``.

    Raises:
        InvalidArgument: If there is no such file or game, or a parameter is wrong.
        MalformedFile: If the file breaks its format.

    >>> load_game("coordination:size=2").num_actions
    (2, 2)
    """
    if not isinstance(name, str | os.PathLike) or not str(name):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidArgument(
            needs="the name of a game or a path",
            found=f"got {name!r} (type {type(name).__name__})",
            remedy="Names: gametheory list",
        )
    for option, value in (("recover", recover), ("decimals", decimals)):
        require_instance(value, bool, name=option)
    if Path(name).suffix.lower() in SUFFIXES or Path(name).exists():
        return read_game(name, duplicates=duplicates, recover=recover, decimals=decimals)
    return load(str(name))


def load_matrix(name: str | os.PathLike[str], **options: Any) -> NormalFormGame:
    """Load a normal form.

    Args:
        name, options: As for ``load_game``.

    Raises:
        UnsupportedGame: If it is another kind of game.

    >>> load_matrix("prisoners_dilemma").num_actions
    (2, 2)
    """
    return _of_kind(load_game(name, **options), NormalFormGame, name, "a normal form")


def load_tree(name: str | os.PathLike[str], **options: Any) -> ExtensiveFormGame:
    """Load a game tree.

    Args:
        name, options: As for ``load_game``.

    Raises:
        UnsupportedGame: If it is another kind of game.

    >>> load_tree("kuhn_poker").num_nodes
    55
    """
    return _of_kind(load_game(name, **options), ExtensiveFormGame, name, "a tree")


def load_posg(name: str | os.PathLike[str], **options: Any) -> POSG:
    """Load the rules of a POSG, in which all players act at once.

    Args:
        name, options: As for ``load_game``.

    Raises:
        UnsupportedGame: If it is another kind of game.

    >>> load_posg("iterated_prisoners_dilemma").players
    ('Leader', 'Follower')
    """
    game = load_game(name, **options)
    if is_rules_of_posg(game):
        return game
    raise _another(game, name, "the rules of a POSG")


def load_aec(name: str | os.PathLike[str], **options: Any) -> AEC:
    """Load the rules of an AEC game, with one mover at a time.

    Args:
        name, options: As for ``load_game``.

    Raises:
        UnsupportedGame: If it is another kind of game.

    >>> load_aec("random_order_team").players
    ('1', '2')
    """
    game = load_game(name, **options)
    if hasattr(game, "next_player"):
        return game
    raise _another(game, name, "the rules of an AEC game")


def _of_kind(game: Any, kind: type[Form], name: object, words: str) -> Form:
    if isinstance(game, kind):
        return game
    raise _another(game, name, words)


def _another(game: object, name: object, words: str) -> UnsupportedGame:
    return UnsupportedGame(
        needs=words,
        found=f"{str(name)!r} is {game!r}",
        remedy="load_game loads any kind; conversions carry games from kind to kind.",
    )
