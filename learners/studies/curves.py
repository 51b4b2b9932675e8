"""Figures of learning: a panel for each game, a curve for each learner, with bands over seeds.

What is trained stands in a study's settings. Runs are kept, and made no second time; several
figures may look at the same runs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.errors import NotConverged
from learners.experiments.comparisons import Interval, mean_interval
from learners.experiments.config import ExperimentConfig, config_from
from learners.experiments.run_records import Run, Status
from learners.experiments.runs import sweep
from learners.options import Count, CountFromZero, checked
from learners.studies.files import csv_bytes, png_bytes
from learners.studies.registry import Files, Request

COLUMNS = ("game", "learner", "seeds", "at", "mean", "low", "high")
ENDS = ("game", "learner", "seeds", "mean", "low", "high", "least", "most")
LINES = 400  # about as many points of a run are kept
ITERATION = "iteration"


@dataclass(frozen=True)
@checked
class Trained:
    """A learner of a figure.

    Attributes:
        learner: Its name and options.
        iterations: By default; ``--scale`` makes a share or a multiple.
        before: Iterations that come before these at any scale.
        environment: How it plays, if it plays in batches.
    """

    learner: Mapping[str, Any]
    iterations: Count
    before: CountFromZero = 0
    environment: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
@checked
class Axes:
    """What a figure shows.

    Attributes:
        y: A metric of the learners.
        x: A metric as well, or ``"iteration"``.
        x_label, y_label: What people read.
        times: Of ``x``, such as episodes in an iteration.
        only_with: A metric; points without it are left out.
        most: Where the figure ends; 0 for where the runs end.
        points: Of a curve.
    """

    y: str
    x: str = ITERATION
    x_label: str = ""
    y_label: str = ""
    times: Count = 1
    only_with: str = ""
    most: int = 0
    points: Count = 60


@dataclass(frozen=True)
@checked
class CurveFigure:
    """What is trained for figures of curves.

    Attributes:
        games: Name -> table of a game, as files of experiments have it.
        learners: By name; each learns each game.
        seeds: How many, if none are asked for.
        is_judged: Whether what was learned is judged in the end, exactly.
    """

    axes: Axes
    games: Mapping[str, Mapping[str, Any]]
    learners: Mapping[str, Trained]
    seeds: Count
    is_judged: bool = False


@dataclass(frozen=True)
class Curve:
    """How a learner does in a game.

    Attributes:
        at: Where on the axis of a figure.
        bands: Of the mean over seeds.
    """

    game: str
    learner: str
    seeds: int
    at: tuple[float, ...]
    bands: tuple[Interval, ...]


@dataclass(frozen=True)
class End:
    """What learners were judged in the end.

    Attributes:
        values: Of each seed.
    """

    game: str
    learner: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class Level:
    """What curves are compared with: a line across a panel."""

    game: str
    words: str
    value: float


def experiment(figure: CurveFigure, game: str, name: str, request: Request) -> ExperimentConfig:
    """Return the experiment of a learner in a game, whose runs lie in a folder of their own."""
    own = figure.learners[name]
    iterations = own.before + request.scaled(own.iterations)
    return config_from(
        {
            "label": name,
            "output": str(request.folder / "runs" / game),
            "game": dict(figure.games[game]),
            **({"environment": dict(own.environment)} if own.environment else {}),
            "learner": dict(own.learner),
            "training": {
                "iterations": iterations,
                "seeds": list(request.seeds or range(figure.seeds)),
                "log_every": max(1, iterations // LINES),
            },
            "assessment": {"method": "exact" if figure.is_judged else "not"},
        },
        path=f"settings at {name}",
    )


def trained(figure: CurveFigure, request: Request) -> dict[tuple[str, str], tuple[Run, ...]]:
    """Train all learners in all games, but for runs that are there already.

    Returns:
        By the names of game and learner.

    Raises:
        NotConverged: If a run diverged.
        InvalidArgument: As ``run`` does.
    """
    pairs = [(game, name) for game in figure.games for name in figure.learners]
    found: dict[tuple[str, str], tuple[Run, ...]] = {}
    for done, (game, name) in enumerate(pairs):
        request.on_progress(f"training: {game}, {name}", done, len(pairs))
        runs = sweep(experiment(figure, game, name, request), jobs=request.jobs)
        bad = next((run for run in runs if run.status is not Status.FINISHED), None)
        if bad is not None:
            raise NotConverged(
                needs="runs that end",
                found=f"seed {bad.seed} of {name} in {game} is {bad.status.value}",
                remedy="",
            )
        found[game, name] = runs
    return found


def curves_of(figure: CurveFigure, request: Request, *, axes: Axes | None = None) -> list[Curve]:
    """Train what a figure shows, and return its curves.

    Args:
        axes: Default those of the figure.
    """
    return [
        curve(game, name, runs, axes or figure.axes)
        for (game, name), runs in trained(figure, request).items()
    ]


def curve(game: str, learner: str, runs: Sequence[Run], axes: Axes) -> Curve:
    """Return what a metric is over seeds, at evenly spread points.

    At a point counts the last number before it, so that runs need not report at the same places.
    """
    paths = [_path(run, axes) for run in runs]
    first = max(at[0] for at, _ in paths)
    last = min(at[-1] for at, _ in paths)
    grid = np.linspace(first, min(last, axes.most or last), axes.points)
    values = np.array(
        [own[np.searchsorted(at, grid, side="right") - 1] for at, own in paths], dtype=np.float64
    )
    return grid_curve(game, learner, grid, values)


def grid_curve(game: str, learner: str, at: FloatArray, values: FloatArray) -> Curve:
    """Return the curve of numbers at some points.

    Args:
        at (points,)
        values (seeds, points)

    >>> grid_curve("g", "l", np.ones(1), np.array([[2.0], [4.0]])).bands[0].mean
    3.0
    """
    bands = tuple(mean_interval(own.tolist()) for own in values.T)
    return Curve(game, learner, len(values), tuple(at.tolist()), bands)


def _path(run: Run, axes: Axes) -> tuple[FloatArray, FloatArray]:
    """Return where a run reported, and what; (points,) each."""
    points = [
        (own.iteration if axes.x == ITERATION else own.metrics[axes.x], own.metrics[axes.y])
        for own in run.curve
        if axes.y in own.metrics and (not axes.only_with or axes.only_with in own.metrics)
    ]
    if not points:
        raise NotConverged(
            needs=f"runs that come to report {axes.y!r}",
            found=f"seed {run.seed} of {run.label} ends before",
            remedy="Give a larger --scale.",
        )
    found = np.array(points, dtype=np.float64)
    return found[:, 0] * axes.times, found[:, 1]


def curve_files(
    name: str, curves: Sequence[Curve], axes: Axes, *, levels: Sequence[Level] = ()
) -> Files:
    """Return the data of a figure of curves, and its picture.

    Args:
        name: Of the files.
        levels: Lines across panels; they are rows of the data, too.
    """
    from learners.studies.curve_pictures import draw_curves  # noqa: PLC0415 matplotlib

    rows: list[tuple[Any, ...]] = [
        (own.game, own.learner, own.seeds, at, *_numbers(band))
        for own in curves
        for at, band in zip(own.at, own.bands, strict=True)
    ]
    rows += [(own.game, own.words, "", "", own.value, "", "") for own in levels]
    return {
        f"{name}.csv": csv_bytes(COLUMNS, rows),
        f"{name}.png": png_bytes(draw_curves(curves, axes, levels)),
    }


def _numbers(band: Interval) -> tuple[float | str, ...]:
    """Return a mean and its bounds, "" where one number says nothing about spread."""
    return (band.mean, *(own if isfinite(own) else "" for own in (band.low, band.high)))


def ends_of(figure: CurveFigure, finding: str, request: Request) -> list[End]:
    """Train what a figure shows, and return what was found in the end."""
    return [
        End(game, name, tuple(_finding(run, finding) for run in runs))
        for (game, name), runs in trained(figure, request).items()
    ]


def _finding(run: Run, name: str) -> float:
    return next(float(own.value) for own in run.findings if own.name == name)


def end_files(
    name: str, ends: Sequence[End], y_label: str, *, levels: Sequence[Level] = ()
) -> Files:
    """Return the data of a figure of bars, and its picture."""
    from learners.studies.curve_pictures import draw_ends  # noqa: PLC0415 matplotlib

    rows: list[tuple[Any, ...]] = []
    for own in ends:
        band = mean_interval(own.values)
        known = (*_numbers(band), min(own.values), max(own.values))
        rows.append((own.game, own.learner, len(own.values), *known))
    rows += [(own.game, own.words, "", own.value, "", "", "", "") for own in levels]
    return {
        f"{name}.csv": csv_bytes(ENDS, rows),
        f"{name}.png": png_bytes(draw_ends(ends, y_label, levels)),
    }
