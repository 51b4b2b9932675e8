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
    """Refuse anything but a tuple of exact lotteries over ``count`` actions."""
    if type(lotteries) is not tuple or len(cast("tuple[object, ...]", lotteries)) != len(choices):
        raise InvalidStrategy(
            needs=f"a tuple of {len(choices)} lotteries, one for each observation",
            found=f"has {shown(lotteries)}",
        )
    for k, (lottery, legal) in enumerate(
        zip(cast("tuple[object, ...]", lotteries), choices, strict=True)
    ):
        if type(lottery) is not tuple or not all(map(is_rational, cast("Any", lottery))):
            raise InvalidStrategy(
                needs="tuples of Fractions",
                found=f"has {shown(lottery)} at observation {k}",
                remedy="Write weights as Fraction(1, 2), or lotteries by label: "
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
