"""Which games are compact, and what is refused where one is asked for."""

from typing import Any, TypeAlias

from gametheory_core.arguments import described, shown
from gametheory_core.compact.anonymous import AnonymousGame
from gametheory_core.compact.congestion import CongestionGame
from gametheory_core.compact.graphical import GraphicalGame
from gametheory_core.compact.polymatrix import PolymatrixGame
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame

CompactGame: TypeAlias = PolymatrixGame | GraphicalGame | CongestionGame | AnonymousGame

KINDS = (PolymatrixGame, GraphicalGame, CongestionGame, AnonymousGame)


def require_compact(game: object, *kinds: type[Any]) -> None:
    """Refuse anything but a compact game, or one of some kinds of them.

    Raises:
        UnsupportedGame: If it is another kind of game.
        InvalidArgument: If it is no game.
    """
    wanted = kinds or KINDS
    if isinstance(game, wanted):
        return
    needs = " or ".join(f"{'an' if k is AnonymousGame else 'a'} {k.__name__}" for k in wanted)
    if isinstance(game, NormalFormGame):
        remedy = "Use the solvers for normal forms, or normal_to_polymatrix(game)."
    elif isinstance(game, KINDS):
        remedy = "Small games have a normal form: compact_to_normal(game)."
    else:
        remedy = "load_game reads one from a file or by name; gametheory_core.compact builds one."
    if hasattr(game, "players") and not isinstance(game, type):
        raise UnsupportedGame(needs=needs, found=f"got {shown(game)}", remedy=remedy)
    raise InvalidArgument(needs=needs, found=f"got {described(game)}", remedy=remedy)
