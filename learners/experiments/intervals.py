"""Confidence intervals of means over seeds, by Student's t."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gametheory_core.arguments import require_number

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """A mean and where it may lie.

    Attributes:
        mean, low, high: Without bounds (-inf, inf) where one number says nothing about spread.
    """

    mean: float
    low: float
    high: float


def mean_interval(values: Sequence[float], *, confidence: float = CONFIDENCE) -> Interval:
    """Return the mean of independent numbers with Student's interval.

    Args:
        values: At least one.
        confidence: Chance that the interval covers the mean of a normal law.

    >>> found = mean_interval([1.0, 2.0, 3.0])
    >>> round(found.low, 2), found.mean, round(found.high, 2)
    (-0.48, 2.0, 4.48)
    """
    require_number(confidence, name="confidence", above=0, below=1)
    mean = float(np.mean(values))
    if len(values) < 2:
        return Interval(mean, -math.inf, math.inf)
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values))
    half = error * _quantile(len(values) - 1, confidence)
    return Interval(mean, mean - half, mean + half)


def difference_interval(
    first: Sequence[float], second: Sequence[float], *, confidence: float = CONFIDENCE
) -> Interval:
    """Return the difference of two means of independent numbers with Welch's interval.

    Args:
        first, second: At least one each.

    >>> found = difference_interval([1.0, 1.2, 0.8], [0.0, 0.2, -0.2])
    >>> found.low > 0
    True
    """
    require_number(confidence, name="confidence", above=0, below=1)
    mean = float(np.mean(first) - np.mean(second))
    if min(len(first), len(second)) < 2:
        return Interval(mean, -math.inf, math.inf)
    parts = [float(np.var(own, ddof=1)) / len(own) for own in (first, second)]
    spread = sum(parts)
    if spread <= 0:
        return Interval(mean, mean, mean)
    sizes = (len(first), len(second))
    freedom = spread**2 / sum(part**2 / (size - 1) for part, size in zip(parts, sizes, strict=True))
    half = math.sqrt(spread) * _quantile(freedom, confidence)
    return Interval(mean, mean - half, mean + half)


def _quantile(freedom: float, confidence: float) -> float:
    from scipy.special import stdtrit  # noqa: PLC0415 loads scipy

    return float(stdtrit(freedom, 0.5 + confidence / 2))
