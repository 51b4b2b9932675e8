"""Games of pygambit as games of this library, and back: exactly, by the text that both write.

What pygambit keeps beside a game, its own labels of strategies made from a tree, is not carried.
"""

import io
from importlib import import_module
from typing import Any, cast

from gametheory_core.errors import InvalidArgument, MissingDependency
from gametheory_core.formats.gambit import format_efg, format_nfg, parse_efg, parse_nfg
from gametheory_core.formats.gambit_text import DuplicateLabels
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame


def from_gambit(
    game: Any, *, duplicates: DuplicateLabels = DuplicateLabels.REFUSE
) -> ExtensiveFormGame | NormalFormGame:
    """Return a ``pygambit.Game`` as a tree if it has one, else as a normal form.

    Args:
        duplicates: What to do where two things share a label, as Gambit allows.

    Raises:
        InvalidArgument: If it is something else.
        MalformedFile: If labels repeat, unless ``duplicates`` says how to tell them apart.

    >>> import numpy as np, pygambit
    >>> from_gambit(pygambit.Game.from_arrays(np.array([[3, 0]]), np.array([[1, 2]]))).num_actions
    (1, 2)
    """
    _library()
    if not all(hasattr(game, name) for name in ("is_tree", "to_efg", "to_nfg")):
        raise InvalidArgument(
            needs="a pygambit.Game",
            found=f"got a {type(game).__name__}",
            remedy="load_game reads Gambit's files.",
        )
    if game.is_tree:
        return parse_efg(game.to_efg(), name="the game", duplicates=duplicates)
    return parse_nfg(game.to_nfg(), name="the game", duplicates=duplicates)


def to_gambit(game: ExtensiveFormGame | NormalFormGame) -> Any:
    """Return a tree or a normal form as a ``pygambit.Game``, with all its numbers as rationals.

    Raises:
        InvalidArgument: If it is neither.

    >>> to_gambit(NormalFormGame.bimatrix([["1/3", 0]], [[1, 2]])).max_payoff
    Rational(2, 1)
    """
    gambit, given = _library(), cast("object", game)
    if isinstance(given, ExtensiveFormGame):
        return gambit.read_efg(io.StringIO(format_efg(given)))
    if isinstance(given, NormalFormGame):
        return gambit.read_nfg(io.StringIO(format_nfg(given)))
    raise InvalidArgument(
        needs="an extensive-form or a normal-form game",
        found=f"got a {type(game).__name__}",
        remedy="posg_to_extensive(game).target or aec_to_extensive(game).target is the tree of "
        "rules.",
    )


def _library() -> Any:
    try:
        return import_module("pygambit")
    except ImportError as error:  # pragma: no cover - the test suite may have it
        raise MissingDependency(
            needs="pygambit",
            found="it is not installed",
            remedy="Run: pip install 'gametheory-core[gambit]'",
        ) from error
