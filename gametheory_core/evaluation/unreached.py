"""Information sets that play never comes to, and whose doing that is.

At such a place an equilibrium need not say anything sensible: solvers complete the profile there
with what is at hand. Where the mover's own choices exclude it, nothing that is done there can ever
matter; where others' do, it is a threat or a promise that nobody has put to the test.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gametheory_core.evaluation.outcomes import player_reach
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.sequence_form import chance_reach


@dataclass(frozen=True)
class UnreachedInfoset:
    """An information set of reach probability zero. Several causes may hold, each alone enough.

    Attributes:
        infoset: Index in the game.
        by_own: Whether the mover's own earlier choices exclude it.
        by_others: Whether the other players' choices do (chance's left out).
        by_chance: Whether only chance moves of probability zero lead there.
    """

    infoset: int
    by_own: bool
    by_others: bool
    by_chance: bool


def unreached_infosets(
    game: ExtensiveFormGame, profile: BehavioralProfile
) -> tuple[UnreachedInfoset, ...]:
    """Name the information sets of players that play does not come to, in the game's order.

    Args:
        profile: Exact or float; of the game.

    Without perfect recall, or where causes differ from node to node, a set may be unreached though
    no single cause excludes all of its nodes; then all three are False.

    >>> from gametheory_core import load_game, pure_behavior
    >>> ace = load_game("guess_the_ace")
    >>> for unreached in unreached_infosets(ace, pure_behavior(ace, (0, 0))):
    ...     print(ace.infosets[unreached.infoset].label, unreached.by_own, unreached.by_others)
    asked False True
    """
    require_tree(game, function="unreached_infosets")
    check_behavioral_profile(game, profile)
    chance = chance_reach(game) != 0
    own = np.array([player_reach(game, profile, player=i) != 0 for i in range(game.num_players)])
    others = np.array([np.delete(own, i, axis=0).all(axis=0) for i in range(game.num_players)])
    nodes = np.flatnonzero(game.node_player >= 0)
    movers = game.node_player[nodes]

    def is_possible(lets_through: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell for each information set whether one of its nodes is let through."""
        possible = np.zeros(game.num_decision_infosets, dtype=bool)
        possible[game.node_infoset[nodes[lets_through]]] = True
        return possible

    by_own = ~is_possible(own[movers, nodes])
    by_others = ~is_possible(others[movers, nodes])
    by_chance = ~is_possible(chance[nodes])
    reached = is_possible((own & chance).all(axis=0)[nodes])
    return tuple(
        UnreachedInfoset(s, bool(by_own[s]), bool(by_others[s]), bool(by_chance[s]))
        for s in np.flatnonzero(~reached).tolist()
    )
