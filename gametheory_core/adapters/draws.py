"""Draws from exact distributions with integers only: what is sampled has exactly the law stated.

An outcome is the inverse of the cumulative numerators, over one common denominator, at a uniform
integer. No weight becomes a float, so a weight of 1/3 is drawn with probability 1/3.
"""

from math import lcm
from typing import TypeVar

import numpy as np

from gametheory_core.distributions import Distribution

Outcome = TypeVar("Outcome")

_LARGEST_BOUND = 2**63  # what Generator.integers takes


def draw(law: Distribution[Outcome], rng: np.random.Generator) -> Outcome:
    """Draw one outcome; a sure one takes nothing from ``rng``.

    >>> from numpy.random import default_rng
    >>> from gametheory_core.distributions import point_mass
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
    """Draw an integer in ``range(bound)``, each equally likely, however large the bound.

    >>> from numpy.random import default_rng
    >>> 0 <= integer_below(10**40, default_rng(0)) < 10**40
    True
    """
    if bound <= _LARGEST_BOUND:
        return int(rng.integers(bound))
    bits = (bound - 1).bit_length()
    count = (bits + 7) // 8
    while True:  # draws past the bound are thrown away: fewer than half of them
        value = int.from_bytes(rng.bytes(count), "little") >> (8 * count - bits)
        if value < bound:
            return value
