"""Exact faces under even correlated equilibria: from tight rows in floats to a rational point.

Some deviations are tight, and some joint actions unused, in every equilibrium. Multipliers of such
rows may have any sign at first: a multiple of the *witness*, which proves that those joint actions
are unused and is positive on those rows, lifts them.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray
from gametheory_core.certificates.incentives import IncentivePrice
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_distribution
from solvers._programs.even_face import FacePoint, nearest_on_face
from solvers._programs.kernel import Entries
from solvers._programs.separable_convex import EvenPoint
from solvers._programs.widest_support import WidestSupport
from solvers.correlated.incentive_program import (
    IncentiveRows,
    deviation_entries,
    deviation_slacks,
    incentive_prices,
)
from solvers.solution import Meter

MOST_TIGHT = 600  # rows of an exact face
FEW_REPAIRS = 8  # before usable joint actions are looked for
MOST_REPAIRS = 60
MOST_STALLS = 6  # repairs that do not reduce what is wrong
GRAIN = 2**50  # a float weight is rounded to about this many parts of one
NEGLIGIBLE = 2.0**-44  # lighter joint actions are left out, if a face can be found without them


@dataclass(frozen=True, eq=False)
class _Face:
    """Which rows are tight, and which joint actions may be played."""

    tight: list[int]
    support: list[int]


@dataclass(frozen=True, eq=False)
class _Frame:
    """What holds in every equilibrium: rows that are tight, and joint actions that are usable."""

    tight: frozenset[int]
    usable: frozenset[int]


def point_near(rows: IncentiveRows, point: EvenPoint) -> CorrelatedDistribution | None:
    """Return the point of the face that is nearest to a float solution, if it is a distribution."""
    tight = np.flatnonzero(point.multipliers > point.slacks)
    face = _Face(tight.tolist(), np.flatnonzero(point.weights > NEGLIGIBLE).tolist())
    if len(face.tight) > MOST_TIGHT or not face.support:
        return None
    shares = np.rint(point.weights[face.support] * GRAIN).astype(np.int64)
    nearest = _nearest(rows, face, (cast("list[int]", shares.tolist()), GRAIN))
    if nearest is None or min(nearest.weights.tolist()) < 0:
        return None
    return _tensor(rows, nearest.weights)


def most_gini(
    rows: IncentiveRows, point: EvenPoint, meter: Meter, *, wide: WidestSupport | None = None
) -> tuple[CorrelatedDistribution, tuple[IncentivePrice, ...]] | None:
    """Exchange tight rows and support until the optimality conditions hold exactly.

    Whatever is wrong is exchanged at once as long as ever less is wrong; where that stalls, only
    the first wrong one, which cannot cycle as easily (Murty 1974; Judice and Pires 1994). None if
    budget or repairs end first.
    """
    frame = _frame(rows, wide)
    tight = set(np.flatnonzero(point.multipliers > point.slacks).tolist()) | frame.tight
    played = set(np.flatnonzero(point.weights > point.reduced).tolist()) & frame.usable
    face = _Face(sorted(tight), sorted(played))
    fewest, patience = rows.first[-1] + rows.num_joint + 1, MOST_STALLS
    for _ in range(FEW_REPAIRS if wide is None else MOST_REPAIRS):
        if meter.is_exhausted or len(face.tight) > MOST_TIGHT or not face.support:
            return None
        meter.step()
        found = _nearest(rows, face, ([0] * len(face.support), 1))
        if found is None:
            return None
        charges = _charges(rows, dict(zip(face.tight, found.multipliers, strict=True)))
        wrong = _wrong(rows, face, found, charges, frame)
        if not wrong:
            return _proved(rows, face, found, charges, frame, wide)
        if len(wrong) < fewest:
            fewest, patience = len(wrong), MOST_STALLS
        else:
            patience -= 1
        face = _exchanged(rows, face, wrong if patience > 0 else wrong[:1])
    return None


def _frame(rows: IncentiveRows, wide: WidestSupport | None) -> _Frame:
    if wide is None:
        return _Frame(frozenset(), frozenset(range(rows.num_joint)))
    always = np.flatnonzero(wide.witness > 0.5)  # at least 1 by the program that found them
    return _Frame(frozenset(always.tolist()), frozenset(wide.columns.tolist()))


def _proved(
    rows: IncentiveRows,
    face: _Face,
    found: FacePoint,
    charges: list[Fraction],
    frame: _Frame,
    wide: WidestSupport | None,
) -> tuple[CorrelatedDistribution, tuple[IncentivePrice, ...]] | None:
    """State the point with its prices, lifted by the witness where it takes that."""
    multipliers = [ZERO] * rows.first[-1]
    for row, value in zip(face.tight, found.multipliers, strict=True):
        multipliers[row] = value
    if wide is not None and frame.tight:
        witness = _exact_witness(rows, frame, wide)
        if witness is None:
            return None
        proof = _charges(rows, witness)
        unused = [j for j in range(rows.num_joint) if j not in frame.usable]
        if any(proof[j] <= 0 for j in unused) or any(value <= 0 for value in witness.values()):
            return None
        needed = [-multipliers[row] / value for row, value in witness.items()]
        needed += [-(charges[j] + found.level) / proof[j] for j in unused]
        lift = max([ZERO, *needed])
        for row, value in witness.items():
            multipliers[row] += lift * value
    return _tensor(rows, found.weights), incentive_prices(rows, multipliers, 1)


def _exact_witness(
    rows: IncentiveRows, frame: _Frame, wide: WidestSupport
) -> dict[int, Fraction] | None:
    """Return the nearest multipliers that charge usable joint actions exactly nothing."""
    always = sorted(frame.tight)
    columns: dict[int, Entries] = {j: [] for j in frame.usable}
    spans = [own.span for own in rows.players for _ in own.played]
    for k, row in enumerate(always):
        for column, gain in deviation_entries(rows, row):
            if column in columns:
                columns[column].append((k, gain))
    # float rows are exact rows divided by their spans
    values = [Fraction(float(wide.witness[row])) / spans[row] for row in always]
    whole = sum(values, ZERO)
    shares = [round(value / whole * GRAIN) for value in values]
    nearest = nearest_on_face(
        [entries for entries in columns.values() if entries],
        list(range(len(always))),
        num_columns=len(always),
        target=(shares, GRAIN),
    )
    if nearest is None:
        return None
    return dict(zip(always, cast("list[Fraction]", nearest.weights.tolist()), strict=True))


def _nearest(rows: IncentiveRows, face: _Face, target: tuple[list[int], int]) -> FacePoint | None:
    entries = [deviation_entries(rows, row) for row in face.tight]
    return nearest_on_face(entries, face.support, num_columns=rows.num_joint, target=target)


def _charges(rows: IncentiveRows, multipliers: dict[int, Fraction]) -> list[Fraction]:
    charges = [ZERO] * rows.num_joint
    for row, value in multipliers.items():
        if value:
            for column, gain in deviation_entries(rows, row):
                charges[column] += value * gain
    return charges


def _wrong(
    rows: IncentiveRows, face: _Face, found: FacePoint, charges: list[Fraction], frame: _Frame
) -> list[int]:
    """Return what has a wrong sign, in order: joint actions by column, then rows after them."""
    weights = cast("list[Fraction]", found.weights.tolist())
    support, tight = set(face.support), set(face.tight)
    wrong = [
        column
        for column in sorted(frame.usable)
        if (weights[column] if column in support else charges[column] + found.level) < 0
    ]
    released = {
        row
        for row, value in zip(face.tight, found.multipliers, strict=True)
        if value < 0 and row not in frame.tight
    }
    slacks = _slacks(rows, found.weights)
    missed = {row for row, slack in enumerate(slacks) if slack < 0 and row not in tight}
    return wrong + [rows.num_joint + row for row in sorted(released | missed)]


def _exchanged(rows: IncentiveRows, face: _Face, places: list[int]) -> _Face:
    """Move each place to the other side."""
    columns = {place for place in places if place < rows.num_joint}
    deviations = {place - rows.num_joint for place in places if place >= rows.num_joint}
    return _Face(sorted(set(face.tight) ^ deviations), sorted(set(face.support) ^ columns))


def _slacks(rows: IncentiveRows, weights: ExactArray) -> list[Fraction]:
    used = np.flatnonzero(weights)
    out: list[Fraction] = []
    for own in rows.players:
        out += cast("list[Fraction]", deviation_slacks(own, used, weights[used]))
    return out


def _tensor(rows: IncentiveRows, weights: ExactArray) -> CorrelatedDistribution:
    return correlated_distribution(weights.reshape(rows.game.num_actions))
