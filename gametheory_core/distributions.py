"""Exact distributions, and draws from them: finitely many outcomes, rational weights of sum one.

Draws from exact distributions with integers only: no sample is off by rounding.

An outcome is the inverse of the cumulative numerators, over one common denominator, at a uniform
integer. No weight becomes a float, so a weight of 1/3 is drawn with probability 1/3.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Generic, TypeVar, cast

import numpy as np

from gametheory_core.arguments import described
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.errors import InvalidGame
from gametheory_core.probabilities import exact_weights

Outcome = TypeVar("Outcome", bound=Hashable)
Image = TypeVar("Image", bound=Hashable)


@dataclass(frozen=True)
class Distribution(Generic[Outcome]):
    """A probability distribution over finitely many outcomes.

    Attributes:
        items: Outcomes are different; weights are positive and sum to one.
    """

    items: tuple[tuple[Outcome, Fraction], ...]

    def __post_init__(self) -> None:
        if any(type(w) is not Fraction for _, w in self.items):
            self._make_exact()
        if len(self.items) == 1 and self.items[0][1] == 1:
            return  # most distributions of rules are degenerate, and there are many of them
        if any(w <= 0 for _, w in self.items) or sum(w for _, w in self.items) != 1:
            self._refuse_weights()
        if len(self.items) > 1 and len({x for x, _ in self.items}) != len(self.items):
            raise InvalidGame(
                needs="different outcomes",
                found="one is listed twice",
                remedy="Use distribution(...), which adds the weights of equal outcomes.",
            )

    def _make_exact(self) -> None:
        for outcome, weight in cast("tuple[tuple[Any, object], ...]", self.items):
            if isinstance(weight, bool) or not isinstance(weight, int | Fraction):
                raise InvalidGame(
                    needs="weights that are Fractions",
                    found=f"{outcome!r} has {weight!r} (type {type(weight).__name__})",
                    remedy="Use distribution(...), which reads numbers exactly, or uniform(...) "
                    "and point_mass(...).",
                )
        object.__setattr__(self, "items", tuple((x, Fraction(w)) for x, w in self.items))

    def _refuse_weights(self) -> None:
        exact_weights([x for x, _ in self.items], [w for _, w in self.items], owner="Distribution")
        zero = next(x for x, w in self.items if not w)
        raise InvalidGame(
            needs="positive weights",
            found=f"{zero!r} has 0",
            remedy="Use distribution(...), which drops outcomes of weight zero.",
        )

    def __getitem__(self, outcome: Outcome) -> Fraction:
        """Return the weight of an outcome, zero if it is not in the support."""
        return next((weight for x, weight in self.items if x == outcome), ZERO)

    def __iter__(self) -> Iterator[tuple[Outcome, Fraction]]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


def distribution(weights: Mapping[Outcome, object]) -> Distribution[Outcome]:
    """Build an exact distribution, dropping outcomes of weight zero.

    Floats that miss a sum of one only by rounding are divided by their exact sum.

    Raises:
        InvalidGame: If a weight is negative or no number, or they do not sum to one: exactly, or
            floats to within their rounding.

    >>> distribution({"heads": "1/3", "tails": "2/3"})["tails"]
    Fraction(2, 3)
    """
    exact = exact_weights(weights, weights.values(), owner="distribution")
    return Distribution(tuple((x, w) for x, w in zip(weights, exact, strict=True) if w))


def point_mass(outcome: Outcome) -> Distribution[Outcome]:
    """Return the degenerate distribution, on one outcome.

    >>> point_mass("rain").items
    (('rain', Fraction(1, 1)),)
    """
    return Distribution(((outcome, ONE),))


def times(weight: Fraction, share: Fraction) -> Fraction:
    """Return the product; most shares of rules are the ``ONE`` of a point mass."""
    return weight if share is ONE else weight * share


def uniform(outcomes: Iterable[Outcome]) -> Distribution[Outcome]:
    """Return the uniform distribution over the outcomes listed; repetitions add up.

    Raises:
        InvalidGame: If there are none, or one is not hashable.

    >>> uniform("aab")["a"]
    Fraction(2, 3)
    """
    listed = tuple(outcomes)
    try:
        counts = Counter(listed)
    except TypeError:
        for outcome in listed:
            require_hashable(outcome)
        raise
    return Distribution(tuple((x, Fraction(n, len(listed))) for x, n in counts.items()))


def product(parts: Sequence[Distribution[Any]]) -> Distribution[tuple[Any, ...]]:
    """Return the product distribution, over tuples.

    >>> product([uniform("HT"), point_mass("x")]).items
    ((('H', 'x'), Fraction(1, 2)), (('T', 'x'), Fraction(1, 2)))
    """
    joint: list[tuple[tuple[Any, ...], Fraction]] = [((), ONE)]
    for part in parts:
        joint = [((*x, y), w * v) for x, w in joint for y, v in part]
    return Distribution(tuple(joint))


def push_forward(
    law: Distribution[Outcome], function: Callable[[Outcome], Image]
) -> Distribution[Image]:
    """Return the distribution of ``function(outcome)``.

    Args:
        function: Of an outcome; weights of equal images add up.

    >>> die = distribution({n: "1/6" for n in range(1, 7)})
    >>> str(push_forward(die, lambda n: n % 2)[0])
    '1/2'
    """
    weights: dict[Image, Fraction] = {}
    for outcome, weight in law:
        image = function(outcome)
        weights[image] = weights.get(image, ZERO) + weight
    return Distribution(tuple(weights.items()))


def require_hashable(outcome: object, where: object = None) -> None:
    """Refuse what no law can be over."""
    try:
        hash(outcome)
    except TypeError:
        raise InvalidGame(
            needs="hashable labels",
            found=f"one is {described(outcome)}",
            remedy="Use tuples instead of lists, and frozen dataclasses.",
            where=where,
        ) from None


_LARGEST_BOUND = 2**63  # what Generator.integers takes


def draw(law: Distribution[Outcome], rng: np.random.Generator) -> Outcome:
    """Draw one outcome; a sure one takes nothing from ``rng``.

    >>> from numpy.random import default_rng
    >>> draw(point_mass("rain"), default_rng(0))
    'rain'
    """
    if len(law) == 1:
        return law.items[0][0]
    denominator = lcm(*(weight.denominator for _, weight in law))
    rest = integer_below(denominator, rng)
    for outcome, weight in law.items[:-1]:
        rest -= weight.numerator * (denominator // weight.denominator)
        if rest < 0:
            return outcome
    return law.items[-1][0]


def integer_below(bound: int, rng: np.random.Generator) -> int:
    """Draw an integer in ``range(bound)``, each equally likely, however large the bound."""
    if bound <= _LARGEST_BOUND:
        return int(rng.integers(bound))
    bits = (bound - 1).bit_length()
    count = (bits + 7) // 8
    while True:  # draws past the bound are thrown away: fewer than half of them
        value = int.from_bytes(rng.bytes(count), "little") >> (8 * count - bits)
        if value < bound:
            return value
