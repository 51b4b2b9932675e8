"""A player's pure plans: reduced ones where the player never forgets, full ones otherwise."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import IntArray, freeze
from gametheory_core.games.extensive_form import ExtensiveFormGame, player_infosets
from gametheory_core.games.properties import has_perfect_recall
from gametheory_core.strategies.sequence_form import player_sequences

NOT_REACHED = -1


@dataclass(frozen=True, eq=False)
class PlayerPlans:
    """All plans of one player.

    Attributes:
        player: Whose.
        infosets: Indices of the player's information sets in the game.
        actions (num_plans, num_own_infosets): The action at each own information set;
            ``NOT_REACHED`` where the plan itself rules the set out. In lexicographic order.
    """

    player: int
    infosets: range
    actions: IntArray


def count_plans(game: ExtensiveFormGame, player: int) -> int:
    """Count a player's plans without building them.

    With ``n(s)`` the number of ways to go on after sequence ``s``, ``n(s)`` is the product over own
    information sets ``I`` that follow ``s`` of the sum over actions ``a`` of ``n(I a)``.
    """
    infosets = player_infosets(game, player)
    if not has_perfect_recall(game, player=player):
        return math.prod(len(game.infosets[s].actions) for s in infosets)
    own = player_sequences(game, player)
    ways = [1] * own.num_sequences
    for k in reversed(range(len(infosets))):
        start, stop = int(own.first_sequence[k]), int(own.first_sequence[k + 1])
        ways[int(own.parent_sequence[k])] *= sum(ways[start:stop])
    return ways[0]


def player_plans(game: ExtensiveFormGame, player: int) -> PlayerPlans:
    """List a player's plans, one information set at a time in order of first visit."""
    infosets = player_infosets(game, player)
    forgets = not has_perfect_recall(game, player=player)
    parents = [0] * len(infosets) if forgets else _parent_actions(game, player)
    table = np.zeros((1, 0), dtype=np.int32)
    is_chosen = np.ones((1, 1), dtype=bool)  # (plans, sequences so far); sequence 0 is empty
    for k, infoset in enumerate(infosets):
        count = len(game.infosets[infoset].actions)
        reached = is_chosen[:, parents[k]]
        copies = np.where(reached, count, 1)
        first = np.repeat(np.cumsum(copies) - copies, copies)
        action = np.arange(len(first)) - first
        column = np.where(np.repeat(reached, copies), action, NOT_REACHED).astype(np.int32)
        table = np.column_stack([np.repeat(table, copies, axis=0), column])
        chosen_here = column[:, None] == np.arange(count)
        is_chosen = np.concatenate([np.repeat(is_chosen, copies, axis=0), chosen_here], axis=1)
    return PlayerPlans(player, infosets, freeze(table.astype(np.int32)))


def plan_labels(game: ExtensiveFormGame, own: PlayerPlans) -> tuple[str, ...]:
    """Name plans by their actions, ``*`` where not reached; by numbers if names would collide."""
    if not own.infosets:
        return ("-",)
    tokens = [game.infosets[s].actions for s in own.infosets]
    named = [tuple(label or f"#{a + 1}" for a, label in enumerate(labels)) for labels in tokens]
    labels = _joined(own, named)
    if len(set(labels)) == len(labels):
        return labels
    return _joined(own, [tuple(f"#{a + 1}" for a in range(len(row))) for row in tokens])


def compatible_terminals(game: ExtensiveFormGame, own: PlayerPlans) -> NDArray[np.bool_]:
    """Tell which ends of play each plan allows, shape (num_plans, num_terminals)."""
    allows = np.ones((game.num_nodes, len(own.actions)), dtype=bool)
    choices = own.actions.T
    moves = game.node_player == own.player
    for start, stop in zip(game.level_offset[1:-1], game.level_offset[2:], strict=True):
        parent = game.parent[start:stop]
        allows[start:stop] = allows[parent]
        moved = start + np.flatnonzero(moves[parent])
        above = game.parent[moved]
        position = moved - game.first_child[above]
        allows[moved] &= choices[game.node_infoset[above] - own.infosets.start] == position[:, None]
    return freeze(np.ascontiguousarray(allows[game.terminals].T))


def _parent_actions(game: ExtensiveFormGame, player: int) -> list[int]:
    parents: NDArray[Any] = player_sequences(game, player).parent_sequence
    return parents.tolist()


def _joined(own: PlayerPlans, tokens: list[tuple[str, ...]]) -> tuple[str, ...]:
    separator = "" if all(len(t) == 1 and t != "*" for row in tokens for t in row) else " / "
    return tuple(
        separator.join("*" if a < 0 else row[a] for row, a in zip(tokens, plan, strict=True))
        for plan in own.actions.tolist()
    )
