"""Table 2, figures 4 and 8: how well networks forecast what bots throw.

Which bots were learned from, and whether one network does for all. Beside the network stand counts,
which learn from nobody but the bot that is watched.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from learners.studies.files import csv_bytes, png_bytes
from learners.studies.registry import Files, Request
from learners.studies.rrps.lines import page_table
from learners.studies.rrps.runs import runs_folder
from learners.studies.rrps.settings import population, seeds_of, settings

if TYPE_CHECKING:
    from learners.roshambo.prediction import Effort
    from learners.roshambo.prediction.predictability import OnRound
    from learners.roshambo.prediction.throw_predictor import Round

ORDERS = (0, 1, 2, 3)  # of the counts
LEAST_BLOCK = 4  # matches that are drawn at a time, where few throws are learned from


def _effort(request: Request, frames: int) -> "Effort":
    from learners.roshambo.prediction import Effort, PredictorOptions  # noqa: PLC0415 torch

    own = settings().forecasts
    amount = request.scaled(frames)
    block = min(PredictorOptions().matches, max(LEAST_BLOCK, amount // own.throws))
    options = PredictorOptions(matches=block, step_size=own.step_size)
    return Effort(options, amount, own.matches, own.throws)


def _folder(request: Request, piece: str, frames: int) -> Path:
    """Return where checkpoints lie: those of another amount are others."""
    folder = runs_folder(request) / f"forecasts_{piece}_frames_{frames}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _watch(request: Request, frames: int) -> "OnRound":
    def watch(name: str, made: "Round") -> None:
        request.on_progress(name, made.frames, frames)

    return watch


def make_table_2(request: Request) -> Files:
    """Make table 2: a split of the bots for each seed."""
    from learners.roshambo.prediction import BackOff, split_bots, table_2  # noqa: PLC0415 torch

    bots, own = population(), settings().forecasts
    effort = _effort(request, own.table_frames)
    seeds = seeds_of(request)
    out = max(1, round(own.held_out * len(bots)))
    found = table_2(
        bots,
        [split_bots(tuple(bots), held_out=out, seed=seed) for seed in seeds],
        seed=seeds[0],
        effort=effort,
        baselines={f"counts of {order} throws": BackOff(order) for order in ORDERS},
        folder=_folder(request, "table_2", effort.frames),
        on_round=_watch(request, effort.frames),
    )
    columns = ("forecaster", "bot", "co-player", "right, %", "standard error", "splits", "paper's")
    rows = [
        (name, bot, co_player, *right, len(seeds), None if f else own.paper[2 * b + c])
        for f, name in enumerate(found.forecasters)
        for b, bot in enumerate(("training", "held out"))
        for c, co_player in enumerate(("training", "held out"))
        for right in [[100 * float(part[f, b, c]) for part in (found.means, found.errors_of_means)]]
    ]
    return {"table-2.csv": csv_bytes(columns, rows), "table-2.md": page_table(columns, rows)}


def _figures(request: Request) -> Any:
    from learners.roshambo.prediction import figure_4  # noqa: PLC0415 torch

    effort = _effort(request, settings().forecasts.figure_frames)
    seed, folder = seeds_of(request)[0], _folder(request, "figures", effort.frames)
    watch = _watch(request, effort.frames)
    own = figure_4(population(), seed=seed, effort=effort, folder=folder, on_round=watch)
    return own, {"seed": seed, "effort": effort, "folder": folder, "on_round": watch}


def make_figure_4(request: Request) -> Files:
    """Make figure 4: a network for each bot, judged against each co-player."""
    from learners.figures.predictability import draw_accuracy_table  # noqa: PLC0415 matplotlib

    own, _ = _figures(request)
    picture = draw_accuracy_table(own).figure
    return {"figure-4.csv": own.to_csv().encode(), "figure-4.png": png_bytes(picture)}


def make_figure_8(request: Request) -> Files:
    """Make figure 8: a network for each bot beside one for all."""
    from learners.figures.predictability import draw_accuracy_comparison  # noqa: PLC0415 matplotlib
    from learners.roshambo.prediction import figure_8  # noqa: PLC0415 torch

    own, options = _figures(request)
    found = figure_8(population(), own, **options)
    picture = draw_accuracy_comparison(found).figure
    return {"figure-8.csv": found.to_csv().encode(), "figure-8.png": png_bytes(picture)}
