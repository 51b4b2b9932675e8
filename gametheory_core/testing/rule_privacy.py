"""Whether what one player sees tells which actions another has."""

from itertools import permutations
from typing import Any

from gametheory_core.errors import LawBroken
from gametheory_core.games.posg import POSG
from gametheory_core.testing.rule_walk import Graph, Situation

Known = tuple[Situation, tuple[Any, ...]]  # where a set of legal actions occurs, and the set


def require_private_actions(game: POSG, graph: Graph) -> None:
    """Refuse a POSG in which a player's last observation tells another's legal actions.

    Args:
        graph: Its situations.

    Raises:
        LawBroken: If after two own last observations a player must hold different sets of legal
            actions of another to be possible; with both observations, and the situation in which a
            set occurs that is impossible after the other.
    """
    for player, other in permutations(range(len(game.players)), 2):
        possible: dict[Any, dict[frozenset[Any], Known]] = {}
        for state, seen in graph:
            legal = game.legal_actions(other, seen[other])
            after = possible.setdefault(seen[player], {})
            after.setdefault(frozenset(legal), ((state, seen), legal))
        for own, elsewhere in permutations(possible, 2):
            for legal_set, (situation, legal) in possible[own].items():
                if legal_set not in possible[elsewhere]:
                    raise LawBroken(
                        f"{game.title or repr(game)}: private actions must not be told, but when "
                        f"{game.players[player]!r} sees {own!r}, {game.players[other]!r} may have "
                        f"{legal!r} (in state {situation[0]!r}), and never when it is "
                        f"{elsewhere!r}."
                    )
