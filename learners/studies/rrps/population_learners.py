"""Figures 5, 6 and 7, and table 4: networks that learn against bots, themselves, or both.

Figure 5 has PopRL by its two options, the share of the loss that is identification and the chance
of meeting itself. Figure 7 shows the best of them bot by bot; it is picked by the same matches,
which flatters it a little. Figure 6 trains exploiters on a part of the bots and judges them by the
rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from learners.roshambo.prediction.watched_matches import split_bots
from learners.roshambo.tournaments.payoff_tables import PayoffTable
from learners.studies.files import csv_bytes, png_bytes
from learners.studies.parallel import in_parallel
from learners.studies.registry import Files, Request
from learners.studies.rrps.bot_tables import best_line
from learners.studies.rrps.learned import Learned
from learners.studies.rrps.lines import line_of, page_table, rows_named
from learners.studies.rrps.record import beside
from learners.studies.rrps.runs import pairs, played, runs_folder, slug
from learners.studies.rrps.settings import LearnedRow, Row, population, rows_of, seeds_of, settings

TABLE = "population_learners"
BOTS = ("training", "held out")


@dataclass(frozen=True)
class Setting:
    """What PopRL scored at one setting, over seeds.

    Attributes:
        told, self_play: Share of the loss that is identification; chance of meeting itself.
        episodes: Of training.
        returned, exploited, crossed: Population return, and exploitability as published and
            cross-fitted; means over seeds.
        scores: Aggregate scores, of each seed.
    """

    name: str
    told: float
    self_play: float
    episodes: int
    returned: float
    exploited: float
    crossed: float | None
    scores: tuple[float, ...]

    @property
    def score(self) -> float:
        """The mean aggregate score."""
        return float(np.mean(self.scores))

    @property
    def error(self) -> float | None:
        """The standard error of the mean over seeds; None of one seed."""
        return standard_error(self.scores)


def standard_error(values: Sequence[float]) -> float | None:
    """Return the standard error of a mean; None of one value.

    >>> standard_error([1.0, 3.0]), standard_error([1.0])
    (1.0, None)
    """
    return float(np.std(values, ddof=1) / sqrt(len(values))) if len(values) > 1 else None


def setting_of(row: Row, found: PayoffTable, episodes: int) -> Setting:
    """Return what a row of PopRL scored, by a table with an agent for each seed."""
    agent = cast("Learned", row.agent)
    standing = cast("Any", line_of(row, found).found)
    return Setting(
        row.name,
        float(agent.learner.get("auxiliary_weight", 0.0)),
        agent.self_play,
        episodes,
        standing.population_return,
        standing.exploitability,
        standing.cross_fitted,
        tuple(found.standing(found.agents[k]).aggregate_score for k in rows_named(row.name, found)),
    )


def make_figure_5(request: Request) -> Files:
    """Make figure 5."""
    from learners.studies.rrps.pictures import draw_settings  # noqa: PLC0415 matplotlib

    rows = rows_of(TABLE, request)
    found = played(rows, request)
    settings_ = [
        setting_of(row, found, request.scaled(cast("Learned", row.agent).episodes)) for row in rows
    ]
    columns = (
        "setting",
        "rho",
        "p",
        "matches of training",
        "seeds",
        "population return",
        "exploitability",
        "cross-fitted exploitability",
        "aggregate score",
        "standard error",
    )
    written = [
        (
            own.name,
            own.told,
            own.self_play,
            own.episodes,
            len(own.scores),
            own.returned,
            own.exploited,
            "" if own.crossed is None else own.crossed,
            own.score,
            "" if own.error is None else own.error,
        )
        for own in settings_
    ]
    return {
        "figure-5.csv": csv_bytes(columns, written),
        "figure-5.png": png_bytes(draw_settings(settings_, settings().figure_5.paper)),
    }


def make_figure_7(request: Request) -> Files:
    """Make figure 7: the setting of figure 5 with the best score, beside a bot."""
    from learners.studies.rrps.pictures import draw_beside  # noqa: PLC0415 matplotlib

    rows, other = rows_of(TABLE, request), settings().record.beside
    found = played(rows, request)
    best = best_line([line_of(row, found) for row in rows]).name
    compared = beside(best, found, pairs(request), other)
    columns = ("bot", f"PopRL, {best}", "standard error", other, "its standard error", "z")
    written = [
        (
            one.bot,
            one.own,
            one.own_error,
            one.other,
            one.other_error,
            "" if one.z is None else one.z,
        )
        for one in compared
    ]
    return {
        "figure-7.csv": csv_bytes(columns, written),
        "figure-7.png": png_bytes(draw_beside(compared, f"PopRL, {best}", other)),
    }


def generalization(
    row: LearnedRow, seed: int, request: Request
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Train on the bots of a split, and judge by them and by the others after each part.

    Returns:
        Mean returns (parts,) from bots that were trained against, and from those held out.
    """
    own, bots, folder = settings().figure_6, population(), runs_folder(request)
    count = round(own.held_out * len(bots))
    away = set(split_bots(tuple(bots), held_out=count, seed=seed))
    split = [{k: v for k, v in bots.items() if (k in away) is is_out} for is_out in (False, True)]
    whole = request.scaled(row.agent.episodes)
    stem = f"figure_6_{slug(row.name)}_seed_{seed}_episodes_{whole}"
    matches = request.scaled(settings().matches, least=2)
    paid = np.zeros((2, own.parts))
    for part in range(own.parts):
        episodes = max(1, round(whole * (part + 1) / own.parts))
        file = folder / f"{stem}_part_{part + 1}_of_{own.parts}.policy.zip"
        if not file.exists():
            checkpoint = folder / f"{stem}.checkpoint.zip"
            row.agent.train_on(checkpoint, file, split[0], episodes, seed)
        for k, judges in enumerate(split):
            found = row.agent.scores(
                file,
                judges,
                matches=matches,
                seed=settings().judging_seed,
                record=file.with_name(f"{file.stem}_by_{BOTS[k].replace(' ', '_')}.zip"),
            )
            paid[k, part] = found.population_return
    return paid[0], paid[1]


