"""The page of the record agent says what was recorded: of all bots, and of those held out."""

import csv
from pathlib import Path

import numpy as np
import pytest

from learners.roshambo import held_out_bots

DOCS = Path(__file__).parents[4] / "docs"


PAGE = (DOCS / "roshambo.md").read_text(encoding="utf-8")


def recorded(name):
    text = (DOCS / "examples" / "data" / "roshambo" / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def test_the_page_says_what_the_held_out_bots_paid():
    rows = recorded("held_out.csv")
    assert {row["bot"] for row in rows} == set(held_out_bots())
    mean = sum(float(row["mean"]) for row in rows) / len(rows)
    assert f"**{mean:.1f} ±" in PAGE
    assert min(float(row["mean"]) for row in rows) > 0


@pytest.mark.parametrize(
    ("agent", "bots"), [("context_mixing", 43), ("context_mixing, 64 embedded bots", 64)]
)
def test_the_page_says_what_all_others_paid(agent, bots):
    """Means, their standard error, of how many matches, and of which seed."""
    rows = [row for row in recorded("record.csv") if row["agent"] == agent]
    assert len(rows) == bots
    (count,), (seed,) = ({row[key] for row in rows} for key in ("matches", "seed"))
    n = int(count)
    means = np.array([int(row["sum"]) / n for row in rows])
    squares = np.array([int(row["sum_of_squares"]) / n for row in rows])
    error = np.sqrt((squares - means**2).sum() / (n - 1)) / bots
    assert f"**{means.mean():.1f} ± {error:.1f}**" in PAGE
    assert f"{n} matches" in PAGE
    assert f"`seed={seed}`" in PAGE
