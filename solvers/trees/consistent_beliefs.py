"""Mistakes that explain beliefs: ``c[a] * epsilon**k[a]`` for each action ``a`` that is not played.

Two ways to an information set that play does not reach are told apart by the mistakes on them. With
``n[w, a]`` how often mistake ``a`` is made on way ``w``, what is believed is in the limit

    proportional to c**n[w]  on the ways with the least order n[w] @ k,  and 0 on the others.

Given which ways are believed in, the orders are a linear program; given how much, the coefficients
solve ``c**(n[w] - n[v]) = m[w] / m[v]``, where each equation that is left gives one of them that
stands in it once, so that all stay rational (Kreps and Wilson 1982, Lemma A1).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm, prod
from typing import TypeAlias

import numpy as np

from gametheory_core.arrays import ONE, object_array
from gametheory_core.errors import InfeasibleProgram
from gametheory_core.strategies.trembles import LeadingTerm
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import LinearProgram

Slip: TypeAlias = tuple[int, int]  # information set, action that is not played
Way: TypeAlias = tuple[Slip, ...]  # mistakes in order; one may come twice
Weights: TypeAlias = Mapping[Way, Fraction]  # of the ways that are believed in; all others are 0
Exponents: TypeAlias = dict[Slip, int]


def slips_for(
    ways: Sequence[Sequence[Way]], weights: Sequence[Weights]
) -> dict[Slip, LeadingTerm] | None:
    """Return sizes of mistakes that explain weights; None if there are none, or none are found.

    Args:
        ways: To several places, where weights are compared at each place alone.
        weights: At each place; positive.
    """
    orders = _orders(ways, weights)
    factors = None if orders is None else _factors(weights)
    if orders is None or factors is None:
        return None
    return {slip: LeadingTerm(k, factors.get(slip, ONE)) for slip, k in orders.items()}


def _difference(way: Way, other: Way) -> Exponents:
    counts = Counter(way)
    counts.subtract(other)
    return {slip: count for slip, count in counts.items() if count}


def _orders(ways: Sequence[Sequence[Way]], weights: Sequence[Weights]) -> dict[Slip, int] | None:
    """Find orders of at least 1, as small as can be, up to a factor that makes them integers."""
    slips = sorted({slip for place in ways for way in place for slip in way})
    column = {slip: j for j, slip in enumerate(slips)}
    entries: list[tuple[int, int, int]] = []
    bounds: list[int] = []
    is_equation: list[bool] = []
    for place, believed in zip(ways, weights, strict=True):
        first = next(iter(believed))
        for way in place:
            if way == first:
                continue
            gap = _difference(way, first)  # gap @ (1 + k) is 0, or at least 1
            entries += [(len(bounds), column[slip], -count) for slip, count in gap.items()]
            is_equation.append(way in believed)
            bounds.append(sum(gap.values()) - (way not in believed))
    if not bounds:
        return dict.fromkeys(slips, 1)
    entries.sort()
    program = LinearProgram(
        objective=object_array([-1] * len(slips)),
        rows=np.array([row for row, _, _ in entries], dtype=np.int32),
        columns=np.array([j for _, j, _ in entries], dtype=np.int32),
        values=object_array([value for _, _, value in entries]),
        bounds=object_array(bounds),
        is_equation=np.array(is_equation, dtype=bool),
        is_free=np.zeros(len(slips), dtype=bool),
    )
    try:
        found = solve_exactly(program, None).primal.tolist()
    except InfeasibleProgram:
        return None
    scale = lcm(*(value.denominator for value in found))
    return {slip: int(scale * (1 + found[j])) for slip, j in column.items()}


def _factors(weights: Sequence[Weights]) -> dict[Slip, Fraction] | None:
    """Solve for coefficients; None if equations contradict, or ask for a root."""
    solved: list[tuple[Slip, Exponents, Fraction]] = []
    for believed in weights:
        (first, share), *rest = believed.items()
        for way, other in rest:
            exponents, ratio = _difference(way, first), other / share
            for slip, known, value in solved:
                times = exponents.get(slip, 0) * known[slip]
                if times:
                    changed = Counter(exponents)
                    changed.subtract({s: times * count for s, count in known.items()})
                    exponents = {s: count for s, count in changed.items() if count}
                    ratio /= value**times
            if not exponents and ratio != 1:
                return None
            once = [slip for slip, count in exponents.items() if abs(count) == 1]
            if exponents and not once:
                return None
            if once:
                solved.append((once[0], exponents, ratio))
    factors: dict[Slip, Fraction] = {}
    for slip, exponents, ratio in reversed(solved):
        others = prod(
            (factors.get(s, ONE) ** count for s, count in exponents.items() if s != slip), start=ONE
        )
        factors[slip] = (ratio / others) ** exponents[slip]
    return factors
