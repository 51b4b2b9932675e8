"""Tails of known laws, two samples compared, and p-values corrected for their number.

One draw against a known law is judged by the exact binomial tail, so that the level stated holds at
any number of draws; a chi-square's own tail is only a limit, and far out, where laws that must not
fail by accident are judged, it is off by orders of magnitude when few draws are expected. Two
samples of unknown law are compared by chi-square, after rare outcomes are pooled: an exact
permutation test would need more permutations than one over the level. No scipy: the core runs on
numpy alone, and both tails are a few lines.
"""

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

LEAST_POOLED = 10  # draws, over both samples, that an outcome needs for a cell of its own
NEGLIGIBLE = 1e-17  # a term that no longer changes a sum of floats


def binomial_tail(count: int, draws: int, probability: float) -> float:
    """Return the two-sided p-value of ``count`` successes in independent draws.

    Twice the smaller tail, at most 1. A right law is rejected at a level with at most that
    probability, at any number of draws.

    Args:
        probability: Of a success, in [0, 1].

    >>> round(binomial_tail(10, 10, 0.5), 6)  # 2 / 2**10
    0.001953
    >>> binomial_tail(0, 10, 1.0)
    0.0
    """
    if probability in (0.0, 1.0):
        return float(count == round(draws * probability))
    upward = count >= draws * probability
    odds = probability / (1 - probability)
    term = math.exp(
        math.lgamma(draws + 1)
        - math.lgamma(count + 1)
        - math.lgamma(draws - count + 1)
        + count * math.log(probability)
        + (draws - count) * math.log1p(-probability)
    )
    total, k = term, count
    while (k < draws if upward else k > 0) and term > NEGLIGIBLE * total:
        term *= (draws - k) / (k + 1) * odds if upward else k / (draws - k + 1) / odds
        total += term
        k += 1 if upward else -1
    return min(1.0, 2 * total)


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return the probability that a chi-square variable is at least ``statistic``.

    The regularised upper incomplete gamma function ``Q(degrees / 2, statistic / 2)``, by its series
    near zero and by its continued fraction (Lentz) far out.

    Args:
        statistic: At least 0.
        degrees: Of freedom; with 0 the variable is 0.

    >>> round(chi_square_tail(3.841459, 1), 6)
    0.05
    """
    shape, x = degrees / 2, statistic / 2
    if degrees == 0 or x <= 0:
        return float(x <= 0)
    front = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        k = shape
        while term > NEGLIGIBLE * total:
            k += 1
            term *= x / k
            total += term
        return max(0.0, 1 - front * total)
    return front * _continued_fraction(shape, x)


def _continued_fraction(shape: float, x: float) -> float:
    tiny = 1e-300
    b = x + 1 - shape
    c, d = 1 / tiny, 1 / b
    value = d
    for k in range(1, 10_000):
        a = -k * (k - shape)
        b += 2
        d = 1 / (a * d + b or tiny)
        c = b + a / c or tiny
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value


@dataclass(frozen=True)
class TwoSamples:
    """How far two samples are apart.

    Attributes:
        statistic: Chi-square.
        degrees: Of freedom: outcomes less one, rare ones counted together.
        p_value: How likely samples of one law are this far apart.
        effect: Cramer's V, in [0, 1]: 0 for equal shares, 1 for samples without a common outcome.
    """

    statistic: float
    degrees: int
    p_value: float
    effect: float


def compare_samples(first: Mapping[Hashable, int], second: Mapping[Hashable, int]) -> TwoSamples:
    """Compare two samples, given as counts of outcomes, by Pearson's chi-square.

    Args:
        first, second: Outcome -> how often it was drawn; each sample has at least one draw.

    >>> compare_samples({"a": 400}, {"b": 400}).statistic
    800.0
    """
    pooled: tuple[Counter[Hashable], Counter[Hashable]] = (Counter(), Counter())
    for outcome in {**first, **second}:
        pair = (first.get(outcome, 0), second.get(outcome, 0))
        cell: Hashable = outcome if sum(pair) >= LEAST_POOLED else _RARE
        for counts, number in zip(pooled, pair, strict=True):
            counts[cell] += number
    sizes = tuple(counts.total() for counts in pooled)
    draws = sum(sizes)
    statistic = 0.0
    for cell in pooled[0] | pooled[1]:
        seen = pooled[0][cell] + pooled[1][cell]
        for counts, size in zip(pooled, sizes, strict=True):
            expected = seen * size / draws
            statistic += (counts[cell] - expected) ** 2 / expected
    degrees = len(pooled[0] | pooled[1]) - 1
    tail = chi_square_tail(statistic, degrees)
    return TwoSamples(statistic, degrees, tail, math.sqrt(statistic / draws))


_RARE = object()


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number by Holm's step-down method.

    Rejecting those at most a level rejects any true hypothesis with at most that probability,
    whatever the dependence between the tests.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p_values[index]))
        corrected[index] = largest
    return corrected
