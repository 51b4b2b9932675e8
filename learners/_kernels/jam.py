"""Episodes of a mediated game in compiled code: leaders are picked, act, and everybody learns.

``M`` nodes of the mediator and ``K`` of the agents, ``N`` players, ``A`` actions, ``B`` outcomes.
Learners are numbered: the agents ``0 .. N - 1``, then ``N``, who picks: a mediator, or voters.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled

MEDIATOR, ORDER, LOTS, VOTES = 0, 1, 2, 3  # who picks leaders
MINIMUM, GINI, NASH = 0, 1, 2  # measures of fairness
EVERYBODY = -1  # learns
FIRST_DRAWS = 5  # outcome, pick or not, which leader, try or not, which action; then 2 a voter


class LedTable(NamedTuple):
    """A mediated game laid out by nodes, read-only.

    ``start`` (starts,) int64 and ``start_chance`` (starts,) float64, cumulative; ``child``
    (M, N, A, B) int64, -1 where play ends; ``chance`` (M, N, A, B) float64, cumulative; ``legal``
    (M, N, A) bool; ``rewards`` and ``transfers`` (M, N, A, N) float64; ``past`` (M, N) and
    ``present`` (M,) float64: fairness is that of ``past + present * value``; ``agent_node`` (M,)
    int64: where agents look.
    """

    start: NDArray[np.int64]
    start_chance: NDArray[np.float64]
    child: NDArray[np.int64]
    chance: NDArray[np.float64]
    legal: NDArray[np.bool_]
    rewards: NDArray[np.float64]
    transfers: NDArray[np.float64]
    past: NDArray[np.float64]
    present: NDArray[np.float64]
    agent_node: NDArray[np.int64]


class LedRules(NamedTuple):
    """How leaders are picked and what is learned, read-only.

    ``picker`` one of the constants above; ``order`` (any,) int64: who leads at step ``t`` if the
    order is fixed; ``measure`` a constant above, with its numbers ``weights`` (N,) float64;
    ``learning`` the learner that learns now, or ``EVERYBODY``; ``all_explore`` whether the others
    explore too.
    """

    picker: int
    order: NDArray[np.int64]
    measure: int
    weights: NDArray[np.float64]
    discount: float
    step_size: float
    learning: int
    all_explore: bool


class LedValues(NamedTuple):
    """What has been learned; float64, modified in place.

    ``agents`` (K, N, A): what an agent expects if it leads; ``mediator`` (M, N, N): what everybody
    is still to get, by leader; ``votes`` (M, N, N): what a voter expects, by candidate.
    """

    agents: NDArray[np.float64]
    mediator: NDArray[np.float64]
    votes: NDArray[np.float64]


class LedTotals(NamedTuple):
    """Sums over episodes, float64, modified in place.

    ``returns`` and ``transfers`` (N,); ``errors`` and ``updates`` (2,): absolute temporal
    differences and their number, of agents and of who picks; ``fairness`` and ``steps`` (1,).
    """

    returns: NDArray[np.float64]
    transfers: NDArray[np.float64]
    errors: NDArray[np.float64]
    updates: NDArray[np.float64]
    fairness: NDArray[np.float64]
    steps: NDArray[np.float64]


class Pending(NamedTuple):
    """What each agent has had since it last led, modified in place.

    ``node`` (where, -1 nowhere) and ``action`` (N,) int64; ``gathered`` and ``factor`` (N,)
    float64: what it was paid since, and how what follows is discounted.
    """

    node: NDArray[np.int64]
    action: NDArray[np.int64]
    gathered: NDArray[np.float64]
    factor: NDArray[np.float64]


@compiled
def play_led(
    table: LedTable,
    rules: LedRules,
    values: LedValues,
    totals: LedTotals,
    exploration: NDArray[np.float64],
    draws: NDArray[np.float64],
) -> None:
    """Play and learn one episode for each entry of ``exploration``.

    ``draws`` (episodes, steps + 1, FIRST_DRAWS + 2 N) holds uniform numbers; row 0 of an episode
    draws its first state. ``values`` and ``totals`` are modified in place.
    """
    players = table.past.shape[1]
    whole, kept = np.int64, np.float64
    pending = Pending(
        np.empty(players, whole), np.empty(players, whole),
        np.empty(players, kept), np.empty(players, kept),
    )  # fmt: skip
    returns = np.empty(players)
    scores = np.empty(players)
    ballots = np.empty(players, dtype=np.int64)
    for episode in range(draws.shape[0]):
        rate = exploration[episode]
        picking = _rate(rules, players, rate)
        pending.node[:] = -1
        returns[:] = 0.0
        node = table.start[_outcome(table.start_chance, draws[episode, 0, 0])]
        worth, step = 1.0, 0
        while node >= 0:
            numbers = draws[episode, step + 1]
            leader = _leader(table, rules, values, node, step, picking, numbers, scores, ballots)
            action = _act(table, rules, values, totals, pending, node, leader, rate, numbers)
            _pay(table, rules, totals, pending, node, leader, action, worth, returns)
            chances = table.chance[node, leader, action]
            child = table.child[node, leader, action, _outcome(chances, numbers[0])]
            if _learns(rules, players) and rules.picker == MEDIATOR:
                _learn_mediator(table, rules, values, totals, node, leader, action, child, scores)
            elif _learns(rules, players) and rules.picker == VOTES:
                _learn_votes(table, rules, values, totals, node, leader, action, child, ballots)
            worth *= rules.discount
            node = child
            step += 1
        for player in range(players):
            _learn(values.agents, rules, totals, pending, player, 0.0)
        for player in range(players):
            totals.returns[player] += returns[player]
        totals.steps[0] += step
        totals.fairness[0] += fairness_of(rules.measure, rules.weights, returns)


@compiled
def _act(
    table: LedTable,
    rules: LedRules,
    values: LedValues,
    totals: LedTotals,
    pending: Pending,
    node: int,
    leader: int,
    rate: float,
    numbers: NDArray[np.float64],
) -> int:
    """Let a leader learn from what it had since it last led, and return what it does."""
    own = int(table.agent_node[node])
    best = _best(values.agents, table.legal, node, own, leader)
    _learn(values.agents, rules, totals, pending, leader, values.agents[own, leader, best])
    pending.node[leader] = own
    pending.action[leader] = _tried(
        table, values.agents, node, own, leader, _rate(rules, leader, rate), numbers
    )
    pending.gathered[leader] = 0.0
    pending.factor[leader] = 1.0
    return pending.action[leader]


@compiled
def _pay(
    table: LedTable,
    rules: LedRules,
    totals: LedTotals,
    pending: Pending,
    node: int,
    leader: int,
    action: int,
    worth: float,
    returns: NDArray[np.float64],
) -> None:
    """Pay everybody for a step; modifies ``pending``, ``returns`` and ``totals``."""
    for player in range(len(returns)):
        paid = table.rewards[node, leader, action, player]
        moved = table.transfers[node, leader, action, player]
        returns[player] += worth * paid
        totals.transfers[player] += abs(moved)
        if pending.node[player] >= 0:
            pending.gathered[player] += pending.factor[player] * (paid + moved)
            pending.factor[player] *= rules.discount


@compiled
def fairness_of(measure: int, weights: NDArray[np.float64], vector: NDArray[np.float64]) -> float:
    """Return how fair a vector is; below disagreement, by Nash, what the worst off lacks."""
    if measure == GINI:
        return (np.sort(vector) * weights).sum()
    lowest, product = np.inf, 1.0
    for player in range(len(vector)):
        gain = vector[player] - (0.0 if measure == MINIMUM else weights[player])
        lowest = min(lowest, gain)
        product *= gain
    return lowest if measure == MINIMUM or lowest < 0.0 else product


@compiled
def fairest(
    table: LedTable, rules: LedRules, values: LedValues, node: int, vector: NDArray[np.float64]
) -> int:
    """Return whom the mediator picks at a node: the first of the fairest; writes ``vector``."""
    best, highest = 0, -np.inf
    for leader in range(len(vector)):
        for player in range(len(vector)):
            later = table.present[node] * values.mediator[node, leader, player]
            vector[player] = table.past[node, player] + later
        score = fairness_of(rules.measure, rules.weights, vector)
        if score > highest:
            best, highest = leader, score
    return best


@compiled
def _learns(rules: LedRules, learner: int) -> bool:
    return rules.learning in (EVERYBODY, learner)


@compiled
def _rate(rules: LedRules, learner: int, rate: float) -> float:
    return rate if rules.all_explore or _learns(rules, learner) else 0.0


@compiled
def _outcome(cumulative: NDArray[np.float64], number: float) -> int:
    for outcome in range(len(cumulative) - 1):
        if number < cumulative[outcome]:
            return outcome
    return len(cumulative) - 1


@compiled
def _leader(
    table: LedTable,
    rules: LedRules,
    values: LedValues,
    node: int,
    step: int,
    rate: float,
    numbers: NDArray[np.float64],
    scores: NDArray[np.float64],
    ballots: NDArray[np.int64],
) -> int:
    """Return who leads; writes ``scores`` or ``ballots``."""
    players = len(ballots)
    if rules.picker == ORDER:
        return rules.order[step % len(rules.order)]
    if rules.picker == MEDIATOR:
        if numbers[1] < rate:
            return int(numbers[2] * players)
        return fairest(table, rules, values, node, scores)
    if rules.picker == LOTS:
        return int(numbers[2] * players)
    scores[:] = 0.0
    for voter in range(players):
        tried = numbers[FIRST_DRAWS + 2 * voter] < rate
        drawn = int(numbers[FIRST_DRAWS + 2 * voter + 1] * players)
        ballots[voter] = drawn if tried else np.argmax(values.votes[node, voter])
        scores[ballots[voter]] += 1.0
    tied = np.flatnonzero(scores == scores.max())
    return int(tied[int(numbers[2] * len(tied))])


@compiled
def _tried(
    table: LedTable,
    agents: NDArray[np.float64],
    node: int,
    own: int,
    leader: int,
    rate: float,
    numbers: NDArray[np.float64],
) -> int:
    if numbers[3] >= rate:
        return _best(agents, table.legal, node, own, leader)
    legal = table.legal[node, leader]
    rest = int(numbers[4] * legal.sum())
    for action in range(len(legal)):
        if legal[action]:
            if rest == 0:
                return action
            rest -= 1
    return 0


@compiled
def _best(
    agents: NDArray[np.float64], legal: NDArray[np.bool_], node: int, own: int, leader: int
) -> int:
    """Return the first of a leader's best legal actions."""
    best = -1
    for action in range(legal.shape[2]):
        if legal[node, leader, action] and (
            best < 0 or agents[own, leader, action] > agents[own, leader, best]
        ):
            best = action
    return best


