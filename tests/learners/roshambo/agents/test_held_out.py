"""What the record agent was paid by bots that nobody chose it on, as recorded once."""

import csv
from pathlib import Path

from learners.roshambo import held_out_bots

DOCS = Path(__file__).parents[4] / "docs"


def recorded():
    text = (DOCS / "examples" / "data" / "roshambo" / "held_out.csv").read_text(encoding="utf-8")
    return {row["bot"]: row for row in csv.DictReader(text.splitlines())}


def test_the_page_says_what_was_recorded():
    rows = recorded()
    assert set(rows) == set(held_out_bots())
    mean = sum(float(row["mean"]) for row in rows.values()) / len(rows)
    assert f"**{mean:.1f} ±" in (DOCS / "roshambo.md").read_text(encoding="utf-8")
    assert min(float(row["mean"]) for row in rows.values()) > 0
