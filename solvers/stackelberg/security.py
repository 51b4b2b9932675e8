"""Security games: the optimal coverage without listing sets of targets, exactly.

The defender holds the attacker down to the lowest value ``v`` that the resources allow, covering
each target just as often as it takes (ORIGAMI, Kiekintveld et al. 2009). All targets that pay the
attacker ``v`` are then best to attack, and ties break for the defender. Cover hurts the attacker
and helps the defender, so no other ``v`` is better: at a higher one every target is covered less
when it is attacked.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import cast

from gametheory_core.arrays import scaled_integers
from gametheory_core.certificates.security import SecurityCertificate, certify_security
from gametheory_core.games.bayesian import ATTACKER, DEFENDER, UNCOVERED, SecurityGame
from gametheory_core.strategies.mixed import CoverageLottery
from solvers.concepts import Concept
from solvers.requirements import a_security_game, one_type_of_attacker
from solvers.solution import UNLIMITED, Budget, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver


@solver(
    Answers(Concept.STACKELBERG, rank=10),
    takes=(a_security_game, one_type_of_attacker),
    unit="sweeps",
    because="a security game: one sweep over the targets, without listing coverages",
    page="commitment",
)
def security_stackelberg(
    game: SecurityGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> Solution[CoverageLottery, SecurityCertificate]:
    """Find an optimal coverage against an attacker who sees it, exactly.

    The answer is a lottery over sets of targets, at most one more than there are targets, that can
    be drawn from.

    Args:
        game: One type of attacker.
        budget: Accepted like everywhere; the search takes one sweep over the targets and is never
            cut off.

    Returns:
        ``certificate.target`` is attacked; payoffs are the defender's and the attacker's.

    Sorts the targets, then takes one sweep: milliseconds for a thousand targets with short payoffs.
    Long payoffs (floats) lead to numbers of thousands of digits.

    Source: :cite:`kiekintveld2009security`, section 4.

    >>> from gametheory_core import load_game
    >>> solution = security_stackelberg(load_game("guarded_targets"))
    >>> [str(payoff) for payoff in solution.payoffs]
    ['-817/337', '720/337']
    """
    meter = open_meter(budget, on_iteration)
    tables = _tables(game)
    value = _lowest_value(tables, game.resources)
    target, spare = _best_target(tables, value, game.resources)
    cover = _cover(tables, value, target, spare)
    lottery = _lottery(cover)
    meter.step()
    attacker_value = Fraction(value.numerator, value.denominator * tables.scale)
    certificate = certify_security(game, lottery, target=target, attacker_value=attacker_value)
    payoffs = (certificate.defender_payoff, certificate.attacker_payoff)
    return Solution(lottery, payoffs, certificate, meter.record())


@dataclass(frozen=True)
class _Tables:
    """Payoffs as integers over ``scale``.

    ``free`` and ``width`` are what the attacker gets from uncovered targets, and what cover takes
    away; ``loss`` and ``relief`` what the defender gets, and what cover adds.
    """

    free: list[int]
    width: list[int]
    loss: list[int]
    relief: list[int]
    scale: int


@dataclass(frozen=True)
class _Cover:
    """How often each target is covered: ``parts[i] / whole``."""

    parts: list[int]
    whole: int


def _tables(game: SecurityGame) -> _Tables:
    scaled = scaled_integers(game.exact_payoffs[0])
    numbers = cast("list[list[list[int]]]", scaled.numerators.tolist())
    attacker, defender = numbers[ATTACKER], numbers[DEFENDER]
    return _Tables(
        free=attacker[UNCOVERED],
        width=[a - b for a, b in zip(*attacker, strict=True)],
        loss=defender[UNCOVERED],
        relief=[b - a for a, b in zip(*defender, strict=True)],
        scale=scaled.denominator,
    )


def _lowest_value(tables: _Tables, resources: int) -> Fraction:
    """Return the lowest value that the attacker can be held down to, in integer units.

    With the ``k`` most tempting targets held down to ``v``, ``sum (free - v) / width = resources``;
    the right ``k`` is the first at which the next target is not more tempting than ``v``. No value
    below what some target pays even when covered can be reached.
    """
    floor = max(free - width for free, width in zip(tables.free, tables.width, strict=True))
    tempting = sorted(
        ((f, w) for f, w in zip(tables.free, tables.width, strict=True) if f > floor), reverse=True
    )
    common = lcm(*(width for _, width in tempting))
    pull = slope = 0
    for k, (free, width) in enumerate(tempting):
        slope += common // width
        pull += common // width * free
        rest = pull - resources * common  # v = rest / slope
        following = tempting[k + 1][0] if k + 1 < len(tempting) else floor
        if rest >= following * slope:
            return Fraction(rest, slope)
    return Fraction(floor)


def _best_target(tables: _Tables, value: Fraction, resources: int) -> tuple[int, Fraction]:
    """Return the defender's favorite among the targets that pay ``value``, and how to cover it.

    A target that cover does not change, held at ``value``, can take all cover that is left.
    """
    best: tuple[int, int, int] | None = None  # payoff as a fraction, and the target
    left: Fraction | None = None
    for t, (free, width) in enumerate(zip(tables.free, tables.width, strict=True)):
        if free * value.denominator < value.numerator:
            continue
        if width:
            part, whole = free * value.denominator - value.numerator, width * value.denominator
        else:
            left = _left(tables, value, resources) if left is None else left
            part, whole = left.numerator, left.denominator
        payoff = tables.loss[t] * whole + tables.relief[t] * part
        if best is None or payoff * best[1] > best[0] * whole:
            best = (payoff, whole, t)
    target = best[2] if best is not None else 0
    spare = left if left is not None and not tables.width[target] else Fraction(0)
    return target, spare


def _left(tables: _Tables, value: Fraction, resources: int) -> Fraction:
    cover = _cover(tables, value, -1, Fraction(0))
    return min(Fraction(1), resources - Fraction(sum(cover.parts), cover.whole))


def _cover(tables: _Tables, value: Fraction, target: int, spare: Fraction) -> _Cover:
    """Cover each target just as often as holds it down to the value, over one denominator.

    A target that cover does not change gets ``spare``, if it is the one to be attacked.
    """
    top, bottom = value.numerator, value.denominator
    common = lcm(
        *(w for f, w in zip(tables.free, tables.width, strict=True) if w and f * bottom > top)
    )
    whole = common * bottom * spare.denominator
    parts: list[int] = []
    for i, (free, width) in enumerate(zip(tables.free, tables.width, strict=True)):
        excess = free * bottom - top
        if width and excess > 0:
            parts.append(excess * (common // width) * spare.denominator)
        else:
            parts.append(spare.numerator * common * bottom if i == target else 0)
    divisor = gcd(whole, *parts)
    return _Cover([part // divisor for part in parts], whole // divisor)


def _lottery(cover: _Cover) -> CoverageLottery:
    """Write cover as a lottery over sets of targets, by a comb.

    Lay the targets' shares end to end. A comb of teeth one whole apart, set down anywhere, touches
    each target as often as it is to be covered, never twice, and never more targets than there are
    resources. What it touches changes only where a share ends.
    """
    shares = [(i, part) for i, part in enumerate(cover.parts) if part]
    ends: list[int] = []
    position = 0
    for _, part in shares:
        position += part
        ends.append(position)
    touched = dict(_first_touches(ends, cover.whole))
    moves = sorted(
        (end % cover.whole, end // cover.whole, k)
        for k, end in enumerate(ends)
        if end % cover.whole
    )
    coverages: list[tuple[int, ...]] = []
    weights: list[int] = []
    before = 0
    for offset, tooth, k in [*moves, (cover.whole, 0, -1)]:
        if offset > before:
            coverages.append(tuple(sorted(shares[share][0] for share in touched.values())))
            weights.append(offset - before)
            before = offset
        if touched.get(tooth) == k:
            if k + 1 < len(shares):
                touched[tooth] = k + 1
            else:
                del touched[tooth]
    return CoverageLottery(tuple(coverages), tuple(weights))


def _first_touches(ends: list[int], whole: int) -> Iterator[tuple[int, int]]:
    """Yield (tooth, share) for the comb whose first tooth stands at the very beginning."""
    share = 0
    tooth = 0
    while ends and tooth * whole < ends[-1]:
        while ends[share] <= tooth * whole:
            share += 1
        yield tooth, share
        tooth += 1
