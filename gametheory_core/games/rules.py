"""Rules of either kind: a POSG or an AEC game."""

from typing import TypeAlias, TypeGuard

from gametheory_core.games.aec import AEC
from gametheory_core.games.posg import POSG

Rules: TypeAlias = POSG | AEC


def is_posg(game: Rules) -> TypeGuard[POSG]:
    """Tell whether rules are those of a POSG; those of an AEC game have ``next_player``."""
    return not hasattr(game, "next_player")
