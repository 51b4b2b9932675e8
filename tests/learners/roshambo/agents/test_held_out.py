"""What the record agent was paid by bots that nobody chose it on, as recorded once."""

import csv
from pathlib import Path

import pytest

from learners.roshambo import ContextMixing, embedded_population, evaluate_bot, held_out_bots

DOCS = Path(__file__).parents[4] / "docs"
SEED = 20261205


def recorded():
    text = (DOCS / "examples" / "data" / "roshambo" / "held_out.csv").read_text(encoding="utf-8")
    return {row["bot"]: row for row in csv.DictReader(text.splitlines())}


def test_the_page_says_what_was_recorded():
    rows = recorded()
    assert set(rows) == set(held_out_bots())
    mean = sum(float(row["mean"]) for row in rows.values()) / len(rows)
    assert f"**{mean:.1f} ±" in (DOCS / "roshambo.md").read_text(encoding="utf-8")
    assert min(float(row["mean"]) for row in rows.values()) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hedge", "majority"])
def test_recorded_cells_are_played_again(name):
    bots, away = embedded_population(), held_out_bots()
    kept = {own: maker for own, maker in bots.items() if own in away}
    found = evaluate_bot(ContextMixing, kept, matches=100, seed=SEED)
    cell = recorded()[name]
    assert found.means[found.bots.index(name)] == pytest.approx(float(cell["mean"]), abs=0.06)
