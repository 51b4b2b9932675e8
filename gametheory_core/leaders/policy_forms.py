"""Policies of leaders and followers in other forms: as short text, and as policies of the POSG.

A deterministic leader is written as one digit for each observation, such as 10101. As policies of
the POSG, leaders and followers are keyed by information state.
"""

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

from gametheory_core.arguments import require_instance
from gametheory_core.arrays import ZERO
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import InvalidStrategy, UnsupportedGame
from gametheory_core.games.information_states import InformationState, last_observation
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    FollowerPolicy,
    LeaderPolicy,
    MemoizedLeader,
    PlannedFollower,
    StationaryFollower,
    StochasticLeader,
    TimedFollower,
    check_follower_policy,
    check_leader_policy,
)
from gametheory_core.leaders.view import LeaderView
from gametheory_core.strategies.policies import Policy, policy_from, reactive

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
IDLE = "-"


def leader_to_text(view: LeaderView, policy: DeterministicLeader) -> str:
    """Write a policy as the numbers of its actions, in the order of the leader's observations.

    A digit is the number of the action among ``game.actions[leader]``, after 9 follow letters; a
    dash stands where the leader never acts.

    Raises:
        InvalidStrategy: If the policy does not fit.
        UnsupportedGame: If the leader has more than 36 actions.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.leaders.view import leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=10))
    >>> leader_to_text(view, DeterministicLeader((1, 0, 1, 0, 1)))
    '10101'
    """
    _require_few_actions(view, "leader_to_text")
    check_leader_policy(view, policy)
    return "".join(IDLE if action < 0 else DIGITS[action] for action in policy.actions)


def leader_from_text(view: LeaderView, text: str) -> DeterministicLeader:
    """Read a policy that ``leader_to_text`` wrote.

    Args:
        text: A digit or letter for each observation, a dash where the leader never acts.

    Raises:
        InvalidArgument: If it is no text.
        InvalidStrategy: If the text has another length, or an action that is not legal; names the
            observation.
        UnsupportedGame: If the leader has more than 36 actions.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.leaders.view import leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=10))
    >>> leader_from_text(view, "10101").actions
    (1, 0, 1, 0, 1)
    """
    require_instance(text, str, name="text", remedy='Put digits in quotes: "10".')
    _require_few_actions(view, "leader_from_text")
    seen = view.game.observations[view.leader]
    if len(text) != len(seen):
        raise InvalidStrategy(
            needs=f"one digit for each of {len(seen)} observations, {', '.join(map(repr, seen))}",
            found=f"got {text!r}",
        )
    actions: list[int] = []
    for o, digit in enumerate(text):
        legal = view.leader_actions(o)
        allowed = "".join(DIGITS[a] for a in legal) or IDLE
        if digit not in allowed:
            raise InvalidStrategy(
                needs=f"one of {', '.join(allowed)} for observation {seen[o]!r}",
                found=f"got {digit!r} in {text!r}",
            )
        actions.append(DIGITS.index(digit) if legal else -1)
    return DeterministicLeader(tuple(actions))


def _require_few_actions(view: LeaderView, owner: str) -> None:
    count = len(view.game.actions[view.leader])
    if count > len(DIGITS):
        raise UnsupportedGame(
            needs=f"at most {len(DIGITS)} actions",
            found=f"the leader has {count}",
            remedy="Write the policy by labels with leader_policy(view, ...).",
            where=owner,
        )


