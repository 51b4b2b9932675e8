"""What solvers of compact games require of a game."""

from functools import partial
from typing import Any

from gametheory_core.compact import (
    AnonymousGame,
    CongestionGame,
    PolymatrixGame,
    is_constant_sum_polymatrix,
    players_are_alike,
)
from gametheory_core.compact.kinds import KINDS, require_compact
from gametheory_core.games.properties import Verdict
from solvers.requirements import Kind, Requirement


def _kind(needs: str, *kinds: type[Any]) -> Kind:
    def holds(game: Any) -> bool:
        return isinstance(game, kinds)

    def refuse(game: Any) -> None:
        require_compact(game, *kinds)

    return Kind(needs, holds, refuse)


a_compact_game = _kind("a polymatrix, graphical, congestion or anonymous game", *KINDS)
a_polymatrix_game = _kind("a polymatrix game", PolymatrixGame)
a_congestion_game = _kind("a congestion game", CongestionGame)
a_counting_game = _kind("an anonymous or congestion game", AnonymousGame, CongestionGame)


def _is(kind: type[Any], game: Any) -> Verdict:
    return Verdict(isinstance(game, kind), f"it is a {type(game).__name__}")


congestion = Requirement("a congestion game", partial(_is, CongestionGame), chooses=True)
constant_sum_edges = Requirement(
    "payoffs that sum to a constant over all players", is_constant_sum_polymatrix
)


def _has_two_actions(game: Any) -> Verdict:
    most = max(game.num_actions)
    return Verdict(set(game.num_actions) == {2}, f"a player has {most}")


players_alike = Requirement("players who are alike", players_are_alike)
two_actions = Requirement("two actions of each player", _has_two_actions)
