"""The page of the study shows what was recorded, and what was recorded is played again."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from learners.roshambo import play_match, population_named
from learners.roshambo.tournaments.evaluation import match_seeds
from learners.studies.rrps.runs import record_row
from learners.studies.rrps.settings import settings

ROOT = Path(__file__).parents[3]
DATA = ROOT / "docs" / "examples" / "data" / "rrps"
PAGE = (ROOT / "docs" / "rrps-study.md").read_text(encoding="utf-8")
# Table, agent, bot, seeds, matches for each of them.
PLAYED = [
    (3, "uniform", "rotatebot", (1, 2, 3, 4, 5), 10),
    (5, "RM, R = 0", "copybot", (2027,), 50),
    (7, "n-grams, K = 2", "greenberg", (2027,), 50),
    (7, "n-grams, K = 3, as player1", "rockbot", (2027,), 50),
]


def recorded(name):
    with (DATA / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6, 7, 8])
def test_tables_to_read_are_those_of_numbers(number):
    shown = (DATA / f"table-{number}.md").read_text(encoding="utf-8")
    head, _, *lines = [line[2:-2].split(" | ") for line in shown.splitlines()]
    found = recorded(f"table-{number}.csv")
    assert head == list(found[0])
    for cells, row in zip(lines, found, strict=True):
        for cell, own in zip(map(str.strip, cells), row.values(), strict=True):
            assert cell == own or float(cell) == pytest.approx(float(own), abs=0.0101)
    assert number == 8 or shown.partition("\n| mod1bot")[0] in PAGE


@pytest.mark.parametrize(("number", "agent", "bot", "seeds", "matches"), PLAYED)
def test_recorded_means_are_played_again(number, agent, bot, seeds, matches):
    pytest.importorskip("pyspiel")
    (row,) = [own for table in settings().tables.values() for own in table if own.name == agent]
    (cells,) = [own for own in recorded(f"table-{number}-by-bot.csv") if own["bot"] == bot]
    mean = replayed(row.agent, bot, seeds, matches)
    assert mean == pytest.approx(float(cells[agent]), abs=1e-3)


def test_the_recorded_return_of_the_record_is_played_again():
    pytest.importorskip("pyspiel")
    record = record_row()
    (line,) = [own for own in recorded("table-1.csv") if own["agent"] == record.name]
    (cell,) = [own for own in recorded("table-8.csv") if own["bot"] == "textbot"]
    seeds = range(1, 1 + int(line["seeds"]))
    matches = int(line["matches a bot"]) // len(seeds)
    mean = replayed(record.agent, "textbot", seeds, matches)
    assert mean == pytest.approx(float(cell[record.name]), abs=1e-3)


def replayed(agent, bot, seeds, matches):
    """Return the mean of the matches that ``evaluate_bot`` plays with one of all bots."""
    bots = population_named("open_spiel")
    number = list(bots).index(bot)
    paid = [
        play_match(agent(), bots[bot](), seeds=match_seeds(seed, number, match)).returns[0]
        for seed in seeds
        for match in range(matches)
    ]
    return np.mean(paid)


def test_the_page_names_the_numbers_of_the_record():
    (line,) = [own for own in recorded("table-1.csv") if own["agent"] == record_row().name]
    mean, error = (float(line[key]) for key in ("population return", "standard error"))
    assert f"population return {mean:.1f} ± {error:.1f}" in PAGE
    found = re.search(r"by\n(\d+) of the 43 bots, and less by (\d+):", PAGE)
    z = np.array([float(row["z"] or 0) for row in recorded("table-8.csv")])
    assert found is not None
    assert [int(own) for own in found.groups()] == [(z >= 2).sum(), (z <= -2).sum()]


def test_the_page_names_the_numbers_of_poprl():
    """Of figure 5 all settings, and the best of them in figure 7."""
    found = recorded("figure-5.csv")
    for row in found:
        named = ("population return", "exploitability", "cross-fitted exploitability")
        cells = " | ".join(f"{round(float(row[key]) + 1e-9, 1):.1f}" for key in named)
        assert f"| `rho` = {row['rho']}, `p` = {row['p']} | {cells} |" in PAGE
    best = max(found, key=lambda row: float(row["aggregate score"]))
    by_bot = recorded("figure-7.csv")
    paid = [float(row[f"PopRL, {best['setting']}"]) for row in by_bot]
    assert len(paid) == 43
    assert np.mean(paid) == pytest.approx(float(best["population return"]), rel=1e-4)
    z = np.array([float(row["z"] or 0) for row in by_bot])
    assert ((z <= -2).sum(), (z >= 2).sum()) == (37, 0)
    assert "by 37 of the 43 bots, and more\nby none" in PAGE
