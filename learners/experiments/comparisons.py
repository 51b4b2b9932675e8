"""Learners beside each other: what their runs were judged, with intervals over seeds, in order.

Learning curves: a metric by iterations, its mean over seeds and a confidence band.

Runs by their labels: a label stands for one experiment, of which each seed counts once.

Confidence intervals of means over seeds, by Student's t; of rates, by Clopper and Pearson.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from gametheory_core.arguments import require_integer, require_number, shown
from gametheory_core.errors import InvalidArgument
from learners.experiments.run_records import CurvePoint, Run, Status
from learners.experiments.typed_values import nearest
from learners.findings import Standing


def runs_by_label(runs: Iterable[Run]) -> dict[str, list[Run]]:
    """Group runs by label.

    Raises:
        InvalidArgument: If a label stands for two experiments, or for the same run twice.
    """
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run.label, []).append(run)
    for label, own in groups.items():
        _refuse_mixed(label, own)
        counts = Counter(run.seed for run in own)
        twice = next((seed for seed, count in counts.items() if count > 1), None)
        if twice is not None:
            raise InvalidArgument(
                needs="each run once",
                found=f"seed {twice} of {label!r} is there twice",
                remedy="Give it once.",
            )
    return groups


def first_difference(one: Any, other: Any, path: str = "") -> tuple[str, str, str] | None:
    """Return where two records differ first, and what each has there; None if they do not."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *other]:
            found = first_difference(one.get(key), other.get(key), f"{path}.{key}".strip("."))
            if found is not None:
                return found
        return None
    return None if one == other else (path, shown(one), shown(other))


def _refuse_mixed(label: str, runs: list[Run]) -> None:
    for run in runs:
        found = first_difference(runs[0].experiment, run.experiment)
        if found is not None:
            key, one, other = found
            raise InvalidArgument(
                needs="one experiment under each label",
                found=f"of the runs called {label!r} one has {key} {one} and one {other}",
                remedy="Give them different labels.",
            )


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
        confidence: Chance that the interval covers the mean of a normal distribution.

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


def binomial_interval(successes: int, runs: int, *, confidence: float = CONFIDENCE) -> Interval:
    """Return the share of independent runs that succeeded, with Clopper and Pearson's interval.

    The chance of a success lies in it with at least the confidence, at any number of runs: each end
    is where so many successes, or so few, come with probability ``(1 - confidence) / 2``.

    Raises:
        InvalidArgument: If there are more successes than runs, or fewer than none.

    Without runs all is possible, and the share is no number.

    >>> found = binomial_interval(200, 200)
    >>> found.mean, round(found.low, 4), found.high
    (1.0, 0.9817, 1.0)
    """
    from scipy.special import betaincinv  # noqa: PLC0415 loads scipy

    require_number(confidence, name="confidence", above=0, below=1)
    require_integer(runs, name="runs", low=0)
    require_integer(successes, name="successes", low=0, high=runs)
    failures, tail = runs - successes, (1 - confidence) / 2
    low = float(betaincinv(successes, failures + 1, tail)) if successes else 0.0
    high = float(betaincinv(successes + 1, failures, 1 - tail)) if failures else 1.0
    return Interval(successes / runs if runs else math.nan, low, high)


def _quantile(freedom: float, confidence: float) -> float:
    from scipy.special import stdtrit  # noqa: PLC0415 loads scipy

    return float(stdtrit(freedom, 0.5 + confidence / 2))


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

    An interval over few seeds leans on the normal distribution. Where all seeds agree it is a
    point; a single seed has none.

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
            found=f"not {asked!r}",
            remedy=f"{nearest(asked, shared)}They share {', '.join(sorted(shared)) or 'nothing'}.",
        )
    return asked


def _value(run: Run, quantity: str) -> float:
    return next(float(f.value) for f in run.findings if f.name == quantity)


def _weakest(runs: list[Run], quantity: str) -> Standing:
    found = {f.standing for run in runs for f in run.findings if f.name == quantity}
    return next(
        kind for kind in (Standing.SAMPLED, Standing.EXACT, Standing.PROVED) if kind in found
    )


ASSESSED = "assessed/"


@dataclass(frozen=True)
class LearningCurve:
    """A metric by iterations over the runs of one experiment.

    Attributes:
        iterations: Where all seeds have a number.
        mean, low, high: Student's interval over seeds; the band is the mean itself if there is one
            seed.
    """

    label: str
    seeds: int
    iterations: tuple[int, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


def learning_curves(
    runs: Iterable[Run], metric: str, *, confidence: float = CONFIDENCE
) -> tuple[LearningCurve, ...]:
    """Return one curve for each experiment among runs.

    Args:
        runs: Told apart by their labels.
        metric: Of the learner, such as ``"return/row"``; or ``"assessed/<finding>"``, judged on the
            way, if ``training.assess_every`` asked for it.

    Raises:
        InvalidArgument: If an experiment has no iteration at which all its seeds have the metric;
            if a label stands for two experiments, or a run is given twice.

    See ``docs/training.md``.
    """
    groups = runs_by_label(runs)
    return tuple(_curve(label, own, metric, confidence) for label, own in groups.items())


def _curve(label: str, runs: list[Run], metric: str, confidence: float) -> LearningCurve:
    tables = [
        {p.iteration: numbers[metric] for p in run.curve if metric in (numbers := _numbers(p))}
        for run in runs
    ]
    shared = sorted(set.intersection(*map(set, tables)))
    if not shared:
        known = {name for run in runs for point in run.curve for name in _numbers(point)}
        raise InvalidArgument(
            needs=f"a metric that all runs of {label!r} have at some iteration",
            found=f"not {metric!r}",
            remedy=f"{nearest(metric, known)}They have {', '.join(sorted(known))}.",
        )
    bands = [mean_interval([own[i] for own in tables], confidence=confidence) for i in shared]
    is_one = len(runs) == 1
    return LearningCurve(
        label=label,
        seeds=len(runs),
        iterations=tuple(shared),
        mean=tuple(band.mean for band in bands),
        low=tuple(band.mean if is_one else band.low for band in bands),
        high=tuple(band.mean if is_one else band.high for band in bands),
    )


def _numbers(point: CurvePoint) -> dict[str, float]:
    judged = {f"{ASSESSED}{name}": value for name, value in point.assessed.items()}
    return {**point.metrics, **judged}
