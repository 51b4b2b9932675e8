"""Subgames: the parts of a tree that can be played on their own.

A *subgame* starts at a node, and holds all that can follow it. It must be closed under information
sets of players: the player who moves in it knows that it has been reached. Chance knows nothing, so
its information sets, which only carry probabilities, do not count. The whole tree is a subgame, and
a subgame may start with a move of chance; a terminal history is not one, unless it is the whole
tree.

With nodes numbered in preorder, what follows a node is an interval; it is closed if it holds the
first and the last node of each information set that it meets.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import IntArray, freeze
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame, path_to
from gametheory_core.games.kinds import require_tree


@dataclass(frozen=True, eq=False)
class Subgame:
    """A subgame as a game of its own, and where it comes from.

    Attributes:
        game: The subgame. It pays what is paid from its first node on.
        source: The whole tree.
        nodes (num_nodes,): The node of the source that each node of the subgame is.
        infosets (num_infosets,): The information set of the source that each one of the subgame is;
            those of players first.
    """

    game: ExtensiveFormGame
    source: ExtensiveFormGame
    nodes: IntArray
    infosets: IntArray

    @property
    def root(self) -> int:
        """The node of the source where the subgame starts."""
        return int(self.nodes[0])


def subgame_roots(game: ExtensiveFormGame) -> IntArray:
    """Return the nodes where subgames start, in breadth-first order; node 0 is always one.

    Time and memory are linear in the number of nodes.

    >>> from gametheory_core import load_game
    >>> subgame_roots(load_game("centipede:rounds=3")).tolist()
    [0, 2, 4]
    >>> subgame_roots(load_game("kuhn_poker")).tolist()
    [0]
    """
    require_tree(game)
    levels = list(pairwise(game.level_offset.tolist()))
    sizes = np.ones(game.num_nodes, dtype=np.int64)
    for start, stop in levels[:0:-1]:
        np.add.at(sizes, game.parent[start:stop], sizes[start:stop])
    place = _preorder(game, sizes, levels)
    first, last = _reach_of_infosets(game, place)
    for start, stop in levels[:0:-1]:
        np.minimum.at(first, game.parent[start:stop], first[start:stop])
        np.maximum.at(last, game.parent[start:stop], last[start:stop])
    is_closed = (first >= place) & (last < place + sizes) & (game.node_infoset >= 0)
    is_closed[0] = True
    return freeze(np.flatnonzero(is_closed).astype(np.int32))


def innermost_roots(game: ExtensiveFormGame, roots: IntArray) -> IntArray:
    """Return, for each node, the first node of the smallest subgame that it is in."""
    starts = np.zeros(game.num_nodes, dtype=bool)
    starts[roots] = True
    innermost = np.arange(game.num_nodes, dtype=np.int32)
    for start, stop in pairwise(game.level_offset[1:].tolist()):
        above = innermost[game.parent[start:stop]]
        innermost[start:stop] = np.where(starts[start:stop], innermost[start:stop], above)
    return freeze(innermost)


def subgame(game: ExtensiveFormGame, root: int) -> Subgame:
    """Cut out the subgame that starts at a node.

    Args:
        root: One of ``subgame_roots(game)``.

    Raises:
        InvalidArgument: If there is no such node.
        UnsupportedGame: If no subgame starts there; lists where some do.

    >>> from gametheory_core import load_game
    >>> subgame(load_game("centipede:rounds=3"), 4).game.num_nodes
    3
    """
    require_tree(game)
    require_integer(root, name="root", low=0, high=game.num_nodes - 1)
    roots = subgame_roots(game)
    if root not in roots:
        shown = ", ".join(map(str, roots[:6].tolist()))
        raise UnsupportedGame(
            needs="a node where a subgame starts",
            found=f"none starts at node {root}, reached by {path_to(game, root)}: it is terminal, "
            "or somebody who moves below it does not know that it was reached",
            remedy=f"Subgames start at nodes {shown}{', ...' if len(roots) > 6 else ''}.",
        )
    inside = np.zeros(game.num_nodes, dtype=bool)
    inside[root] = True
    for start, stop in pairwise(game.level_offset[1:].tolist()):
        inside[start:stop] |= inside[game.parent[start:stop]]
    nodes = np.flatnonzero(inside).astype(np.int32)  # breadth first, as all nodes are
    return _cut_out(game, nodes)


def _cut_out(game: ExtensiveFormGame, nodes: IntArray) -> Subgame:
    kept = np.unique(game.node_infoset[nodes])
    kept = kept[kept >= 0]
    new_index = np.full(len(game.infosets) + 1, -1, dtype=np.int32)
    new_index[kept] = np.arange(len(kept), dtype=np.int32)
    table = ExtensiveFormGame(
        players=game.players,
        infosets=tuple(game.infosets[s] for s in kept),
        node_infoset=new_index[game.node_infoset[nodes]],
        outcomes=game.outcomes,
        node_outcome=game.node_outcome[nodes],
        node_labels=tuple(game.node_labels[v] for v in nodes) if game.node_labels else (),
        title=game.title,
    )
    infosets = np.empty(len(kept), dtype=np.int32)  # by the order that the table has chosen
    infosets[table.node_infoset[table.node_infoset >= 0]] = game.node_infoset[nodes][
        table.node_infoset >= 0
    ]
    return Subgame(table, game, freeze(nodes), freeze(infosets))


def _preorder(
    game: ExtensiveFormGame, sizes: np.ndarray, levels: list[tuple[int, int]]
) -> np.ndarray:
    """Number nodes so that what follows a node is the interval of its size."""
    place = np.zeros(game.num_nodes, dtype=np.int64)
    for start, stop in levels[1:]:
        parent = game.parent[start:stop]
        before = np.cumsum(sizes[start:stop]) - sizes[start:stop]
        place[start:stop] = place[parent] + 1 + before - before[game.first_child[parent] - start]
    return place


def _reach_of_infosets(game: ExtensiveFormGame, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first and last place of each node's information set; its own for other nodes."""
    first, last = place.copy(), place.copy()
    moves = np.flatnonzero(game.node_player >= 0)
    infosets = game.node_infoset[moves]
    least = np.full(len(game.infosets), game.num_nodes, dtype=np.int64)
    most = np.full(len(game.infosets), -1, dtype=np.int64)
    np.minimum.at(least, infosets, place[moves])
    np.maximum.at(most, infosets, place[moves])
    first[moves], last[moves] = least[infosets], most[infosets]
    return first, last
