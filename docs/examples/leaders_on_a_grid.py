"""Deep JAM-Q-learning: the three games in tables, and the grid of resources at full size.

``python docs/examples/leaders_on_a_grid.py rates 0-19`` learns each game in tables with the default
options, from 20 seeds, and writes ``data/fair-leaders/deep.csv`` (about five minutes of CPU).
``... grid 'RC-2, 2 players' full 0-4`` learns one of the four grids, 6 by 6 cells and 60 steps,
one way, 40,000 episodes a seed (about two minutes of CPU each), and adds its rows to
``data/fair-leaders/figure-5.csv``. Processes that learn side by side each name a file of their own
at the end of the line; ``... merge FILE ...`` adds what such files hold.
``... draw`` draws what that file holds, and prints a table of it. Without arguments a few episodes
are played.
"""

import sys
from pathlib import Path

from gametheory_core.mediation import (
    mediated_chicken,
    mediated_prisoners_dilemma,
    resource_collection_two_colors,
)
from learners.studies.fair_leaders.grids import GRIDS, figure_files, table_lines
from learners.studies.fair_leaders.learned import (
    COLUMNS,
    GRID_ITERATIONS,
    ITERATIONS,
    WAYS,
    cells_of,
    grid_rows,
    learned_row,
    read_rows,
)
from learners.studies.files import csv_bytes
from solvers.mediation import fair_optimum

DATA = Path(__file__).parent / "data" / "fair-leaders"
FIGURE = DATA / "figure-5.csv"
PICTURE = Path(__file__).parents[1] / "images" / "leaders-on-a-grid.png"
TABLES = {
    "dilemma": mediated_prisoners_dilemma(),
    "Chicken": mediated_chicken(),
    "two colors": resource_collection_two_colors(),
}


def seeds_of(words):
    """Return seeds from words such as 0-19."""
    first, _, last = words.partition("-")
    return range(int(first), int(last or first) + 1)


def add_rows(file, rows):
    """Add rows to a file of data, in place of those of the same runs."""
    file.parent.mkdir(parents=True, exist_ok=True)
    known = read_rows(file) if file.exists() else ()
    again = {run_of(row) for row in rows}
    kept = [row for row in known if run_of(row) not in again]
    ordered = sorted([*kept, *rows], key=lambda row: (run_of(row), row.episodes))
    file.write_bytes(csv_bytes(COLUMNS, cells_of(ordered)))


def run_of(row):
    """Return which run a row belongs to, so that runs sort as the tables of the page do."""
    games = [*TABLES, *GRIDS]
    return games.index(row.game), list(WAYS).index(row.way), row.seed


def rates(seeds, iterations=ITERATIONS):
    """Learn the games in tables; return a row for each seed and game."""
    rows = []
    for name, game in TABLES.items():
        bound = float(fair_optimum(game).fairness)
        rows += [
            learned_row(name, game, seed=seed, bound=bound, iterations=iterations) for seed in seeds
        ]
        own = rows[-len(seeds) :]
        best = sum(row.fairness == row.bound for row in own)
        print(f"{name}: {best} of {len(own)} at the optimum, {bound:g}")
    return rows


def grid(name, way, seeds, iterations=GRID_ITERATIONS, points=8):
    """Learn a grid; return rows of all seeds."""
    rows = []
    for seed in seeds:
        own = grid_rows(name, GRIDS[name], seed=seed, way=way, iterations=iterations, points=points)
        print(
            f"{name}, {way}, seed {seed}: {own[-1].fairness:.2f} of {own[-1].bound:g}", flush=True
        )
        rows += own
    return rows


def draw():
    """Draw the curves that the file holds."""
    files = figure_files(list(read_rows(FIGURE)))
    PICTURE.write_bytes(files["figure-5.png"])


def main():
    match sys.argv[1:]:
        case ["rates", seeds]:
            add_rows(DATA / "deep.csv", rates(seeds_of(seeds)))
        case ["grid", name, way, seeds, *file]:
            for seed in seeds_of(seeds):
                add_rows(Path(*file or (FIGURE,)), grid(name, way, [seed]))
        case ["merge", *files]:
            add_rows(FIGURE, [row for file in files for row in read_rows(Path(file))])
        case ["draw"]:
            draw()
            print(*table_lines(read_rows(FIGURE)), sep="\n")
        case _:
            rates([0], iterations=1)
            grid("RC-2, 2 players", "full", [0], iterations=1, points=1)


if __name__ == "__main__":
    main()
