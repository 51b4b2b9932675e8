"""Figure 5: how fair leaders become on the grid of resources, at its full size."""

import re
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean

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
TIMES = (5_000, 10_000, 20_000, 40_000)  # episodes, in tables
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


def table_lines(rows: Iterable[LearnedRow]) -> tuple[str, ...]:
    """Return a line of a table for each grid and way: means over seeds on the way, and all ends.

    >>> run = [LearnedRow("RC-2, 2 players", "full", 0, 5000 * k, k / 2, 8.0) for k in (1, 2, 8)]
    >>> table_lines([*run, LearnedRow("RC-2, 2 players", "full", 1, 40_000, 5.0, 8.0)])
    ('| RC-2, 2 players | full | 0, 1 | 0.50 | 1.00 | - | 4.50 | 4.00, 5.00 |',)
    """
    found: dict[tuple[str, str], dict[int, dict[int, float]]] = {}
    for row in rows:
        times = found.setdefault((row.game, row.way), {}).setdefault(row.episodes, {})
        times[row.seed] = row.fairness
    lines = []
    for (game, way), times in found.items():
        seeds = sorted({seed for own in times.values() for seed in own})
        means = [_shown([fmean(times[t].values())] if t in times else []) for t in TIMES]
        ends = _shown([times[TIMES[-1]][seed] for seed in sorted(times.get(TIMES[-1], {}))])
        cells = (game, way, ", ".join(map(str, seeds)), *means, ends)
        lines.append(f"| {' | '.join(cells)} |")
    return tuple(lines)


def _shown(numbers: Sequence[float]) -> str:
    return ", ".join(f"{number:.2f}" for number in numbers) or "-"


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
