"""Entries of a leader's or follower's policy, checked one by one; each refusal names its place."""

from fractions import Fraction
from typing import Any, cast

from gametheory_core.arguments import shown
from gametheory_core.arrays import ONE, ZERO, is_integer, is_rational
from gametheory_core.errors import InvalidStrategy


def check_actions(actions: object, choices: list[tuple[int, ...]], owner: str, place: str) -> None:
    """Refuse anything but a tuple of one legal action for each place, -1 where nobody acts."""
    if type(actions) is not tuple or len(cast("tuple[object, ...]", actions)) != len(choices):
        raise InvalidStrategy(
            f"{owner}: needs a tuple of {len(choices)} actions, one for each {place}, but has "
            f"{shown(actions)}."
        )
    for k, (action, legal) in enumerate(
        zip(cast("tuple[object, ...]", actions), choices, strict=True)
    ):
        if not is_integer(action) or action not in (legal or (-1,)):
            raise InvalidStrategy(
                f"{owner}: needs one of the actions {list(legal or (-1,))} at {place} {k}, but "
                f"has {action!r}. Actions are numbers; -1 stands where nobody acts."
            )


def check_lotteries(lotteries: object, choices: list[tuple[int, ...]], count: int) -> None:
    """Refuse anything but a tuple of exact lotteries over ``count`` actions."""
    owner = "StochasticLeader"
    if type(lotteries) is not tuple or len(cast("tuple[object, ...]", lotteries)) != len(choices):
        raise InvalidStrategy(
            f"{owner}: needs a tuple of {len(choices)} lotteries, one for each observation, but "
            f"has {shown(lotteries)}."
        )
    for k, (lottery, legal) in enumerate(
        zip(cast("tuple[object, ...]", lotteries), choices, strict=True)
    ):
        if type(lottery) is not tuple or not all(map(is_rational, cast("Any", lottery))):
            raise InvalidStrategy(
                f"{owner}: needs tuples of Fractions, but has {shown(lottery)} at observation {k}. "
                "Write weights as Fraction(1, 2), or lotteries by label: "
                "leader_policy(view, {observation: evenly([action, ...]), ...})."
            )
        weights = cast("tuple[Fraction, ...]", lottery)
        used = [a for a, weight in enumerate(weights) if weight]
        if not legal and weights:
            raise InvalidStrategy(
                f"{owner}: needs an empty tuple at observation {k}, after which the leader never "
                f"acts, but has {[str(w) for w in weights]}."
            )
        fits = len(weights) == count and set(used) <= set(legal) and min(weights) >= 0
        if legal and not (fits and sum(weights, ZERO) == ONE):
            raise InvalidStrategy(
                f"{owner}: needs {count} weights of at least 0, positive only on the legal actions "
                f"{list(legal)}, that sum to exactly 1, but has {[str(w) for w in weights]} at "
                f"observation {k}."
            )
