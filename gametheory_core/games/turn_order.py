"""Who moves after whom in an AEC game, as shares over everything play can reach."""

import numpy as np

from gametheory_core.arrays import ONE, ZERO, ExactArray, freeze
from gametheory_core.games.tabular_aec import TabularAEC


def turn_shares(game: TabularAEC) -> ExactArray:
    """Return how often each mover follows each mover, over the positions and actions of a table.

    Every action at every position counts once, chance's outcomes by their probability. Moves that
    end play are left out.

    Returns:
        (N + 1, N + 1): Entry ``[j + 1, k + 1]`` is the share of mover ``k`` among those who follow
        mover ``j``;
            chance is mover -1. A row sums to one, or is zero if play never goes on after ``j``.

    >>> from gametheory_core.catalog.turn_orders import RandomOrderTeam
    >>> from gametheory_core.conversions.tabular_aec import aec_to_tabular
    >>> str(turn_shares(aec_to_tabular(RandomOrderTeam()).target)[0, 1])
    '1/2'
    """
    counts = np.full((len(game.players) + 1,) * 2, ZERO, dtype=object)
    transitions, turns = game.transition_kernel, game.turn_kernel
    for row, mover in enumerate(game.row_mover.tolist()):
        entries = transitions.row(row)
        weights = transitions.weight[entries].tolist()
        followers = game.entry_turn_row[entries].tolist()
        for weight, turn_row in zip(weights, followers, strict=True):
            if turn_row >= 0:
                for follower, chance in turns.law(turn_row, int):
                    counts[mover + 1, follower + 1] += weight * chance
    totals = counts.sum(axis=1, keepdims=True)
    totals[totals == 0] = ONE
    return freeze(counts / totals)