def make_figure_6(request: Request) -> Files:
    """Make figure 6: returns from bots held out, along training."""
    from learners.studies.rrps.pictures import draw_generalization  # noqa: PLC0415 matplotlib

    own, seeds = settings().figure_6, seeds_of(request)
    orders = [(row, seed, request) for row in own.rows for seed in seeds]
    found = np.array(in_parallel(generalization, orders, request, what="splits"))
    paid = found.reshape(len(own.rows), len(seeds), 2, own.parts)
    columns = ("learner", "bots", "matches of training", "splits", "return", "standard error")
    rows: list[tuple[Any, ...]] = []
    for k, row in enumerate(own.rows):
        whole = request.scaled(row.agent.episodes)
        for b, bots in enumerate(BOTS):
            for part in range(own.parts):
                values = paid[k, :, b, part].tolist()
                error = standard_error(values)
                episodes = max(1, round(whole * (part + 1) / own.parts))
                mean = float(np.mean(values))
                rows.append(
                    (row.name, bots, episodes, len(seeds), mean, "" if error is None else error)
                )
    return {
        "figure-6.csv": csv_bytes(columns, rows),
        "figure-6.png": png_bytes(draw_generalization(rows, own.paper)),
    }


def make_table_4(request: Request) -> Files:
    """Make table 4: independent learners that see a hundred and a thousand throws."""
    own = settings().table_4
    rows = [Row(row.name, row.agent) for row in own.rows]
    found = played(rows, request, matches=own.matches)
    columns = (
        "agent",
        "seeds",
        "matches of training",
        "paper's matches",
        "matches a bot",
        "population return",
        "standard error",
        "exploitability",
        "cross-fitted exploitability",
        "aggregate score",
        "paper's aggregate score",
    )
    written: list[tuple[Any, ...]] = []
    for row, line in zip(own.rows, (line_of(each, found) for each in rows), strict=True):
        standing = cast("Any", line.found)
        written.append(
            (
                row.name,
                line.seeds,
                request.scaled(row.agent.episodes),
                row.episodes,
                line.matches,
                standing.population_return,
                standing.standard_error,
                standing.exploitability,
                standing.cross_fitted,
                standing.aggregate_score,
                row.score,
            )
        )
    table = [["" if cell is None else cell for cell in row] for row in written]
    return {
        "table-4.csv": csv_bytes(columns, table),
        "table-4.md": page_table(columns, written),
        "table-4-payoffs.json": found.to_json().encode(),
    }
