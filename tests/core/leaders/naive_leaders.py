"""Leaders and followers by recursion over plays in Fractions, from the labels' rules alone."""

from fractions import Fraction
from itertools import product
from math import prod

from gametheory_core import leaders


def naive_returns(view, leader, follower):
    """Return what two policies pay, the leader first, asking the rules by label."""
    game = view.game
    total = [Fraction(0), Fraction(0)]
    for state, weight in game.initial():
        paid = _from(view, leader, follower, 0, state, first=True)
        total = [a + weight * b for a, b in zip(total, paid, strict=True)]
    return tuple(total)


def _from(view, leader, follower, step, state, *, seen=None, first=False):
    game = view.game
    if step == view.horizon or game.is_terminal(state):
        return (Fraction(0), Fraction(0))
    if first:
        ((seen, _),) = game.initial_observation(state)
    total = [Fraction(0), Fraction(0)]
    for own, weight in _leader_law(view, leader, seen[view.leader]):
        joint = [None, None]
        joint[view.leader] = own
        joint[view.follower] = _follower_action(view, follower, step, state, seen[view.follower])
        joint = tuple(joint)
        for after, odds in game.transition(state, joint):
            reward = game.reward(state, joint, after)
            shown = None
            if not game.is_terminal(after):
                ((shown, _),) = game.observation(joint, after)
            later = _from(view, leader, follower, step + 1, after, seen=shown)
            for k, player in enumerate((view.leader, view.follower)):
                total[k] += weight * odds * (reward[player] + game.discount * later[k])
    return tuple(total)


def _leader_law(view, leader, seen):
    o = view.game.observations[view.leader].index(seen)
    labels = view.game.actions[view.leader]
    if isinstance(leader, leaders.DeterministicLeader):
        return [(labels[leader.actions[o]], Fraction(1))]
    assert isinstance(leader, leaders.StochasticLeader)
    return [(a, w) for a, w in zip(labels, leader.lotteries[o], strict=True) if w]


def _follower_action(view, follower, step, state, seen):
    labels = view.game.actions[view.follower]
    if isinstance(follower, leaders.TimedFollower):
        return labels[follower.actions[step][view.game.states.index(state)]]
    return labels[follower.actions[view.game.observations[view.follower].index(seen)]]


def timed_policies(view, *, most):
    """Return all time-aware follower policies, or None if there are more than ``most``."""
    own = [
        view.follower_actions(o) if o >= 0 else (-1,) for o in view.follower_observation.tolist()
    ]
    if prod(map(len, own)) ** view.horizon > most:
        return None
    at_once = list(product(*own))
    return [leaders.TimedFollower(plan) for plan in product(at_once, repeat=view.horizon)]


def stationary_policies(view):
    """Return all stationary follower policies."""
    seen = view.game.observations[view.follower]
    own = [view.follower_actions(o) or (-1,) for o in range(len(seen))]
    return [leaders.StationaryFollower(plan) for plan in product(*own)]
