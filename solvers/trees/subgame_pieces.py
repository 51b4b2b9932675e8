"""A tree taken apart: each subgame up to the smaller subgames in it, which end it.

The piece of a subgame has its nodes as far as no smaller subgame is reached; where one starts, play
ends and pays what that subgame is worth. Players with no choice in a piece are left out of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gametheory_core import BehavioralProfile, ExtensiveFormGame
from gametheory_core.arrays import ONE, ExactArray, IntArray, freeze
from gametheory_core.evaluation import outcome_distribution
from gametheory_core.games import CHANCE, NO_OUTCOME, InformationSet, Outcome
from gametheory_core.games.subgames import innermost_roots


@dataclass(frozen=True, eq=False)
class Piece:
    """A subgame without the smaller ones in it.

    Attributes:
        game: Its players are those with a choice in it (the first player, if nobody has one);
            others who have a single action are chance moves.
        infosets: The information set of the whole tree that each one of the players' is.
        end_payoffs (num_terminals, num_players): What each end pays all players of the whole tree.
    """

    game: ExtensiveFormGame
    infosets: tuple[int, ...]
    end_payoffs: ExactArray

    def worth(self, profile: BehavioralProfile) -> ExactArray:
        """Return what all players of the whole tree expect under a profile of the piece."""
        return np.asarray(outcome_distribution(self.game, profile) @ self.end_payoffs)


def nodes_of_pieces(game: ExtensiveFormGame, roots: IntArray) -> list[IntArray]:
    """Return the nodes of each piece in breadth-first order, ends included.

    Args:
        roots: From ``subgame_roots``.
    """
    owner = innermost_roots(game, roots)
    above = owner[game.parent[1:]]
    by_piece = np.argsort(above, kind="stable")
    bounds = np.searchsorted(above[by_piece], roots)
    parts = np.split(1 + by_piece, bounds[1:])
    return [
        freeze(np.concatenate([[root], part]).astype(np.int32))
        for root, part in zip(roots.tolist(), parts, strict=True)
    ]


def piece_of(
    game: ExtensiveFormGame, nodes: IntArray, payoffs: Sequence[Sequence[Fraction]]
) -> Piece:
    """Build a piece.

    Args:
        nodes: From ``nodes_of_pieces``.
        payoffs: What each of its ends pays every player, in the order of ``nodes``.
    """
    above = np.zeros(game.num_nodes, dtype=bool)
    above[game.parent[nodes[1:]]] = True
    is_inside = above[nodes]  # play goes on there, within the piece
    inner = nodes[is_inside]
    kept = np.unique(game.node_infoset[inner]).tolist()
    choosers = {
        game.infosets[s].player
        for s in kept
        if game.infosets[s].player != CHANCE and len(game.infosets[s].actions) > 1
    }
    movers = sorted(choosers) or [0]
    new_index = np.full(len(game.infosets), -1, dtype=np.int32)
    new_index[kept] = np.arange(len(kept), dtype=np.int32)
    node_infoset = np.full(len(nodes), -1, dtype=np.int32)
    node_infoset[is_inside] = new_index[game.node_infoset[inner]]
    node_outcome = np.full(len(nodes), NO_OUTCOME, dtype=np.int32)
    node_outcome[~is_inside] = np.arange(len(payoffs), dtype=np.int32)
    table = ExtensiveFormGame(
        players=tuple(game.players[i] for i in movers),
        infosets=tuple(_renamed(game.infosets[s], number, movers) for number, s in enumerate(kept)),
        node_infoset=node_infoset,
        outcomes=tuple(Outcome(tuple(paid[i] for i in movers)) for paid in payoffs),
        node_outcome=node_outcome,
        title=game.title,
    )
    paid_to_all = np.array(payoffs, dtype=object).reshape(-1, game.num_players)
    return Piece(table, _sources(game, table, nodes), freeze(paid_to_all))


def _renamed(infoset: InformationSet, number: int, movers: list[int]) -> InformationSet:
    if infoset.player in movers:
        player = movers.index(infoset.player)
        return InformationSet(player, number + 1, infoset.label, infoset.actions)
    sure = infoset.probabilities or (ONE,)  # chance, or a player with a single action
    return InformationSet(CHANCE, number + 1, "", infoset.actions, sure)


def _sources(game: ExtensiveFormGame, table: ExtensiveFormGame, nodes: IntArray) -> tuple[int, ...]:
    sources = [-1] * table.num_decision_infosets
    for own, node in zip(table.node_infoset.tolist(), nodes.tolist(), strict=True):
        if 0 <= own < len(sources):
            sources[own] = int(game.node_infoset[node])
    return tuple(sources)
