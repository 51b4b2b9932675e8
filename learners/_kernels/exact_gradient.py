"""The gradient of a player's expected return, memoryless policies held fixed, in compiled code.

Places are pairs of a state and a joint observation. The joint actions of place ``k`` are numbers
``joint_start[k] .. joint_start[k + 1]``, and what follows joint action ``j`` is numbers
``edge_start[j] .. edge_start[j + 1]``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled


class PlaceArrays(NamedTuple):
    """A game of places, read-only.

    ``first`` (K,) float64: how likely play starts at each place; ``observations`` (K, N) int64;
    ``joint_start`` (K + 1,) int64; ``joint_actions`` (J, N) int64; ``joint_rewards`` (J, N)
    float64, expected over what follows; ``edge_start`` (J + 1,) int64; ``edge_place`` (E,) int64;
    ``edge_chance`` (E,) float64, which sum to less than 1 where play may end.
    """

    first: NDArray[np.float64]
    observations: NDArray[np.int64]
    joint_start: NDArray[np.int64]
    joint_actions: NDArray[np.int64]
    joint_rewards: NDArray[np.float64]
    edge_start: NDArray[np.int64]
    edge_place: NDArray[np.int64]
    edge_chance: NDArray[np.float64]


@compiled
def partials(
    places: PlaceArrays,
    policies: NDArray[np.float64],
    player: int,
    horizon: int,
    discount: float,
    found: NDArray[np.float64],
) -> float:
    """Write the partial derivatives in a player's probabilities; return the expected return.

    ``policies`` (N, O, A); ``found`` (O, A) is modified in place. The sum over steps ``t`` and
    places ``k`` of the player's observation is of ``discount**t Pr(k at t) Q_t(k, action)``.
    """
    others = _others(places, policies, player)
    reach = _reach(places, policies[player], player, horizon, others)
    size = len(places.first)
    values, before = np.zeros(size), np.zeros(size)
    worth = np.empty(found.shape[1])
    found[:] = 0.0
    for step in range(horizon - 1, -1, -1):
        weight = discount**step
        for place in range(size):
            worth[:] = 0.0
            for joint in range(places.joint_start[place], places.joint_start[place + 1]):
                following = 0.0
                for edge in range(places.edge_start[joint], places.edge_start[joint + 1]):
                    following += places.edge_chance[edge] * values[places.edge_place[edge]]
                worth[places.joint_actions[joint, player]] += others[joint] * (
                    places.joint_rewards[joint, player] + discount * following
                )
            seen = places.observations[place, player]
            share = weight * reach[step, place]
            total = 0.0
            for action in range(len(worth)):
                total += policies[player, seen, action] * worth[action]
                found[seen, action] += share * worth[action]
            before[place] = total
        values, before = before, values
    expected = 0.0
    for place in range(size):
        expected += places.first[place] * values[place]
    return expected


@compiled
def _others(places: PlaceArrays, policies: NDArray[np.float64], player: int) -> NDArray[np.float64]:
    """Return how likely the others' part of each joint action is, where it can be chosen."""
    chances = np.ones(len(places.joint_actions))
    for place in range(len(places.first)):
        for joint in range(places.joint_start[place], places.joint_start[place + 1]):
            for other in range(policies.shape[0]):
                if other != player:
                    seen = places.observations[place, other]
                    chances[joint] *= policies[other, seen, places.joint_actions[joint, other]]
    return chances


@compiled
def _reach(
    places: PlaceArrays,
    own: NDArray[np.float64],
    player: int,
    horizon: int,
    others: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return how likely each place is at each step, shape (horizon, K)."""
    reach = np.zeros((horizon, len(places.first)))
    if horizon:
        reach[0] = places.first
    for step in range(1, horizon):
        for place in range(len(places.first)):
            before = reach[step - 1, place]
            if before == 0.0:
                continue
            seen = places.observations[place, player]
            for joint in range(places.joint_start[place], places.joint_start[place + 1]):
                moved = before * others[joint] * own[seen, places.joint_actions[joint, player]]
                for edge in range(places.edge_start[joint], places.edge_start[joint + 1]):
                    reach[step, places.edge_place[edge]] += moved * places.edge_chance[edge]
    return reach
