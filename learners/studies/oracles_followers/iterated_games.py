"""Figures 1 and 8: leaders in twelve iterated games. Table 5: whom they end up committing to.

Table 6: the same of the Good Shepherd after as many steps as the paper gives him.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from statistics import fmean, median
from typing import Any

from gametheory_core.leaders.view import leader_view
from learners.experiments.run_records import Run
from learners.experiments.setup import game_of
from learners.leaders.commitments import stackelberg_values
from learners.studies.curves import CurveFigure, Level, curve_files, curves_of, experiment, trained
from learners.studies.files import csv_bytes
from learners.studies.oracles_followers.settings import settings
from learners.studies.registry import Files, Request

COLUMNS = (
    "game",
    "learner",
    "seeds",
    "value",
    "equilibria at the end",
    "mean return at the end",
    "mean regret at the end",
    "seeds that settle",
    "settled, median",
    "settled, most",
)
STEPS, RETURN, REGRET = "environment steps", "greedy return/leader", "regret/follower"
SHEPHERD = "ES-MD"
LAST = 0.1  # of what a run reported counts as its end


def certified_values(figure: CurveFigure, request: Request) -> dict[str, Fraction]:
    """Return by game what the best commitment is worth against a follower without a clock."""
    found: dict[str, Fraction] = {}
    name = next(iter(figure.learners))
    for game in figure.games:
        config = experiment(figure, game, name, request)
        values = stackelberg_values(leader_view(game_of(config.game)))
        found[game] = Fraction(values.stationary or values.time_aware)
    return found


def value_levels(figure: CurveFigure, request: Request) -> list[Level]:
    """Return the certified values as lines across panels."""
    values = certified_values(figure, request)
    return [Level(game, "certified value", float(value)) for game, value in values.items()]


def settled(run: Run, value: Fraction) -> float | None:
    """Return from which step on the greedy pair stays an equilibrium; None if it does not."""
    found = None
    for own in reversed([point.metrics for point in run.curve]):
        if own.get(RETURN) != value or own.get(REGRET) != 0:
            break
        found = own[STEPS]
    return found


def line(game: str, learner: str, runs: Sequence[Run], value: Fraction) -> tuple[Any, ...]:
    """Return a row of table 5."""
    ends = [run.curve[-1].metrics for run in runs]
    places = [settled(run, value) for run in runs]
    known = sorted(place for place in places if place is not None)
    is_most = len(known) > len(runs) / 2
    return (
        game,
        learner,
        len(runs),
        value,
        sum(own[RETURN] == value and own[REGRET] == 0 for own in ends),
        sum(own[RETURN] for own in ends) / len(ends),
        sum(own[REGRET] for own in ends) / len(ends),
        len(known),
        median(place if place is not None else float("inf") for place in places) if is_most else "",
        known[-1] if len(known) == len(runs) else "",
    )


def _figure(name: str, most: int, request: Request) -> Files:
    own = settings().iterated
    axes = replace(own.axes, most=most)
    levels = value_levels(own, request)
    return curve_files(name, curves_of(own, request, axes=axes), axes, levels=levels)


def make_figure_1(request: Request) -> Files:
    """Make figure 1."""
    return _figure("figure-1", settings().short, request)


def make_figure_8(request: Request) -> Files:
    """Make figure 8."""
    return _figure("figure-8", settings().iterated.axes.most, request)


def make_table_5(request: Request) -> Files:
    """Make table 5."""
    own = settings().iterated
    values = certified_values(own, request)
    rows = [
        line(game, name, runs, values[game]) for (game, name), runs in trained(own, request).items()
    ]
    return {"table-5.csv": csv_bytes(COLUMNS, rows)}


def at_full_scale() -> CurveFigure:
    """Return figure 1 with the Good Shepherd alone, for as long as the paper lets him learn."""
    own = settings().iterated
    shepherd = replace(own.learners[SHEPHERD], iterations=settings().full)
    return replace(own, learners={f"{SHEPHERD}, full scale": shepherd}, seeds=1)


def make_table_6(request: Request) -> Files:
    """Make table 6: where ES-MD ends after 1,280 million environment steps.

    A game takes about 150 seconds of CPU.
    """
    own = at_full_scale()
    values = certified_values(own, request)
    rows = [
        (
            *line(game, name, runs, values[game]),
            earned_at_the_end(runs),
            runs[0].curve[-1].metrics[STEPS],
        )
        for (game, name), runs in trained(own, request).items()
    ]
    columns = (*COLUMNS, "mean return while learning, at the end", "environment steps")
    return {"table-6.csv": csv_bytes(columns, rows)}


def earned_at_the_end(runs: Sequence[Run]) -> float:
    """Return what the policies that are tried earn, in the mean of the last reports."""
    ends = [run.curve[-max(1, round(LAST * len(run.curve))) :] for run in runs]
    return fmean(point.metrics[settings().iterated.axes.y] for own in ends for point in own)
