"""Learners of values in compiled code: how they draw actions, and how tables follow what came.

Updates are made in the order of the episodes, each on the table as those before left it: several
episodes that meet one cell in one step act as if they had met it one after the other.

Distributions over actions are rows of ``lotteries`` (E, A) float64, written from ``values`` (E, A)
float64, one row of a table for each episode, and ``legal`` (E, A) bool; rows without a legal action
become zero.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled


class MoveArrays(NamedTuple):
    """At most one transition an episode, from an own turn to the next; read-only.

    Attributes:
        is_made (E,): Whether the episode has one; the other entries are ignored elsewhere.
        observation, action (E,): What was seen and done.
        reward (E,): What was received up to the next own turn, discounted to the time of the
            action.
        factor (E,): The discount on what comes after.
        next_observation (E,): What is seen then; below 0 where nothing is.
        bootstraps (E,): Whether what comes after counts.
    """

    is_made: NDArray[np.bool_]
    observation: NDArray[np.int64]
    action: NDArray[np.int64]
    reward: NDArray[np.float64]
    factor: NDArray[np.float64]
    next_observation: NDArray[np.int64]
    bootstraps: NDArray[np.bool_]


@compiled
def best_action(values: NDArray[np.float64], legal: NDArray[np.bool_]) -> int:
    """Return the first legal action of largest value among ``values`` (A,); -1 if none is legal."""
    best = -1
    for action in range(len(values)):
        if legal[action] and (best < 0 or values[action] > values[best]):
            best = action
    return best


@compiled
def step_size(rate: float, power: float, visits: int) -> float:
    """Return ``rate / visits**power``."""
    return rate if power == 0.0 else rate / visits**power


@compiled
def correct(
    values: NDArray[np.float64],
    visits: NDArray[np.int64],
    observation: int,
    action: int,
    target: float,
    rate: float,
    power: float,
) -> float:
    """Move a cell of ``values`` (O, A) towards a target; return how far it was.

    ``values`` and ``visits`` (O, A) are modified in place.
    """
    visits[observation, action] += 1
    error = target - values[observation, action]
    values[observation, action] += step_size(rate, power, visits[observation, action]) * error
    return abs(error)


@compiled
def learn_greedily(
    values: NDArray[np.float64],
    visits: NDArray[np.int64],
    legal: NDArray[np.bool_],
    moves: MoveArrays,
    rate: float,
    power: float,
) -> float:
    """Update a table by each move, in order; return the sum of absolute errors.

    ``values`` and ``visits`` (O, A) are modified in place; ``legal`` (O, A) is read.
    """
    total = 0.0
    for episode in range(len(moves.is_made)):
        if not moves.is_made[episode]:
            continue
        ahead = 0.0
        after = moves.next_observation[episode]
        if moves.bootstraps[episode] and after >= 0:
            best = best_action(values[after], legal[after])
            ahead = values[after, best] if best >= 0 else 0.0
        target = moves.reward[episode] + moves.factor[episode] * ahead
        observation, action = moves.observation[episode], moves.action[episode]
        total += correct(values, visits, observation, action, target, rate, power)
    return total


@compiled
def learn_expected(
    values: NDArray[np.float64],
    visits: NDArray[np.int64],
    lotteries: NDArray[np.float64],
    moves: MoveArrays,
    rate: float,
    power: float,
) -> float:
    """Update a table by each move, in order; return the sum of absolute errors.

    ``values`` and ``visits`` (O, A) are modified in place; ``lotteries`` (E, A) are over actions
    after ``moves.next_observation``, sure ones for SARSA.
    """
    total = 0.0
    for episode in range(len(moves.is_made)):
        if not moves.is_made[episode]:
            continue
        ahead = 0.0
        after = moves.next_observation[episode]
        if moves.bootstraps[episode] and after >= 0:
            for following in range(values.shape[1]):
                if lotteries[episode, following] > 0.0:
                    ahead += lotteries[episode, following] * values[after, following]
        target = moves.reward[episode] + moves.factor[episode] * ahead
        observation, action = moves.observation[episode], moves.action[episode]
        total += correct(values, visits, observation, action, target, rate, power)
    return total


@compiled
def learn_doubly(
    values: NDArray[np.float64],
    visits: NDArray[np.int64],
    legal: NDArray[np.bool_],
    coins: NDArray[np.int64],
    moves: MoveArrays,
    rate: float,
    power: float,
) -> float:
    """Update one of two tables by each move, in order; return the sum of absolute errors.

    ``values`` and ``visits`` (2, O, A) are modified in place; ``coins`` (E,) of 0 and 1 say which
    table; ``legal`` (O, A) is read.
    """
    total = 0.0
    for episode in range(len(moves.is_made)):
        if not moves.is_made[episode]:
            continue
        own = coins[episode]
        ahead = 0.0
        after = moves.next_observation[episode]
        if moves.bootstraps[episode] and after >= 0:
            best = best_action(values[own, after], legal[after])
            ahead = values[1 - own, after, best] if best >= 0 else 0.0
        target = moves.reward[episode] + moves.factor[episode] * ahead
        observation, action = moves.observation[episode], moves.action[episode]
        total += correct(values[own], visits[own], observation, action, target, rate, power)
    return total


class EpisodeArrays(NamedTuple):
    """The own moves of episodes so far, in order; read-only.

    ``lengths`` (E,) int64, number of moves; ``observations``, ``actions`` (E, T) int64; ``rewards``
    (E, T) float64, what was received up to the next own move, and ``factors`` (E, T) float64, the
    discount on what comes after.
    """

    lengths: NDArray[np.int64]
    observations: NDArray[np.int64]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float64]
    factors: NDArray[np.float64]


@compiled
def learn_returns(
    values: NDArray[np.float64],
    visits: NDArray[np.int64],
    first: NDArray[np.int64],
    episodes: EpisodeArrays,
    is_over: NDArray[np.bool_],
    only_first: bool,  # noqa: FBT001 numba takes positions
    rate: float,
    power: float,
) -> tuple[float, int]:
    """Update a table by each finished episode, in order, from its last move to its first.

    ``values`` and ``visits`` (O, A) are modified in place; ``first`` (O, A) is working memory, -1
    before and after. If ``only_first``, the first visit of each cell in an episode counts alone.
    Returns the sum of absolute errors and the number of updates.
    """
    total = 0.0
    updates = 0
    for episode in range(len(is_over)):
        if not is_over[episode]:
            continue
        length = episodes.lengths[episode]
        for t in range(length):
            seen, action = episodes.observations[episode, t], episodes.actions[episode, t]
            if first[seen, action] < 0:
                first[seen, action] = t
        paid = 0.0
        for t in range(length - 1, -1, -1):
            seen, action = episodes.observations[episode, t], episodes.actions[episode, t]
            paid = episodes.rewards[episode, t] + episodes.factors[episode, t] * paid
            is_first = first[seen, action] == t
            if is_first or not only_first:
                total += correct(values, visits, seen, action, paid, rate, power)
                updates += 1
            if is_first:
                first[seen, action] = -1
    return total, updates


class ClimbArrays(NamedTuple):
    """What a hill climber holds; all modified in place.

    ``values``, ``policy`` and ``average`` (O, A) float64; ``visits`` (O, A) int64, updates of each
    value; ``counts`` (O,) int64, updates of each policy row.
    """

    values: NDArray[np.float64]
    policy: NDArray[np.float64]
    average: NDArray[np.float64]
    visits: NDArray[np.int64]
    counts: NDArray[np.int64]


@compiled
def climb(
    held: ClimbArrays,
    legal: NDArray[np.bool_],
    moves: MoveArrays,
    rate: float,
    power: float,
    winning: float,
    losing: float,
) -> tuple[float, int]:
    """Update values, averages and policies by each move, in order.

    ``held`` is modified in place; ``legal`` (O, A) is read. Returns the sum of absolute errors,
    and at how many moves the player was winning.
    """
    total = 0.0
    wins = 0
    for episode in range(len(moves.is_made)):
        if not moves.is_made[episode]:
            continue
        ahead = 0.0
        after = moves.next_observation[episode]
        if moves.bootstraps[episode] and after >= 0:
            best = best_action(held.values[after], legal[after])
            ahead = held.values[after, best] if best >= 0 else 0.0
        target = moves.reward[episode] + moves.factor[episode] * ahead
        seen, action = moves.observation[episode], moves.action[episode]
        total += correct(held.values, held.visits, seen, action, target, rate, power)
        wins += _climb_row(held, legal[seen], seen, winning, losing)
    return total, wins


@compiled
def _climb_row(
    held: ClimbArrays, legal: NDArray[np.bool_], seen: int, winning: float, losing: float
) -> int:
    """Move a row of the policy towards its best action; return 1 if the player was winning."""
    held.counts[seen] += 1
    now = 0.0
    usual = 0.0
    choices = 0
    for action in range(len(legal)):
        if not legal[action]:
            continue
        choices += 1
        behind = held.policy[seen, action] - held.average[seen, action]
        held.average[seen, action] += behind / held.counts[seen]
        now += held.policy[seen, action] * held.values[seen, action]
        usual += held.average[seen, action] * held.values[seen, action]
    is_winning = now > usual
    if choices > 1:
        step = (winning if is_winning else losing) / (choices - 1)
        best = best_action(held.values[seen], legal)
        for action in range(len(legal)):
            if legal[action] and action != best:
                moved = min(held.policy[seen, action], step)
                held.policy[seen, action] -= moved
                held.policy[seen, best] += moved
    return 1 if is_winning else 0


@compiled
def mostly_greedy(
    values: NDArray[np.float64],
    legal: NDArray[np.bool_],
    epsilon: float,
    lotteries: NDArray[np.float64],
) -> None:
    """With chance ``epsilon`` any legal action, else the first best; modifies ``lotteries``."""
    for episode in range(len(values)):
        best = best_action(values[episode], legal[episode])
        share = epsilon / max(1, legal[episode].sum())
        for action in range(values.shape[1]):
            lotteries[episode, action] = share if legal[episode, action] else 0.0
        if best >= 0:
            lotteries[episode, best] += 1.0 - epsilon


@compiled
def softmax(
    values: NDArray[np.float64],
    legal: NDArray[np.bool_],
    temperature: float,
    lotteries: NDArray[np.float64],
) -> None:
    """Weigh legal actions by ``exp(value / temperature)``; modifies ``lotteries``."""
    for episode in range(len(values)):
        best = best_action(values[episode], legal[episode])
        total = 0.0
        for action in range(values.shape[1]):
            weight = 0.0
            if legal[episode, action]:
                weight = np.exp((values[episode, action] - values[episode, best]) / temperature)
            lotteries[episode, action] = weight
            total += weight
        if best >= 0:
            for action in range(values.shape[1]):
                lotteries[episode, action] /= total


@compiled
def draw(
    lotteries: NDArray[np.float64], numbers: NDArray[np.float64], actions: NDArray[np.int64]
) -> None:
    """Draw an action an episode, the first whose cumulative probability exceeds ``numbers`` (E,).

    ``actions`` (E,) is modified in place; 0 where a lottery is all zero.
    """
    for episode in range(len(lotteries)):
        total = 0.0
        chosen = 0
        for action in range(lotteries.shape[1]):
            if lotteries[episode, action] > 0.0:
                total += lotteries[episode, action]
                chosen = action
                if numbers[episode] < total:
                    break
        actions[episode] = chosen


@compiled
def noisy_policies(
    values: NDArray[np.float64],
    legal: NDArray[np.bool_],
    chance: float,
    numbers: NDArray[np.float64],
    policies: NDArray[np.int64],
) -> None:
    """Draw pure policies around the greedy one of ``values`` (O, A), ``legal`` (O, A).

    At each observation, with probability ``chance``, one of the other legal actions, all equally
    likely, takes the place of the first best. ``numbers`` (E, O) are uniform; ``policies`` (E, O)
    is modified in place.
    """
    for seen in range(len(values)):
        best = best_action(values[seen], legal[seen])
        others = legal[seen].sum() - 1
        for episode in range(len(policies)):
            policies[episode, seen] = max(0, best)
            number = numbers[episode, seen]
            if others < 1 or number >= chance:
                continue
            left = min(others - 1, int(number / chance * others))
            for action in range(values.shape[1]):
                if legal[seen, action] and action != best:
                    if left == 0:
                        policies[episode, seen] = action
                        break
                    left -= 1
