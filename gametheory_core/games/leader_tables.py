"""Leader views as dense integer arrays, for dynamic programs over many leaders at once."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gametheory_core.arrays import IntArray, exact_array, freeze, scaled_integers
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.kernels import spread
from gametheory_core.games.tabular_posg import TabularPOSG

MAX_CELLS = 10_000_000  # 28 bytes each at most
SAFE_BITS = 62


@dataclass(frozen=True, eq=False)
class LeaderTables:
    """Integers over common denominators, indexed [state, leader action, follower action].

    With ``S`` states, ``A`` and ``B`` actions, and ``K`` the largest number of next states; where
    nobody acts, or an action is illegal, rewards and weights are zero. Integer arrays are int64
    where all entries fit, else of Python integers.

    Attributes:
        rewards (S, A, B, 2): Expected over the next state, the leader's first; divide by
            ``reward_denominator``.
        successor (S, A, B, K): Next states; rows with fewer than ``K`` end in state 0 with weight
            0.
        weight (S, A, B, K): Probabilities; divide by ``weight_denominator``.
        leader_legal (S, A)
        follower_legal (S, B): All False where nobody acts.
        initial_weight (S,): Divide by ``initial_denominator``.
    """

    rewards: Any
    successor: IntArray
    weight: Any
    leader_legal: Any
    follower_legal: Any
    initial_weight: Any
    reward_denominator: int
    weight_denominator: int
    initial_denominator: int


def leader_tables(game: TabularPOSG, leader: int, acting: Any) -> LeaderTables:
    """Lay out a two-player table for one leader; ``acting`` tells where somebody acts.

    Raises:
        UnsupportedGame: If the arrays would have more than ``MAX_CELLS`` entries.
    """
    follower = 1 - leader
    kernel = game.transition_kernel
    shape = (len(game.states), len(game.actions[leader]), len(game.actions[follower]))
    most = max(2, int(kernel.sizes.max(initial=1)))
    if (cells := shape[0] * shape[1] * shape[2] * most) > MAX_CELLS:
        raise UnsupportedGame(
            f"LeaderView.tables: needs at most {MAX_CELLS:,} cells of state, joint action, legal "
            f"or not, and next state, but {game!r} has {cells:,}, for {len(game.row_key):,} legal "
            "joint actions in all states. Number the legal actions of each state from 0 on, so "
            "that states share them, or use LeaderView.step."
        )
    state = game.row_state
    joint = game.row_key % game.num_joint_actions
    actions = [joint // game.strides[i] % len(game.actions[i]) for i in (leader, follower)]
    cell = (state, *actions)
    which, position = spread(kernel.sizes)
    weight = scaled_integers(kernel.weight)
    paid = game.reward_vectors[game.entry_reward][:, [leader, follower]] * kernel.weight[:, None]
    expected = np.zeros((len(state), 2), dtype=object)
    np.add.at(expected, which, paid)
    rewards = scaled_integers(exact_array(expected))
    weight_kind, reward_kind = (_kind(own.numerators) for own in (weight, rewards))
    successor = np.zeros((*shape, most), dtype=np.int32)
    weights = np.zeros((*shape, most), dtype=weight_kind)
    each = tuple(index[which] for index in cell)
    successor[(*each, position)] = kernel.outcome
    weights[(*each, position)] = weight.numerators
    table = np.zeros((*shape, 2), dtype=reward_kind)
    table[cell] = rewards.numerators
    legal = [np.zeros((shape[0], size), dtype=bool) for size in shape[1:]]
    for own, action in zip(legal, actions, strict=True):
        own[state, action] = True
        own[~acting] = False
    table[~acting], weights[~acting] = 0, 0
    first = scaled_integers(game.initial_kernel.weight)
    start = np.zeros(shape[0], dtype=_kind(first.numerators))
    start[game.initial_kernel.outcome] = first.numerators
    return LeaderTables(
        rewards=freeze(table),
        successor=freeze(successor),
        weight=freeze(weights),
        leader_legal=freeze(legal[0]),
        follower_legal=freeze(legal[1]),
        initial_weight=freeze(start),
        reward_denominator=rewards.denominator,
        weight_denominator=weight.denominator,
        initial_denominator=first.denominator,
    )


def _kind(integers: Any) -> type:
    """Return int64 if all entries have at most 62 bits, else object, for Python integers."""
    most = max((abs(x) for x in integers.ravel().tolist()), default=0)
    return np.int64 if most.bit_length() <= SAFE_BITS else object
