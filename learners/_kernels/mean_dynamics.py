"""A follower's mean dynamics in compiled code: she climbs the exact gradient of her return.

Letters as in ``arrays``: S states, O observations of the leader, A and B actions, Z situations of
the follower, h the horizon. Against a leader ``l`` her softmax policy ``p`` has values backward,

    q_t(s, b) = sum_a l(a | s) (r(s, a, b) + sum_s' w(s' | s, a, b) v_t+1(s')),   v_t = p . q_t,

states have chances forward, ``d_t+1(s') = sum d_t(s) l(a | s) p(b | s) w(s' | s, a, b)``, and the
gradient of her logits in situation ``z`` sums ``d_t(s) p(b) (q_t(s, b) - v_t(s))`` over the times
and states that look like ``z``.
"""

import numpy as np
from numpy.typing import NDArray

from learners._kernels.arrays import Floats, Ints, LedTables
from solvers._kernels.compile import compiled


@compiled
def climb(
    tables: LedTables,
    leaders: Floats,
    situations: Ints,
    legal: NDArray[np.bool_],
    logits: Floats,
    step_size: float,
    steps: int,
    earned: Floats,
) -> None:
    """Let a follower climb for so many steps against each leader.

    ``leaders`` (E, O, A); ``situations`` (h + 1, S); ``legal`` (Z, B); ``logits`` (E, Z, B),
    modified in place; ``earned`` (E, 2), modified in place: what both expect to return, the
    leader first, in the mean over the policies that she steps from.
    """
    horizon, states = tables.horizon, len(tables.seen)
    count_a, count_b = tables.rewards.shape[1], tables.rewards.shape[2]
    values = np.zeros((horizon + 1, states, 2))
    advantages = np.zeros((horizon, states, count_b))
    chances = np.zeros((horizon + 1, states))
    policy = np.zeros(legal.shape)
    gradient = np.zeros(legal.shape)
    for e in range(leaders.shape[0]):
        earned[e] = 0.0
        for _ in range(steps):
            _softmax(logits[e], legal, policy)
            for t in range(horizon - 1, -1, -1):  # backward: what is expected from here
                for s in range(states):
                    values[t, s] = 0.0
                    if tables.seen[s] < 0:
                        continue
                    z = situations[t, s]
                    for b in range(count_b):
                        own = 0.0
                        for a in range(count_a):
                            played = leaders[e, tables.seen[s], a]
                            if played <= 0 or not legal[z, b]:
                                continue
                            ahead = _expected(tables, values[t + 1], s, a, b)
                            led = tables.rewards[s, a, b, 0] + ahead[0]
                            followed = tables.rewards[s, a, b, 1] + ahead[1]
                            values[t, s, 0] += policy[z, b] * played * led
                            own += played * followed
                        values[t, s, 1] += policy[z, b] * own
                        advantages[t, s, b] = own
                    advantages[t, s] -= values[t, s, 1]
            chances[:] = 0.0
            before = 0.0
            for s in range(states):
                chances[0, s] = tables.first[s] - before
                before = tables.first[s]
                earned[e] += chances[0, s] * values[0, s]
            gradient[:] = 0.0
            for t in range(horizon):  # forward: how likely play is where
                for s in range(states):
                    if chances[t, s] <= 0 or tables.seen[s] < 0:
                        continue
                    z = situations[t, s]
                    gradient[z] += chances[t, s] * policy[z] * advantages[t, s]
                    for a in range(count_a):
                        for b in range(count_b):
                            chance = chances[t, s] * leaders[e, tables.seen[s], a] * policy[z, b]
                            if chance > 0:
                                _spread(tables, chances[t + 1], chance, s, a, b)
            logits[e] += step_size * gradient
        earned[e] /= steps


@compiled
def _softmax(logits: Floats, legal: NDArray[np.bool_], policy: Floats) -> None:
    """Write the softmax of each row of logits over its legal actions; ``policy`` is modified."""
    for z in range(logits.shape[0]):
        most = -np.inf
        for b in range(logits.shape[1]):
            if legal[z, b] and logits[z, b] > most:
                most = logits[z, b]
        total = 0.0
        for b in range(logits.shape[1]):
            policy[z, b] = np.exp(logits[z, b] - most) if legal[z, b] else 0.0
            total += policy[z, b]
        if total > 0:
            policy[z] /= total


@compiled
def _expected(
    tables: LedTables, following: Floats, state: int, a: int, b: int
) -> tuple[float, float]:
    """Return what both expect of the next state; ``following`` (S, 2)."""
    led = followed = before = 0.0
    for way in range(tables.moves.shape[3]):
        chance = tables.moves[state, a, b, way] - before
        before = tables.moves[state, a, b, way]
        if chance > 0:
            led += chance * following[tables.successor[state, a, b, way], 0]
            followed += chance * following[tables.successor[state, a, b, way], 1]
    return led, followed


@compiled
def _spread(
    tables: LedTables, following: Floats, chance: float, state: int, a: int, b: int
) -> None:
    """Add the chance of being somewhere to where play goes from there; ``following`` (S,)."""
    before = 0.0
    for way in range(tables.moves.shape[3]):
        share = tables.moves[state, a, b, way] - before
        before = tables.moves[state, a, b, way]
        if share > 0:
            following[tables.successor[state, a, b, way]] += chance * share
