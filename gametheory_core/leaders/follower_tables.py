"""Tables of two players out of a table of several: followers as one, or one of them alone."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from gametheory_core.games.table_content import permuted_rows
from gametheory_core.games.tables import TabularPOSG


def merged_table(
    game: TabularPOSG, leader: int, followers: tuple[int, ...], paid: tuple[int, ...]
) -> TabularPOSG:
    """Return the table of two players: the leader, and one who acts for all followers.

    Args:
        paid: Whose rewards she gets.
    """
    counts = [len(game.actions[i]) for i in followers]
    joint = game.row_key % game.num_joint_actions
    own = [joint // game.strides[i] % len(game.actions[i]) for i in (leader, *followers)]
    code, width = own[0], int(np.prod(counts))
    for actions, count in zip(own[1:], counts, strict=True):
        code = code * count + actions
    seen, which = np.unique(game.signals[:, followers], axis=0, return_inverse=True)
    observed = tuple(
        tuple(game.observations[i][o] for i, o in zip(followers, row, strict=True))
        for row in seen.tolist()
    )
    legal = tuple(
        tuple(
            int(np.ravel_multi_index(joint, counts))
            for joint in product(*(game.legal[i][o] for i, o in zip(followers, row, strict=True)))
        )
        for row in seen.tolist()
    )
    key = game.row_state.astype(np.int64) * (len(game.actions[leader]) * width) + code
    order = np.argsort(key, kind="stable")
    kernel, entry = permuted_rows(game.transition_kernel, order)
    vectors = game.reward_vectors
    return replace(
        game,
        players=(game.players[leader], " and ".join(game.players[i] for i in followers)),
        actions=(game.actions[leader], tuple(product(*(game.actions[i] for i in followers)))),
        observations=(game.observations[leader], observed),
        legal=(game.legal[leader], legal),
        signals=np.stack([game.signals[:, leader], which.reshape(-1)], axis=1),
        row_key=key[order],
        transition_kernel=kernel,
        entry_reward=game.entry_reward[entry],
        entry_signal_row=game.entry_signal_row[entry],
        reward_vectors=np.stack([vectors[:, leader], vectors[:, list(paid)].sum(axis=1)], axis=1),
    )


def remaining_table(game: TabularPOSG, players: tuple[int, int], rows: Any) -> TabularPOSG:
    """Return the table of two players that some rows leave, without states that are not reached."""
    first, second = players
    joint = game.row_key[rows] % game.num_joint_actions
    own = [joint // game.strides[i] % len(game.actions[i]) for i in players]
    counts = [len(game.actions[i]) for i in players]
    kernel, entry = permuted_rows(game.transition_kernel, rows)
    is_met = _reached(game, rows, kernel)
    number = np.cumsum(is_met) - 1
    is_kept = is_met[game.row_state[rows]]
    key = number[game.row_state[rows]] * (counts[0] * counts[1]) + own[0] * counts[1] + own[1]
    order = np.argsort(np.where(is_kept, key, np.iinfo(np.int64).max), kind="stable")
    order = order[: int(is_kept.sum())]
    kernel, entry = permuted_rows(game.transition_kernel, rows[order])
    return replace(
        game,
        players=(game.players[first], game.players[second]),
        states=tuple(label for label, met in zip(game.states, is_met.tolist(), strict=True) if met),
        actions=(game.actions[first], game.actions[second]),
        observations=(game.observations[first], game.observations[second]),
        legal=(game.legal[first], game.legal[second]),
        signals=game.signals[:, players],
        terminal=game.terminal[is_met],
        initial_kernel=replace(game.initial_kernel, outcome=number[game.initial_kernel.outcome]),
        initial_signal_row=game.initial_signal_row[is_met],
        row_key=key[order],
        transition_kernel=replace(kernel, outcome=number[kernel.outcome]),
        entry_reward=game.entry_reward[entry],
        entry_signal_row=game.entry_signal_row[entry],
        reward_vectors=game.reward_vectors[:, players],
    )


def _reached(game: TabularPOSG, rows: Any, kernel: Any) -> Any:
    """Tell which states some rows lead to from the first ones, shape (S,)."""
    is_met = np.zeros(len(game.states), dtype=np.bool_)
    is_met[game.initial_kernel.outcome] = True
    source = np.repeat(game.row_state[rows], kernel.sizes)
    while True:
        fresh = kernel.outcome[is_met[source]]
        if is_met[fresh].all():
            return is_met
        is_met[fresh] = True
