"""Learners beside each other: what their runs were judged, with intervals over seeds, in order."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from gametheory_core.errors import InvalidArgument
from learners.assessment.findings import Standing
from learners.experiments.groups import runs_by_label
from learners.experiments.intervals import (
    CONFIDENCE,
    difference_interval,
    mean_interval,
)
from learners.experiments.run_records import Run, Status
from learners.experiments.typed_values import nearest

SMALL_IS_GOOD = ("gain", "nash_conv", "exploitability", "epsilon", "follower_regret")
USUAL = ("nash_conv", "leader_value", "fairness")  # what is compared by default, the first there is


@dataclass(frozen=True)
class ComparedLearner:
    """What the runs of one experiment were judged.

    Attributes:
        rank: From 1, by the mean.
        seeds: Runs that were judged.
        failed: Runs that diverged or are not finished, and are left out.
        mean, low, high: Student's interval over seeds.
        least, most: Over seeds.
        standing: Of the weakest number that goes in.
        beats_next: Whether Welch's interval of the difference to the next in order is on one side
            of 0.
    """

    rank: int
    label: str
    seeds: int
    failed: int
    mean: float
    low: float
    high: float
    least: float
    most: float
    standing: Standing
    beats_next: bool


@dataclass(frozen=True)
class Comparison:
    """Learners in the order of one quantity.

    Attributes:
        learners: The best first.
    """

    quantity: str
    confidence: float
    small_is_good: bool
    learners: tuple[ComparedLearner, ...]

    def rows(self) -> tuple[Mapping[str, Any], ...]:
        """Return one row a learner, numbers and words."""
        return tuple(
            MappingProxyType({**vars(own), "standing": own.standing.value}) for own in self.learners
        )


def compare(
    runs: Iterable[Run], *, quantity: str | None = None, confidence: float = CONFIDENCE
) -> Comparison:
    """Set learners beside each other by what their runs were judged.

    Args:
        runs: Of several experiments, told apart by their labels.
        quantity: Name of a finding. Default: ``nash_conv``, ``leader_value`` or ``fairness``,
            whichever all have first.
        confidence: Of Student's intervals over seeds, and of Welch's for differences of neighbors
            in the order.

    Raises:
        InvalidArgument: If no experiment has a judged run, or one lacks the quantity; if a label
            stands for two experiments, or a run is given twice.

    An interval over few seeds leans on the normal law. Where all seeds agree it is a point; a
    single seed has none.

    See ``docs/training.md``.
    """
    groups = runs_by_label(runs)
    judged = {label: [run for run in own if _is_judged(run)] for label, own in groups.items()}
    empty = [label for label, own in judged.items() if not own]
    if empty or not judged:
        raise InvalidArgument(
            needs="a finished and judged run of each experiment",
            found=f"{', '.join(map(repr, empty)) or 'there is no experiment'} has none",
            remedy="Train first.",
        )
    chosen = _quantity(judged, quantity)
    is_small = chosen.partition("/")[0].startswith(SMALL_IS_GOOD)
    values = {label: [_value(run, chosen) for run in own] for label, own in judged.items()}
    order = sorted(
        judged,
        key=lambda label: math.fsum(values[label]) / len(values[label]) * (1 if is_small else -1),
    )
    learners: list[ComparedLearner] = []
    for place, label in enumerate(order):
        own = values[label]
        interval = mean_interval(own, confidence=confidence)
        beats = False
        if place + 1 < len(order):
            apart = difference_interval(own, values[order[place + 1]], confidence=confidence)
            beats = apart.high < 0 if is_small else apart.low > 0
        learners.append(
            ComparedLearner(
                rank=place + 1,
                label=label,
                seeds=len(own),
                failed=len(groups[label]) - len(own),
                mean=interval.mean,
                low=interval.low,
                high=interval.high,
                least=min(own),
                most=max(own),
                standing=_weakest(judged[label], chosen),
                beats_next=beats,
            )
        )
    return Comparison(chosen, confidence, is_small, tuple(learners))


def _is_judged(run: Run) -> bool:
    return bool(run.findings) and run.status in {Status.FINISHED, Status.STOPPED}


def _quantity(judged: Mapping[str, list[Run]], asked: str | None) -> str:
    """Return the quantity asked for, or the first usual one, that all runs have."""
    names = [{finding.name for finding in run.findings} for own in judged.values() for run in own]
    shared = set.intersection(*names)
    if asked is None:
        asked = next((name for name in USUAL if name in shared), None)
        if asked is None:
            raise InvalidArgument(
                needs=f"a quantity, since the runs share none of {', '.join(USUAL)}",
                remedy=f"They share {', '.join(sorted(shared)) or 'nothing'}.",
            )
    if asked not in shared:
        raise InvalidArgument(
            needs="a quantity that all runs have",
            found=f"not {asked!r}{nearest(asked, shared)} They share "
            f"{', '.join(sorted(shared)) or 'nothing'}",
        )
    return asked


def _value(run: Run, quantity: str) -> float:
    return next(float(f.value) for f in run.findings if f.name == quantity)


def _weakest(runs: list[Run], quantity: str) -> Standing:
    found = {f.standing for run in runs for f in run.findings if f.name == quantity}
    return next(
        kind for kind in (Standing.SAMPLED, Standing.EXACT, Standing.PROVED) if kind in found
    )
