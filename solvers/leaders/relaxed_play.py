"""Where relaxed play against a stationary follower chooses: only splits there lower a bound."""

from typing import Any

import numpy as np

from solvers.leaders.relaxed_leaders import (
    OPEN,
    SearchProblem,
    ahead,
    allowed_actions,
    witness_returns,
)


def reached_openly(problem: SearchProblem, pattern: Any, witnesses: Any) -> list[int]:
    """Return the open observations at which relaxed play chooses, for a stationary follower.

    Only a choice at one of them can lower the bound of the pattern: where the bound is attained,
    or where the best witness is held down to her least return.
    """
    found: set[int] = set()
    may, answers = (part[0] for part in allowed_actions(problem, pattern[None]))
    pairs = may[:, :, None] & answers[:, None, :]
    rewards = [problem.own + x * problem.other for x in problem.multipliers]
    chosen = [_relaxed_choices(problem, reward, pairs) for reward in rewards]
    place = 0
    if len(witnesses):
        least, _ = witness_returns(problem, may[None], witnesses)
        best = witnesses[int(least[0].argmax())]
        tops = np.array([top for top, _ in chosen])
        place = int((tops - problem.multipliers * least.max()).argmin())
        own = np.zeros_like(answers)
        own[np.arange(len(own)), np.maximum(best[problem.view.follower_observation], 0)] = True
        held = _relaxed_choices(problem, -problem.other, may[:, :, None] & own[:, None, :])
        found |= _met(problem, pattern[: problem.num_leader], held[1])
    found |= _met(problem, pattern, chosen[place][1])
    return sorted(found)


def _relaxed_choices(problem: SearchProblem, reward: Any, pairs: Any) -> tuple[float, list[Any]]:
    """Return the largest relaxed value, and the pair chosen in each state, first step first."""
    acting = pairs.any(axis=(-1, -2))
    value = np.zeros(len(acting))
    choices: list[Any] = []
    for _ in range(problem.view.horizon):
        each = np.where(pairs, reward + ahead(problem, value), -np.inf).reshape(len(acting), -1)
        choices.append(each.argmax(axis=1))
        value = np.where(acting, each.max(axis=1), 0)
    return float(value @ problem.start), choices[::-1]


def _met(problem: SearchProblem, pattern: Any, choices: list[Any]) -> set[int]:
    """Return the open observations of a pattern, or of its start, that play comes by."""
    view, count = problem.view, problem.num_leader
    found: set[int] = set()
    now = problem.start > 0
    for choice in choices:
        states = np.flatnonzero(now & (view.leader_observation >= 0))
        seen = np.concatenate(
            [view.leader_observation[states], count + view.follower_observation[states]]
        )
        found |= {int(o) for o in seen if o < len(pattern) and pattern[o] == OPEN}
        pair = np.unravel_index(choice[states], problem.own.shape[1:])
        place = (states, *pair)
        now = np.zeros_like(now)
        now[problem.successor[place][problem.weight[place] > 0]] = True
    return found


def relaxed_response(favored: SearchProblem, pattern: Any) -> tuple[Any, list[int]]:
    """Play on where the follower may choose anew at every step, and well.

    Returns:
        Her action at each observation that this play reaches, -1 elsewhere; and the open
        observations that it reaches, in order.
    """
    view, count = favored.view, favored.num_leader
    a = np.maximum(pattern[:count][view.leader_observation], 0)
    states = np.arange(view.num_states)
    following, weight = favored.successor[states, a], favored.weight[states, a]  # (S, B, next)
    rewards = np.stack([favored.other[states, a], favored.own[states, a]], axis=-1)
    own = pattern[count:][view.follower_observation][:, None]
    legal = view.tables.follower_legal
    may = legal & ((own == OPEN) | (own == np.arange(legal.shape[1])))
    acting = may.any(axis=-1)
    values = np.zeros((view.num_states, 2))
    choices: list[Any] = []
    for _ in range(view.horizon):
        each = rewards + (values[following] * weight[..., None]).sum(axis=2)
        first = np.where(may, each[..., 0], -np.inf)
        good = first >= first.max(axis=1, keepdims=True) - favored.tolerance
        choice = np.where(good & may, each[..., 1], -np.inf).argmax(axis=1)
        choices.append(choice)
        values = np.where(acting[:, None], each[states, choice], 0)
    policy = pattern[count:].copy()
    reached: list[int] = []
    now = favored.start > 0
    for choice in reversed(choices):
        after = np.zeros_like(now)
        for s in np.flatnonzero(now & acting).tolist():
            o = int(view.follower_observation[s])
            if policy[o] == OPEN:
                policy[o] = choice[s]
                reached.append(count + o)
            after[following[s, choice[s]][weight[s, choice[s]] > 0]] = True
        now = after
    return policy, reached
