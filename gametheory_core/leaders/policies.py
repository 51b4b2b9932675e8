"""Policies of a leader who commits and of a follower who knows it, as plain tuples.

A leader chooses by its own observation alone: one action (``DeterministicLeader``), a fresh draw at
every use (``StochasticLeader``), or a deterministic policy drawn once an episode
(``MemoizedLeader``). A follower chooses by time and state (``TimedFollower``) or by its own
observation alone (``StationaryFollower``).
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, TypeAlias, cast

from gametheory_core.arguments import require_instance, shown
from gametheory_core.arrays import ONE, ZERO, is_integer, is_rational
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidStrategy, refusing_as
from gametheory_core.leaders.view import LeaderView


def check_actions(actions: object, choices: list[tuple[int, ...]], place: str) -> None:
    """Refuse anything but a tuple of one legal action for each place, -1 where nobody acts."""
    if type(actions) is not tuple or len(cast("tuple[object, ...]", actions)) != len(choices):
        raise InvalidStrategy(
            needs=f"a tuple of {len(choices)} actions, one for each {place}",
            found=f"has {shown(actions)}",
        )
    for k, (action, legal) in enumerate(
        zip(cast("tuple[object, ...]", actions), choices, strict=True)
    ):
        if not is_integer(action) or action not in (legal or (-1,)):
            raise InvalidStrategy(
                needs=f"one of the actions {list(legal or (-1,))} at {place} {k}",
                found=f"has {action!r}",
                remedy="Actions are numbers; -1 stands where nobody acts.",
            )


def check_lotteries(lotteries: object, choices: list[tuple[int, ...]], count: int) -> None:
    """Refuse anything but a tuple of exact distributions over ``count`` actions."""
    if type(lotteries) is not tuple or len(cast("tuple[object, ...]", lotteries)) != len(choices):
        raise InvalidStrategy(
            needs=f"a tuple of {len(choices)} mixed actions, one for each observation",
            found=f"has {shown(lotteries)}",
        )
    for k, (lottery, legal) in enumerate(
        zip(cast("tuple[object, ...]", lotteries), choices, strict=True)
    ):
        if type(lottery) is not tuple or not all(map(is_rational, cast("Any", lottery))):
            raise InvalidStrategy(
                needs="tuples of Fractions",
                found=f"has {shown(lottery)} at observation {k}",
                remedy="Write weights as Fraction(1, 2), or mixed actions by label: "
                "leader_policy(view, "
                "{observation: uniform([action, ...]), ...}).",
            )
        weights = cast("tuple[Fraction, ...]", lottery)
        used = [a for a, weight in enumerate(weights) if weight]
        if not legal and weights:
            raise InvalidStrategy(
                needs=f"an empty tuple at observation {k}, after which the leader never acts",
                found=f"has {[str(w) for w in weights]}",
            )
        fits = len(weights) == count and set(used) <= set(legal) and min(weights) >= 0
        if legal and not (fits and sum(weights, ZERO) == ONE):
            raise InvalidStrategy(
                needs=f"{count} weights of at least 0, positive only on the legal actions "
                f"{list(legal)}, that sum to exactly 1",
                found=f"has {[str(w) for w in weights]} at observation {k}",
            )


@dataclass(frozen=True)
class DeterministicLeader:
    """One action for each observation.

    Attributes:
        actions: In the order of ``game.observations[leader]``; -1 where the leader never acts.
    """

    actions: tuple[int, ...]


@dataclass(frozen=True)
class StochasticLeader:
    """A distribution over actions for each observation, drawn afresh at every use.

    Attributes:
        lotteries: In the order of ``game.observations[leader]``, over all of
            ``game.actions[leader]``, zero where illegal; an empty tuple where the leader never
            acts.
    """

    lotteries: tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class MemoizedLeader:
    """Deterministic policies of which one is drawn before play and held to its end.

    Attributes:
        plans: Different ones.
        weights: Positive; they sum to one.
    """

    plans: tuple[DeterministicLeader, ...]
    weights: tuple[Fraction, ...]


@dataclass(frozen=True)
class TimedFollower:
    """An action for each time and state.

    Attributes:
        actions: By step, then by state; -1 where nobody acts.
    """

    actions: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class StationaryFollower:
    """One action for each of the follower's observations, at all times.

    Attributes:
        actions: In the order of ``game.observations[follower]``; -1 where the follower never acts.
    """

    actions: tuple[int, ...]


@dataclass(frozen=True)
class PlannedFollower:
    """A policy for each plan of a leader who draws one before play, and shows which.

    Attributes:
        policies: In the order of the leader's plans.
    """

    policies: tuple[TimedFollower | StationaryFollower, ...]


LeaderPolicy: TypeAlias = DeterministicLeader | StochasticLeader | MemoizedLeader
SimpleFollower: TypeAlias = TimedFollower | StationaryFollower
FollowerPolicy: TypeAlias = TimedFollower | StationaryFollower | PlannedFollower


def num_leader_policies(view: LeaderView) -> int:
    """Return the number of deterministic leader policies.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> num_leader_policies(leader_view(RepeatedGame.of("chicken", rounds=10)))
    32
    """
    return prod(len(own) for own in _choices(view) if own)


def leader_policies(view: LeaderView) -> Iterator[DeterministicLeader]:
    """Yield all deterministic leader policies, one by one, the last observation changing fastest.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("chicken", rounds=2))
    >>> next(leader_policies(view))
    DeterministicLeader(actions=(0, 0, 0, 0, 0))
    """
    return map(DeterministicLeader, product(*(own or (-1,) for own in _choices(view))))


def _choices(view: LeaderView) -> list[tuple[int, ...]]:
    observations = view.game.observations[view.leader]
    return [view.leader_actions(o) for o in range(len(observations))]


def leader_policy(
    view: LeaderView, choices: Mapping[Any, Any]
) -> DeterministicLeader | StochasticLeader:
    """Write a leader's policy by labels.

    Args:
        choices: Observation -> action, or ``Distribution`` over actions, wherever the leader acts.

    Returns:
        Stochastic if any mixed action is given.

    Raises:
        InvalidArgument: If choices are no mapping.
        InvalidStrategy: If an observation is missing or unknown, or an action is not legal there.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("chicken"))
    >>> leader_policy(view, {(): "straight"})
    DeterministicLeader(actions=(1, -1, -1, -1, -1))
    """
    require_instance(choices, Mapping, name="choices", remedy="Give {observation: action, ...}.")
    game, leader = view.game, view.leader
    acting = dict(zip(game.observations[leader], _choices(view), strict=True))
    for label in choices:
        if not acting.get(label):
            raise InvalidStrategy(
                needs=f"observations at which player {game.players[leader]!r} acts",
                found=f"not {label!r}",
                remedy=f"They are {', '.join(repr(o) for o in acting if acting[o])}.",
            )
    lotteries: list[tuple[Fraction, ...]] = []
    for label, legal in acting.items():
        if legal and label not in choices:
            raise InvalidStrategy(
                needs=f"an action of player {game.players[leader]!r} after each observation",
                found=f"{label!r} has none",
                remedy="Add it.",
            )
        lotteries.append(_lottery(view, label, choices[label], legal) if legal else ())
    if any(isinstance(choice, Distribution) for choice in choices.values()):
        return StochasticLeader(tuple(lotteries))
    return DeterministicLeader(tuple(own.index(ONE) if own else -1 for own in lotteries))


def _lottery(
    view: LeaderView, label: Hashable, choice: Any, legal: tuple[int, ...]
) -> tuple[Fraction, ...]:
    labels = view.game.actions[view.leader]
    if isinstance(choice, Mapping):
        raise InvalidStrategy(
            needs=f"an action or Distribution after {label!r}",
            found=f"got the mapping {shown(choice)}",
            remedy="Give distribution({action: weight, ...}) with weights such as '1/2' or "
            "Fraction(1, 2), or uniform([action, ...]).",
        )
    law = choice if isinstance(choice, Distribution) else ((choice, ONE),)
    weights = [ZERO] * len(labels)
    for action, weight in cast("Distribution[Any]", law):
        if action not in labels or labels.index(action) not in legal:
            raise InvalidStrategy(
                needs=f"legal actions {[labels[a] for a in legal]} after {label!r}",
                found=f"got {action!r}",
            )
        weights[labels.index(action)] = weight
    return tuple(weights)


def check_leader_policy(view: LeaderView, policy: LeaderPolicy) -> None:
    """Refuse what is no policy of this leader.

    Raises:
        InvalidStrategy: Names the observation and what is wrong there.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("chicken", rounds=2))
    >>> check_leader_policy(view, DeterministicLeader((1, 0, 1, 0, 1)))
    """
    if isinstance(policy, DeterministicLeader):
        check_actions(policy.actions, _choices(view), "observation")
    elif isinstance(policy, StochasticLeader):
        count = len(view.game.actions[view.leader])
        check_lotteries(policy.lotteries, _choices(view), count)
    elif isinstance(policy, MemoizedLeader):  # pyright: ignore[reportUnnecessaryIsInstance]
        _check_memoized(view, policy)
    else:
        raise InvalidStrategy(
            needs="a DeterministicLeader, StochasticLeader or MemoizedLeader",
            found=f"got {shown(policy)}",
            remedy="Write one with leader_policy(view, ...).",
        )


def check_follower_policy(view: LeaderView, policy: FollowerPolicy) -> None:
    """Refuse what is no policy of this follower.

    Raises:
        InvalidStrategy: Names the step, state or observation and what is wrong there.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("chicken", rounds=2))
    >>> check_follower_policy(view, StationaryFollower((0, 0, 0, 1, 1)))
    """
    seen = view.game.observations[view.follower]
    if isinstance(policy, StationaryFollower):
        choices = [view.follower_actions(o) for o in range(len(seen))]
        check_actions(policy.actions, choices, "observation")
    elif isinstance(policy, TimedFollower):
        by_state = [
            view.follower_actions(o) if o >= 0 else () for o in view.follower_observation.tolist()
        ]
        if type(policy.actions) is not tuple or len(policy.actions) != view.horizon:
            raise InvalidStrategy(
                needs=f"actions for each of {view.horizon} steps",
                found=f"has {shown(policy.actions)}",
            )
        for step, actions in enumerate(policy.actions):
            with refusing_as(f"TimedFollower at step {step}"):
                check_actions(actions, by_state, "state")
    elif isinstance(policy, PlannedFollower):  # pyright: ignore[reportUnnecessaryIsInstance]
        for own in policy.policies:
            if isinstance(own, PlannedFollower):
                raise InvalidStrategy(
                    needs="policies that are timed or stationary",
                    found="one is planned itself",
                    remedy="Give one policy for each of the leader's plans.",
                )
            check_follower_policy(view, own)
    else:
        raise InvalidStrategy(
            needs="a TimedFollower, StationaryFollower or PlannedFollower",
            found=f"got {shown(policy)}",
            remedy="Call follower_response(view, leader_policy).",
        )


def _check_memoized(view: LeaderView, policy: MemoizedLeader) -> None:
    plans, weights = policy.plans, policy.weights
    if type(plans) is not tuple or type(weights) is not tuple or len(plans) != len(weights):
        raise InvalidStrategy(
            needs="tuples of plans and weights of one length",
            found=f"has {shown(plans)} and {shown(weights)}",
        )
    for plan in plans:
        if not isinstance(plan, DeterministicLeader):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidStrategy(needs=f"plans of type DeterministicLeader, not {shown(plan)}")
        check_leader_policy(view, plan)
    if len(set(plans)) != len(plans):
        raise InvalidStrategy(
            needs="different plans", found="one is there twice", remedy="Merge them."
        )
    if not all(map(is_rational, weights)) or min(weights, default=ZERO) <= 0 or sum(weights) != 1:
        raise InvalidStrategy(
            needs="positive Fractions as weights that sum to exactly 1",
            found=f"has {list(map(str, weights))}",
        )


@dataclass(frozen=True)
class LeaderCommitment:
    """A deterministic leader and the follower's response.

    Attributes:
        leader_policy: Known to the follower before play.
        follower_policy: What she answers.
    """

    leader_policy: DeterministicLeader
    follower_policy: TimedFollower | StationaryFollower
