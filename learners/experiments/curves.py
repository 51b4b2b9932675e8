"""Learning curves: a metric by iterations, its mean over seeds and a confidence band."""

from collections.abc import Iterable
from dataclasses import dataclass

from gametheory_core.errors import InvalidArgument
from learners.experiments.groups import runs_by_label
from learners.experiments.intervals import CONFIDENCE, mean_interval
from learners.experiments.run_records import CurvePoint, Run
from learners.experiments.typed_values import nearest

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
            found=f"not {metric!r}{nearest(metric, known)} They have {', '.join(sorted(known))}",
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
