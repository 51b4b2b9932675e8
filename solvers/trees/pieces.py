"""Pieces of a tree: subgames as far as no smaller subgame is reached.

Where a smaller subgame starts, play of the piece ends, and pays what that subgame is worth. Every
move is inside one piece, and every subgame but the whole tree ends another.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ONE, ExactArray, IntArray, freeze
from gametheory_core.evaluation import outcome_distribution
from gametheory_core.games import ExtensiveFormGame, InformationSet
from gametheory_core.games.subgames import innermost_roots
from gametheory_core.games.tree_table import CHANCE, NO_OUTCOME, Outcome
from gametheory_core.strategies import BehavioralProfile


@dataclass(frozen=True, eq=False)
class Pieces:
    """Where the pieces of a tree lie.

    Attributes:
        roots (num_pieces,): Where each starts, in breadth-first order.
        below: The other nodes of each, ends included, one piece after the other; each in
            breadth-first order.
        first (num_pieces + 1,): Where those of each piece start in ``below``.
        above (num_pieces,): The piece that each ends in; 0 for the first.
    """

    roots: IntArray
    below: IntArray
    first: IntArray
    above: IntArray

    def __len__(self) -> int:
        return len(self.roots)

    @property
    def sizes(self) -> IntArray:
        """Number of nodes of each, ends included."""
        return 1 + np.diff(self.first)

    def nodes(self, piece: int) -> IntArray:
        """Return the nodes of a piece in breadth-first order, ends included."""
        return self.alike(np.array([piece]))[0]

    def alike(self, pieces: NDArray[np.integer[Any]]) -> IntArray:
        """Return the nodes of pieces of one size, (pieces, size)."""
        size = int(self.sizes[pieces[0]])
        rest = self.first[pieces][:, np.newaxis] + np.arange(size - 1)
        return freeze(np.column_stack([self.roots[pieces], self.below[rest]]))


def pieces_of(game: ExtensiveFormGame, roots: IntArray) -> Pieces:
    """Share nodes out among pieces.

    Args:
        roots: From ``subgame_roots``.
    """
    owner = np.searchsorted(roots, innermost_roots(game, roots))
    piece = owner[game.parent[1:]]  # that each node but the first is in, or ends
    order = np.argsort(piece, kind="stable")
    above = np.zeros(len(roots), dtype=np.int64)
    above[1:] = piece[roots[1:] - 1]
    return Pieces(
        roots,
        below=freeze((1 + order).astype(np.int32)),
        first=freeze(np.searchsorted(piece[order], np.arange(len(roots) + 1))),
        above=freeze(above),
    )


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


def piece_of(
    game: ExtensiveFormGame, nodes: IntArray, payoffs: Sequence[Sequence[Fraction]]
) -> Piece:
    """Build a piece.

    Args:
        nodes: From ``nodes_of_pieces``.
        payoffs: What each of its ends pays every player, in the order of ``nodes``.
    """
    is_inside = np.zeros(len(nodes), dtype=bool)  # play goes on there, within the piece
    is_inside[np.searchsorted(nodes, game.parent[nodes[1:]])] = True
    inner = nodes[is_inside]
    kept, own = np.unique(game.node_infoset[inner], return_inverse=True)
    choosers = {
        game.infosets[s].player
        for s in kept.tolist()
        if game.infosets[s].player != CHANCE and len(game.infosets[s].actions) > 1
    }
    movers = sorted(choosers) or [0]
    node_infoset = np.full(len(nodes), -1, dtype=np.int32)
    node_infoset[is_inside] = own
    node_outcome = np.full(len(nodes), NO_OUTCOME, dtype=np.int32)
    known: dict[tuple[Fraction, ...], int] = {}  # equal ends are one outcome
    node_outcome[~is_inside] = [
        known.setdefault(tuple(paid[i] for i in movers), len(known)) for paid in payoffs
    ]
    table = ExtensiveFormGame(
        players=tuple(game.players[i] for i in movers),
        infosets=tuple(
            _renamed(game.infosets[s], number, movers) for number, s in enumerate(kept.tolist())
        ),
        node_infoset=node_infoset,
        outcomes=tuple(map(Outcome, known)),
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