@compiled
def _learn(
    agents: NDArray[np.float64],
    rules: LedRules,
    totals: LedTotals,
    pending: Pending,
    agent: int,
    later: float,
) -> None:
    """Move what an agent expected when it led last toward what it had, and expects now."""
    if pending.node[agent] < 0 or not _learns(rules, agent):
        return
    where = pending.node[agent], agent, pending.action[agent]
    error = pending.gathered[agent] + pending.factor[agent] * later - agents[where]
    agents[where] += rules.step_size * error
    totals.errors[0] += abs(error)
    totals.updates[0] += 1.0


@compiled
def _learn_mediator(
    table: LedTable,
    rules: LedRules,
    values: LedValues,
    totals: LedTotals,
    node: int,
    leader: int,
    action: int,
    child: int,
    scores: NDArray[np.float64],
) -> None:
    later = fairest(table, rules, values, child, scores) if child >= 0 else 0
    for player in range(len(scores)):
        target = table.rewards[node, leader, action, player]
        if child >= 0:
            target += rules.discount * values.mediator[child, later, player]
        error = target - values.mediator[node, leader, player]
        values.mediator[node, leader, player] += rules.step_size * error
        totals.errors[1] += abs(error)
        totals.updates[1] += 1.0


@compiled
def _learn_votes(
    table: LedTable,
    rules: LedRules,
    values: LedValues,
    totals: LedTotals,
    node: int,
    leader: int,
    action: int,
    child: int,
    ballots: NDArray[np.int64],
) -> None:
    for voter in range(len(ballots)):
        target = table.rewards[node, leader, action, voter]
        if child >= 0:
            target += rules.discount * values.votes[child, voter].max()
        error = target - values.votes[node, voter, ballots[voter]]
        values.votes[node, voter, ballots[voter]] += rules.step_size * error
        totals.errors[1] += abs(error)
        totals.updates[1] += 1.0