def to_policy(view: LeaderView, policy: LeaderPolicy | FollowerPolicy) -> Policy:
    """Return a leader's or a follower's policy as a policy of the POSG.

    A ``MemoizedLeader`` becomes the behavior in which the draw is the likelier the better it fits
    the own past. A ``TimedFollower`` becomes one that counts steps; what the follower sees must
    tell apart the states in which she acts differently.

    Args:
        policy: Any of those in ``strategies.leader_policies``.

    Raises:
        InvalidStrategy: If the policy does not fit.
        UnsupportedGame: If a ``TimedFollower`` needs more than the follower sees, with the states;
            or if it is a ``PlannedFollower``, who knows what no player sees.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.leaders.view import leader_view
    >>> view = leader_view(RepeatedGame.of("chicken"))
    >>> to_policy(view, DeterministicLeader((1, -1, -1, -1, -1)))[((),)].items
    (('straight', Fraction(1, 1)),)
    """
    if isinstance(policy, DeterministicLeader | StochasticLeader | MemoizedLeader):
        check_leader_policy(view, policy)
        if isinstance(policy, MemoizedLeader):
            return _memoized(view, policy)
        actions = policy.actions if isinstance(policy, DeterministicLeader) else policy.lotteries
        return _reactive(view, view.leader, actions)
    check_follower_policy(view, policy)
    if isinstance(policy, PlannedFollower):
        raise UnsupportedGame(
            needs="a policy that depends on what the follower sees",
            found="a PlannedFollower also knows the leader's plan",
            remedy="Take one of its policies.",
        )
    if isinstance(policy, StationaryFollower):
        return _reactive(view, view.follower, policy.actions)
    return _timed(view, policy)


def _law(labels: tuple[Hashable, ...], choice: int | tuple[Fraction, ...]) -> Distribution[Any]:
    if isinstance(choice, int):
        return point_mass(labels[choice])
    return Distribution(tuple((a, w) for a, w in zip(labels, choice, strict=True) if w))


def _reactive(view: LeaderView, player: int, choices: tuple[Any, ...]) -> Policy:
    seen, labels = view.game.observations[player], view.game.actions[player]
    acts = [choice not in (-1, ()) for choice in choices]
    rows = zip(seen, choices, acts, strict=True)
    return reactive({o: _law(labels, choice) for o, choice, act in rows if act})


def _memoized(view: LeaderView, policy: MemoizedLeader) -> Policy:
    labels = view.game.actions[view.leader]
    number = {o: k for k, o in enumerate(view.game.observations[view.leader])}

    def act(known: InformationState) -> Distribution[Any]:
        """Draw among the plans that would have done what was done; of none, the first plan."""
        done = list(zip(known[0:-1:2], known[1::2], strict=True))
        now = number[last_observation(known)]
        weights: dict[Hashable, Fraction] = {}
        for plan, weight in zip(policy.plans, policy.weights, strict=True):
            if all(labels[plan.actions[number[o]]] == a for o, a in done):
                action = labels[plan.actions[now]]
                weights[action] = weights.get(action, ZERO) + weight
        if not weights:
            return point_mass(labels[policy.plans[0].actions[now]])
        total = sum(weights.values(), ZERO)
        return Distribution(tuple((a, w / total) for a, w in weights.items()))

    return policy_from(act)


def _timed(view: LeaderView, policy: TimedFollower) -> Policy:
    seen = view.follower_observation
    labels, observations = (
        view.game.actions[view.follower],
        view.game.observations[view.follower],
    )
    table: list[dict[Hashable, Hashable]] = []
    for step, actions in enumerate(policy.actions):
        states = view.reachable(step).nonzero()[0].tolist()
        first: dict[int, int] = {}
        for state in states:
            known = first.setdefault(int(seen[state]), state)
            if actions[known] != actions[state]:
                raise UnsupportedGame(
                    needs="a follower who sees the states apart in which she acts differently",
                    found=f"at step {step} she sees {observations[seen[state]]!r} in both "
                    f"{view.game.states[known]!r} and {view.game.states[state]!r}",
                    remedy="Show her the state, or take FollowerClass.STATIONARY.",
                )
        table.append({observations[o]: labels[actions[state]] for o, state in first.items()})

    def act(known: InformationState) -> Distribution[Any]:
        return point_mass(table[len(known) // 2][last_observation(known)])

    return policy_from(act)
