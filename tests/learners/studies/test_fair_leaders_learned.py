"""Deep JAM-Q-learning: the recorded rates, a sample beside them, and the rows of curves."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from gametheory_core import InvalidArgument, mediation
from gametheory_core.mediation.fairness import MediatorStage
from gametheory_core.testing.statistics import binomial_tail
from learners.studies import Request
from learners.studies.fair_leaders import grids
from learners.studies.fair_leaders.learned import (
    COLUMNS,
    WAYS,
    LearnedRow,
    cells_of,
    curves_of,
    grid_rows,
    learned_row,
    read_rows,
    selfish_levels,
)
from learners.studies.files import csv_bytes
from solvers.mediation import fair_optimum
from tests.learners.mediation.games import CHICKEN, DILEMMA, TWO_COLORS

ROOT = Path(__file__).parents[3]
DATA = ROOT / "docs" / "examples" / "data" / "fair-leaders"
GAMES = {"dilemma": DILEMMA, "Chicken": CHICKEN, "two colors": TWO_COLORS}
SMALL = mediation.ResourceGridRules(size=3, steps=6)


def recorded(name):
    return [row for row in read_rows(DATA / "deep.csv") if row.game == name]


def successes(rows):
    return sum(row.fairness == row.bound for row in rows)


@pytest.mark.parametrize("name", GAMES)
def test_recorded_seeds_are_the_first_twenty_and_their_bound_the_optimum(name):
    rows = recorded(name)
    assert [row.seed for row in rows] == list(range(20))
    assert {row.bound for row in rows} == {float(fair_optimum(GAMES[name]).fairness)}
    assert {row.episodes for row in rows} == {16_000}
    assert all(row.fairness <= row.bound for row in rows)


@pytest.mark.parametrize("name", GAMES)
def test_recorded_rate_is_what_the_page_says(name):
    page = (ROOT / "docs" / "jam-q-learning.md").read_text(encoding="utf-8")
    count = successes(recorded(name))
    assert count >= 18
    assert f"| {name} | {count} of 20 |" in page


def test_recorded_grids_are_what_the_page_says():
    page = (ROOT / "docs" / "jam-q-learning.md").read_text(encoding="utf-8").splitlines()
    rows = read_rows(DATA / "figure-5.csv")
    assert {row.game for row in rows} <= set(grids.GRIDS)
    assert all(0 <= row.fairness <= row.bound == 8 for row in rows)
    lines = grids.table_lines(rows)
    assert len(lines) == len({(row.game, row.way) for row in rows}) > 0
    assert set(lines) == {line for line in page if line.startswith("| RC-")}


def test_fresh_sample_agrees_with_the_recorded_rate():
    """Of two fresh seeds in two colors one at least reaches the optimum.

    The lowest rate that 20 of 20 allow with 97.5 % is 0.83; then both would fail with a chance of
    3 %.
    """
    count = successes(recorded("two colors"))
    lowest = next(
        p / 1000 for p in range(1000) if binomial_tail(count, 20, p / 1000) >= 0.05
    )  # two-sided
    assert (1 - lowest) ** 2 < 0.03
    rows = [learned_row("two colors", TWO_COLORS, seed=seed, bound=8) for seed in (30, 31)]
    assert successes(rows) >= 1


@pytest.mark.slow  # half a minute
@pytest.mark.parametrize("name", ["dilemma", "Chicken"])
def test_fresh_samples_agree_with_the_recorded_rates(name):
    bound = recorded(name)[0].bound
    rows = [learned_row(name, GAMES[name], seed=seed, bound=bound) for seed in (30, 31)]
    assert successes(rows) >= 1


def test_too_little_learning_misses_the_optimum():
    """The counterexample: what 20 iterations have learned of Chicken is not fair."""
    assert learned_row("Chicken", CHICKEN, seed=0, bound=24, iterations=20).fairness < 24


def test_naive_mediators_stay_below():
    row = learned_row(
        "two colors", TWO_COLORS, seed=0, bound=8, stage=MediatorStage.NAIVE, iterations=40
    )
    assert row.way == "naive"
    assert row.fairness < 8


@pytest.mark.parametrize("way", WAYS)
def test_rows_of_a_grid_are_judged_on_the_way(way):
    rows = grid_rows("small", SMALL, seed=1, way=way, iterations=3, points=3)
    assert [(row.way, row.seed, row.episodes) for row in rows] == [
        (way, 1, 100), (way, 1, 200), (way, 1, 300),
    ]  # fmt: skip
    assert all(0 <= row.fairness <= row.bound == 8 for row in rows)


def test_same_seed_learns_the_same():
    pair = [grid_rows("small", SMALL, seed=2, iterations=2, points=1) for _ in range(2)]
    assert pair[0] == pair[1]


def test_rows_read_back(tmp_path):
    rows = (
        LearnedRow("a", "full", 3, 100, 5.25, 8.0),
        LearnedRow("b", "in turn", 4, 200, 6.0, 8.0),
    )
    file = tmp_path / "rows.csv"
    file.write_bytes(csv_bytes(COLUMNS, cells_of(rows)))
    assert read_rows(file) == rows
    file.write_text("game,seed\n")
    with pytest.raises(InvalidArgument, match="needs the columns game, way"):
        read_rows(file)


def test_curves_have_bands_over_seeds():
    values = np.array([[1.0, 2.0, 6.0], [4.0, 4.0, 4.0]])
    rows = [
        LearnedRow("a", "full", seed, 100 * (time + 1), float(values[time, seed]), 8.0)
        for seed in range(3)
        for time in range(2)
    ]
    (curve,) = curves_of(rows, "a")
    assert (curve.seeds, curve.iterations, curve.mean) == (3, (100, 200), (3.0, 4.0))
    half = 4.303 * np.std([1, 2, 6], ddof=1) / 3**0.5  # Student's t of two degrees of freedom
    assert curve.high[0] - 3 == pytest.approx(half, rel=1e-3)
    assert curve.low[1] == curve.high[1] == 4
    (alone,) = curves_of(rows[:2], "a")
    assert alone.low == alone.mean == alone.high
    with pytest.raises(InvalidArgument, match="none is of 'b'"):
        curves_of(rows, "b")
    with pytest.raises(InvalidArgument, match="judged at the same times"):
        curves_of(rows[:-1], "a")


def test_lines_of_selfish_leaders_need_as_many_of_each_color():
    with pytest.raises(InvalidArgument, match="an even number"):
        selfish_levels(mediation.ResourceGridRules(num_agents=3))


def test_figure_is_made_from_runs_that_are_kept(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(grids, "GRIDS", {"small, 2 players": SMALL})
    monkeypatch.setattr(grids, "LED", ("full", "vote"))
    request = Request(tmp_path, scale=8 / 400, seeds=(0, 1))
    files = grids.make_figure_5(request)
    assert files["figure-5.png"].startswith(b"\x89PNG")
    (tmp_path / "figure-5.csv").write_bytes(files["figure-5.csv"])
    rows = read_rows(tmp_path / "figure-5.csv")
    assert {(row.way, row.seed) for row in rows} == {
        (way, seed) for way in ("full", "vote") for seed in (0, 1)
    }
    assert [row.episodes for row in rows[:8]] == [100 * k for k in range(1, 9)]
    monkeypatch.setattr(grids, "grid_rows", None)  # nothing is learned again
    assert grids.make_figure_5(request) == files


def test_unknown_ways_are_refused():
    with pytest.raises(InvalidArgument, match="one of full, pre-final"):
        grid_rows("small", SMALL, seed=0, way="best", iterations=1, points=1)
