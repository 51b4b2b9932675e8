"""Figure 5: how fair leaders become on the grid of resources, at its full size."""

import re
from functools import partial
from pathlib import Path

from gametheory_core.mediation.catalog import ResourceGridRules
from learners.studies.fair_leaders.learned import (
    COLUMNS,
    GRID_ITERATIONS,
    LearnedRow,
    cells_of,
    grid_rows,
    read_rows,
)
from learners.studies.files import csv_bytes, png_bytes, written_once
from learners.studies.parallel import in_parallel
from learners.studies.registry import Files, Request

POINTS = 8  # of a curve
SEEDS = 2
LED = ("full", "pre-final", "naive")  # selfish leaders are lines, exact, if they walk perfectly
GRIDS = {
    f"RC-{colors}, {players} players": ResourceGridRules(
        num_agents=players, has_both_colors=colors == 2
    )
    for players in (2, 4)
    for colors in (1, 2)
}


def make_figure_5(request: Request) -> Files:
    """Make the figure: four grids, three mediators; runs that are there are not made again.

    A run of 40,000 episodes takes two to four minutes of CPU; by default there are 24 of them.
    """
    iterations = request.scaled(GRID_ITERATIONS, least=POINTS)
    folder = request.folder / "runs" / "figure-5"
    folder.mkdir(parents=True, exist_ok=True)
    orders = [
        (folder, name, way, seed, iterations)
        for name in GRIDS
        for way in LED
        for seed in request.seeds or range(SEEDS)
    ]
    runs = in_parallel(learned_once, orders, request, what="figure 5: grids")
    return figure_files([row for own in runs for row in own])


def learned_once(
    folder: Path, name: str, way: str, seed: int, iterations: int
) -> tuple[LearnedRow, ...]:
    """Return the rows of a run, read back if it was made already.

    Args:
        folder: Of the runs' files.
        name: A key of ``GRIDS``.
    """
    words = re.sub(r"\W+", "-", f"{name} {way}")
    file = folder / f"{words}-seed-{seed}-iterations-{iterations}.csv"
    write = partial(_write, name=name, way=way, seed=seed, iterations=iterations)
    return read_rows(written_once(file, write))


def _write(file: Path, *, name: str, way: str, seed: int, iterations: int) -> None:
    rows = grid_rows(name, GRIDS[name], seed=seed, way=way, iterations=iterations, points=POINTS)
    file.write_bytes(csv_bytes(COLUMNS, cells_of(rows)))


def figure_files(rows: list[LearnedRow]) -> Files:
    """Return the data of the figure, and its picture: the grids of which there are rows.

    >>> rows = [LearnedRow("RC-2, 2 players", "full", seed, 100, 5.0, 8.0) for seed in range(2)]
    >>> sorted(figure_files(rows))
    ['figure-5.csv', 'figure-5.png']
    """
    from learners.studies.fair_leaders.pictures import draw_grids  # noqa: PLC0415 matplotlib

    named = {row.game for row in rows}
    grids = {name: rules for name, rules in GRIDS.items() if name in named}
    return {
        "figure-5.csv": csv_bytes(COLUMNS, cells_of(rows)),
        "figure-5.png": png_bytes(draw_grids(rows, grids)),
    }
