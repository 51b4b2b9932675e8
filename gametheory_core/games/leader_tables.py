"""Leader views as dense integer arrays, for dynamic programs over many leaders at once."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gametheory_core.arrays import IntArray, exact_array, freeze, scaled_integers
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.kernels import spread
from gametheory_core.games.tabular_posg import TabularPOSG

MAX_CELLS = 50_000_000
SAFE_BITS = 62


@dataclass(frozen=True, eq=False)
class LeaderTables:
    """Integers over common denominators, indexed [state, leader action, follower action].

    With ``S`` states, ``A`` and ``B`` actions, and ``K`` the largest number of next states; where
    nobody acts, or an action is illegal, rewards and weights are zero. Integer arrays are int64
    where all entries fit, else of Python integers.

    Attributes
    ----------
    rewards : integer array (S, A, B, 2)
        Expected over the next state, the leader's first; divide by ``reward_denominator``.
    successor : int32 array (S, A, B, K)
        Next states; rows with fewer than ``K`` end in state 0 with weight 0.
    weight : integer array (S, A, B, K)
        Probabilities; divide by ``weight_denominator``.
    leader_legal : bool array (S, A)
    follower_legal : bool array (S, B)
        All False where nobody acts.
    initial_weight : integer array (S,)
        Divide by ``initial_denominator``.
    reward_denominator, weight_denominator, initial_denominator : int
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

    Raises
    ------
    UnsupportedGame
        If the arrays would have more than ``MAX_CELLS`` entries.
    """
    follower = 1 - leader
    kernel = game.transition_kernel
    shape = (len(game.states), len(game.actions[leader]), len(game.actions[follower]))
    most = max(2, int(kernel.sizes.max(initial=1)))
    if (cells := shape[0] * shape[1] * shape[2] * most) > MAX_CELLS:
        raise UnsupportedGame(
            f"LeaderView.tables: needs at most {MAX_CELLS:,} cells of state, joint action and next "
            f"state, but {game!r} has {cells:,}. Use LeaderView.step, or fewer actions."
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
    successor = np.zeros((*shape, most), dtype=np.int32)
    weights = np.zeros((*shape, most), dtype=object)
    each = tuple(index[which] for index in cell)
    successor[(*each, position)] = kernel.outcome
    weights[(*each, position)] = weight.numerators
    table = np.zeros((*shape, 2), dtype=object)
    table[cell] = rewards.numerators
    legal = [np.zeros((shape[0], size), dtype=bool) for size in shape[1:]]
    for own, action in zip(legal, actions, strict=True):
        own[state, action] = True
        own[~acting] = False
    table[~acting], weights[~acting] = 0, 0
    first = scaled_integers(game.initial_kernel.weight)
    start = np.zeros(shape[0], dtype=object)
    start[game.initial_kernel.outcome] = first.numerators
    return LeaderTables(
        rewards=compact(table),
        successor=freeze(successor),
        weight=compact(weights),
        leader_legal=freeze(legal[0]),
        follower_legal=freeze(legal[1]),
        initial_weight=compact(start),
        reward_denominator=rewards.denominator,
        weight_denominator=weight.denominator,
        initial_denominator=first.denominator,
    )


def compact(integers: Any) -> Any:
    """Return an array of Python integers, read-only, as int64 if all entries have at most 62 bits.

    Examples
    --------
    >>> compact(np.array([1, 2], dtype=object)).dtype, compact(np.array([2**70])).dtype
    (dtype('int64'), dtype('O'))
    """
    flat = integers.ravel().tolist()
    fits = max((abs(x) for x in flat), default=0).bit_length() <= SAFE_BITS
    return freeze(integers.astype(np.int64) if fits else integers)
