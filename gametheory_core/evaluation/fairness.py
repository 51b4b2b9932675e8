"""Fairness: what a vector of returns, one for each player, is worth to a mediator.

Three measures are known. The *minimum* looks at who has least. The *generalized Gini* measure
weighs the returns in ascending order by weights that do not increase, so that more for the worse
off counts more. The *Nash* measure multiplies what the players have above a point of disagreement.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, cast

from gametheory_core.arguments import as_tuple, require_instance, require_member
from gametheory_core.arrays import ONE, ZERO, rational_text, to_fraction
from gametheory_core.errors import InvalidArgument


class FairnessKind(Enum):
    """Measures of fairness."""

    MINIMUM = "minimum"
    GINI = "Gini"
    NASH = "Nash"


@dataclass(frozen=True)
class Fairness:
    """A measure of fairness, with its numbers.

    Attributes:
        weights: Of the Gini measure, for the lowest return first: they do not increase, are not
            negative, and sum to 1. Empty for the other kinds.
        disagreement: Of the Nash measure: what each player has if nothing is agreed; the product is
            of what is above it. Empty for the other kinds, and for zero to everybody.

    Raises:
        InvalidArgument: If a number does not fit the kind; names it.

    >>> Fairness(FairnessKind.GINI, weights=(Fraction(2, 3), Fraction(1, 3))).kind.value
    'Gini'
    """

    kind: FairnessKind
    weights: tuple[Fraction, ...] = ()
    disagreement: tuple[Fraction, ...] = ()

    def __post_init__(self) -> None:
        require_member(self.kind, FairnessKind, function="Fairness", name="kind")
        for name, kind in (("weights", FairnessKind.GINI), ("disagreement", FairnessKind.NASH)):
            given = as_tuple(getattr(self, name), function="Fairness", name=name)
            if given and self.kind is not kind:
                raise InvalidArgument(
                    f"Fairness: needs {name} for {kind} only, but they are given for {self.kind}. "
                    "Leave them out."
                )
            exact = tuple(to_fraction(number, where=f"Fairness: {name}") for number in given)
            object.__setattr__(self, name, exact)
        if self.kind is FairnessKind.GINI:
            _check_weights(self.weights)


MINIMUM = Fairness(FairnessKind.MINIMUM)


def _check_weights(weights: tuple[Fraction, ...]) -> None:
    remedy = "Give one for each player, the largest for the lowest return."
    if not weights or weights[-1] < 0 or sum(weights, ZERO) != ONE:
        raise InvalidArgument(
            "Fairness: needs Gini weights of at least 0 that sum to 1, but they are "
            f"({', '.join(map(rational_text, weights))}), with sum "
            f"{rational_text(sum(weights, ZERO))}. {remedy}"
        )
    for k in range(1, len(weights)):
        if weights[k] > weights[k - 1]:
            raise InvalidArgument(
                f"Fairness: needs Gini weights that do not increase, but weight {k + 1} is "
                f"{rational_text(weights[k])} after {rational_text(weights[k - 1])}. {remedy}"
            )


def fairness_value(fairness: Fairness, returns: Sequence[Fraction]) -> Fraction:
    """Return the fairness of returns, exactly.

    Args:
        returns: One for each player, at least one; integers are read as such, floats are refused.

    Raises:
        InvalidArgument: If there are no returns, or not as many as weights or disagreement payoffs;
            if the measure is Nash and somebody has less than at disagreement: a product of two
            losses is positive, so (-2, -3) would beat (1, 1). The message names the player by
            position.

    Source: :cite:`weymark1981generalized`, for the Gini measure; :cite:`nash1950bargaining`, for
        the product.

    >>> fairness_value(MINIMUM, (Fraction(5), Fraction(1)))
    Fraction(1, 1)
    >>> gini = Fairness(FairnessKind.GINI, weights=(Fraction(2, 3), Fraction(1, 3)))
    >>> fairness_value(gini, (Fraction(5), Fraction(1)))
    Fraction(7, 3)
    >>> fairness_value(Fairness(FairnessKind.NASH), (Fraction(5), Fraction(1)))
    Fraction(5, 1)
    """
    require_instance(fairness, Fairness, function="fairness_value", name="fairness")
    exact = _exact_returns(returns)
    if fairness.kind is FairnessKind.MINIMUM:
        return min(exact)
    if fairness.kind is FairnessKind.GINI:
        check_fairness(fairness, len(exact))
        return sum(
            (w * u for w, u in zip(fairness.weights, sorted(exact), strict=True)), start=ZERO
        )
    return _nash(fairness, exact)


def check_fairness(fairness: Fairness, num_players: int) -> None:
    """Refuse a measure with numbers for another number of players.

    Raises:
        InvalidArgument: Names the numbers and how many there are.

    >>> check_fairness(MINIMUM, 7)
    >>> check_fairness(Fairness(FairnessKind.GINI, weights=("2/3", "1/3")), 2)
    """
    require_instance(fairness, Fairness, function="check_fairness", name="fairness")
    for name in ("weights", "disagreement"):
        given = getattr(fairness, name)
        if given and len(given) != num_players:
            raise InvalidArgument(
                f"Fairness: needs {name} for each of {num_players} players, but has "
                f"{len(given)} ({', '.join(map(str, given))})."
            )


def _nash(fairness: Fairness, returns: tuple[Fraction, ...]) -> Fraction:
    check_fairness(fairness, len(returns))
    least = fairness.disagreement or (ZERO,) * len(returns)
    gains = [u - d for u, d in zip(returns, least, strict=True)]
    for i, gain in enumerate(gains):
        if gain < 0:
            raise InvalidArgument(
                "fairness_value: needs returns of at least what is had at disagreement for the "
                f"Nash measure, but player {i + 1} has {returns[i]}, below {least[i]}. Give a "
                "lower disagreement point, Fairness(FairnessKind.NASH, disagreement=(...)), or "
                "another measure."
            )
    return math.prod(gains, start=ONE)


def _exact_returns(returns: Any) -> tuple[Fraction, ...]:
    given = as_tuple(returns, function="fairness_value", name="returns")
    if not given:
        raise InvalidArgument("fairness_value: needs at least one return, but got none.")
    for u in given:
        if type(u) not in (int, Fraction):
            raise InvalidArgument(
                f"fairness_value: needs returns that are Fractions or integers, but got {u!r} "
                f"(type {type(u).__name__}). Read floats exactly with Fraction(...)."
            )
    return tuple(map(Fraction, cast("tuple[Fraction, ...]", given)))
