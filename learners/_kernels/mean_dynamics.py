"""A follower's mean dynamics in compiled code: she climbs the exact gradient of her return.

Letters as in ``arrays``: S states, O observations of the leader, A and B actions, Z situations of
the follower, h the horizon. Against a leader ``l`` all that concerns her is what an action pays in
the mean and where it leads, with K = A times the entries of a lottery over states,

    r(s, b) = sum_a l(a | s) r(s, a, b),    w(s' | s, b) = sum_a l(a | s) w(s' | s, a, b).

Her softmax policy ``p`` has values backward, states have chances forward,

    q_t(s, b) = r(s, b) + sum_s' w(s' | s, b) v_t+1(s'),    v_t(s) = p . q_t,
    d_t+1(s') = sum_s,b d_t(s) p(b | s) w(s' | s, b),

and the gradient of her logits in situation ``z`` sums ``d_t(s) p(b) (q_t(s, b) - v_t(s))`` over the
times and states that look like ``z``.
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
    width, ways = tables.rewards.shape[2], tables.rewards.shape[1] * tables.moves.shape[3]
    paid = np.zeros((states, width, 2))
    entries = np.zeros((states, width), dtype=np.int64)
    following = np.zeros((states, width, ways), dtype=np.int64)
    weights = np.zeros((states, width, ways))
    chances, values = np.zeros((horizon + 1, states)), np.zeros((horizon + 1, states))
    advantages = np.zeros((horizon, states, width))
    policy, gradient = np.zeros(legal.shape), np.zeros(legal.shape)
    for e in range(leaders.shape[0]):
        _lead(tables, leaders[e], paid, entries, following, weights)
        earned[e] = 0.0
        for _ in range(steps):
            _softmax(logits[e], legal, policy)
            _go_forward(tables, situations, policy, entries, following, weights, chances)
            gradient[:] = 0.0
            for t in range(horizon - 1, -1, -1):  # backward: what is expected from here
                for s in range(states):
                    if chances[t, s] <= 0 or tables.seen[s] < 0:
                        continue
                    z = situations[t, s]
                    expected = 0.0
                    for b in range(width):
                        if policy[z, b] <= 0:
                            continue
                        own = paid[s, b, 1]
                        for k in range(entries[s, b]):
                            own += weights[s, b, k] * values[t + 1, following[s, b, k]]
                        advantages[t, s, b] = own
                        expected += policy[z, b] * own
                        chance = chances[t, s] * policy[z, b]
                        earned[e, 0] += chance * paid[s, b, 0]
                        earned[e, 1] += chance * paid[s, b, 1]
                    values[t, s] = expected
                    for b in range(width):
                        if policy[z, b] > 0:
                            gain = advantages[t, s, b] - expected
                            gradient[z, b] += chances[t, s] * policy[z, b] * gain
            logits[e] += step_size * gradient
        earned[e] /= steps


@compiled
def _lead(
    tables: LedTables, leader: Floats, paid: Floats, entries: Ints, following: Ints, weights: Floats
) -> None:
    """Write what each action of hers pays and where it leads against a leader (O, A).

    All modified: ``paid`` (S, B, 2); ``entries`` (S, B), how many of ``following`` and ``weights``
    (S, B, K) count, which are states and their chances.
    """
    for s in range(len(tables.seen)):
        for b in range(tables.rewards.shape[2]):
            paid[s, b] = 0.0
            entries[s, b] = 0
            for a in range(tables.rewards.shape[1]):
                played = leader[tables.seen[s], a] if tables.seen[s] >= 0 else 0.0
                if played <= 0:
                    continue
                paid[s, b] += played * tables.rewards[s, a, b]
                before = 0.0
                for way in range(tables.moves.shape[3]):
                    share = tables.moves[s, a, b, way] - before
                    before = tables.moves[s, a, b, way]
                    if share > 0:
                        following[s, b, entries[s, b]] = tables.successor[s, a, b, way]
                        weights[s, b, entries[s, b]] = played * share
                        entries[s, b] += 1


@compiled
def _go_forward(
    tables: LedTables,
    situations: Ints,
    policy: Floats,
    entries: Ints,
    following: Ints,
    weights: Floats,
    chances: Floats,
) -> None:
    """Write how likely play is where; ``chances`` (h + 1, S) is modified, the rest as above."""
    chances[:] = 0.0
    before = 0.0
    for s in range(len(tables.seen)):
        chances[0, s] = tables.first[s] - before
        before = tables.first[s]
    for t in range(tables.horizon):
        for s in range(len(tables.seen)):
            if chances[t, s] <= 0 or tables.seen[s] < 0:
                continue
            own = policy[situations[t, s]]
            for b in range(len(own)):
                chance = chances[t, s] * own[b]
                if chance > 0:
                    for k in range(entries[s, b]):
                        chances[t + 1, following[s, b, k]] += chance * weights[s, b, k]


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
