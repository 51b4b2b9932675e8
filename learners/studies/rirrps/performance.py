"""Figure 4: how populations do against each other, as both grow.

The relative performance of two populations is the value of the game in which each player chooses an
agent of its own; exact win rates go in, and each value is certified.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.catalog.repeated import RirRPS
from learners.experiments.comparisons import Interval, mean_interval
from learners.matches.exact_outcomes import win_rates
from learners.studies.files import csv_bytes, png_bytes
from learners.studies.registry import Files, Request
from learners.studies.rirrps.runs import Training, trained
from learners.studies.rirrps.settings import settings
from solvers.populations.win_rates import relative_performance_curve

TOLERANCE = 1e-6  # of a relative performance, which is at most 1/2
COLUMNS = ("first", "second", "episodes", "seeds", "mean", "low", "high")


@dataclass(frozen=True)
class Comparison:
    """The relative performance of a pair of schemes along training.

    Attributes:
        episodes: Of each scheme.
        bands: Over seeds, of the first scheme's performance.
    """

    first: str
    second: str
    seeds: int
    episodes: tuple[int, ...]
    bands: tuple[Interval, ...]


def sizes_of(count: int, points: int) -> tuple[int, ...]:
    """Return so many sizes of a population at most, evenly spread, the whole among them.

    >>> sizes_of(10, 4)
    (2, 5, 7, 10)
    """
    ends = np.ceil(np.linspace(0, count, points + 1)[1:] - 0.5).astype(int)
    return tuple(np.unique(ends.clip(1)).tolist())


def performance(first: Training, second: Training, sizes: tuple[int, ...]) -> FloatArray:
    """Return the first run's performance at some sizes of both populations."""
    most = settings().performance.checkpoints
    own, other = ([run.tables[k] for k in run.checkpoints(most)] for run in (first, second))
    rates = win_rates(RirRPS(), own, other)
    curve = relative_performance_curve(rates, sizes=sizes, tolerance=TOLERANCE)
    return np.array([float(value) for value in curve.values])


def compared(first: tuple[Training, ...], second: tuple[Training, ...]) -> Comparison:
    """Compare two schemes, seed by seed."""
    looks = settings().performance
    at = first[0].checkpoints(looks.checkpoints)
    sizes = sizes_of(len(at), looks.points)
    values = [performance(a, b, sizes) for a, b in zip(first, second, strict=True)]
    bands = tuple(mean_interval(own.tolist()) for own in np.array(values).T)
    episodes = tuple(int(at[size - 1]) * first[0].episodes_an_update for size in sizes)
    return Comparison(first[0].scheme, second[0].scheme, len(values), episodes, bands)


def make_figure(request: Request) -> Files:
    """Make figure 4."""
    from learners.studies.rirrps.pictures import draw_performances  # noqa: PLC0415 matplotlib

    runs = trained(request)
    pairs = list(combinations(runs, 2))
    found: list[Comparison] = []
    for first, second in pairs:
        request.on_progress(f"figure 4: {first}, {second}", len(found), len(pairs))
        found.append(compared(runs[first], runs[second]))
    rows = [
        (own.first, own.second, episodes, own.seeds, band.mean, band.low, band.high)
        for own in found
        for episodes, band in zip(own.episodes, own.bands, strict=True)
    ]
    return {
        "figure-4.csv": csv_bytes(COLUMNS, rows),
        "figure-4.png": png_bytes(draw_performances(found)),
    }
