"""What one player did on the way to each node, and how likely a strategy makes it.

Nodes with the same own actions on the way share a *history*, so that products of probabilities are
taken once for each history and not for each node. With perfect recall histories are the player's
sequences, kept apart where an action ends at several depths; without it there may be more of them.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gametheory_core.arrays import ONE, IntArray, NumberArray, freeze, is_exact
from gametheory_core.games.extensive_form import ExtensiveFormGame


@dataclass(frozen=True, eq=False)
class OwnHistories:
    """A player's (or chance's) own actions on the way to each node.

    Attributes:
        node_history (num_nodes,): History at each node; 0 is the empty one.
        parent (num_histories,): The history with the last action left out; -1 for the empty one.
        action (num_histories,): The last action, in the game's flat order; -1 for the empty one.
        level_offset: Histories ``level_offset[k] .. level_offset[k + 1]`` extend earlier ones.
    """

    node_history: IntArray
    parent: IntArray
    action: IntArray
    level_offset: tuple[int, ...]


def own_histories(game: ExtensiveFormGame, player: int) -> OwnHistories:
    """Number the histories of a player, or of ``CHANCE``, an extended history after the shorter."""
    num_actions = int(game.action_offset[-1])
    own = game.node_player == player
    history = np.zeros(game.num_nodes, dtype=np.int32)
    parents, actions = [np.array([-1])], [np.array([-1])]
    offsets = [0, 1]
    for start, stop in zip(game.level_offset[1:-1], game.level_offset[2:], strict=True):
        above = game.parent[start:stop]
        history[start:stop] = history[above]
        moved = start + np.flatnonzero(own[above])
        if not moved.size:
            continue
        pairs = history[moved].astype(np.int64) * num_actions + game.node_action[moved]
        found, places = np.unique(pairs, return_inverse=True)
        history[moved] = offsets[-1] + places
        parents.append(found // num_actions)
        actions.append(found % num_actions)
        offsets.append(offsets[-1] + len(found))
    return OwnHistories(
        node_history=freeze(history),
        parent=freeze(np.concatenate(parents).astype(np.int32)),
        action=freeze(np.concatenate(actions).astype(np.int32)),
        level_offset=tuple(offsets),
    )


def history_weights(histories: OwnHistories, probabilities: NumberArray) -> NumberArray:
    """Multiply probabilities along each history, shape (num_histories,).

    Args:
        probabilities: Of the game's flat actions, exact or float; only those in histories matter.
    """
    weights = np.empty(len(histories.parent), dtype=probabilities.dtype)
    weights[0] = ONE if is_exact(weights) else 1.0
    for start, stop in pairwise(histories.level_offset[1:]):
        before = weights[histories.parent[start:stop]]
        weights[start:stop] = before * probabilities[histories.action[start:stop]]
    return freeze(weights)
