"""The choice of the record agent by leaving bots out: the rules, and what the page says of them."""

import csv
import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.roshambo import ContextMixing, play_match, population_named
from learners.roshambo.tournaments.evaluation import match_seeds

DOCS = Path(__file__).parents[4] / "docs"
FILE = DOCS / "examples" / "data" / "roshambo" / "cross_validation.csv"
study = runpy.run_path(str(DOCS / "examples" / "choose_by_leaving_bots_out.py"))
best, smallest, held_out = study["best"], study["smallest"], study["held_out"]


@given(st.integers(0, 2**32 - 1))
def test_what_is_best_on_all_bots_is_paid_no_less_by_any_fold(seed):
    """Why means of a chosen candidate flatter: its fold's own bots helped to choose it."""
    rng = np.random.default_rng(seed)
    means, folds = rng.integers(0, 9, (4, 8)).astype(float), rng.integers(0, 3, 8)
    paid, chosen = held_out(means, np.ones(4), folds, best)
    assert len(chosen) == len(np.unique(folds))
    top = means[best(means, np.ones(4))]
    for fold in np.unique(folds):
        assert paid[folds == fold].sum() <= top[folds == fold].sum()


def test_what_one_bot_pays_is_not_seen_when_that_bot_is_left_out():
    means = np.array([[900.0, 0, 0, 0], [0, 10, 10, 10], [0, 0, 0, 0]])
    sizes, alone = np.array([5, 5, 1]), np.arange(4)
    assert best(means, sizes) == 0
    paid, chosen = held_out(means, sizes, alone, best)
    assert chosen == [1, 0, 0, 0]
    assert paid.tolist() == [0, 0, 0, 0]  # a choice that is worth nothing


def test_the_smallest_is_chosen_only_where_it_is_not_surely_worse():
    sizes = np.array([9, 1])
    unsure = np.array([[10.0, 0, 10, 0], [5, 4, 5, 5]])
    sure = np.array([[10.0, 0, 10, 0], [9, -1, 9, -1]])
    assert (smallest(unsure, sizes), smallest(sure, sizes)) == (1, 0)
    assert smallest(unsure, sizes[::-1]) == 0


def test_folds_hold_each_bot_once_and_are_of_the_sizes_that_are_named():
    names, sizes, bots, means = study["read"]()
    assert means.shape == (len(names), len(bots)) == (16, 43)
    assert set(bots) == set(" ".join(study["IDEAS"].values()).split())
    counts = {way: len(np.unique(own)) for way, own in study["ways_to_fold"](bots).items()}
    assert counts == {"one bot": 43, "10 folds": 10, "5 folds": 5, "an idea": len(study["IDEAS"])}
    assert sizes[names.index(study["WHOLE"])] == sizes.max()


def test_the_page_says_what_is_computed(capsys):
    study["main"]()
    page = (DOCS / "roshambo-record.md").read_text(encoding="utf-8")
    lines = [line for line in capsys.readouterr().out.splitlines() if " ± " in line]
    assert len(lines) == 16 + 2 * 4
    for line in lines:
        numbers = re.findall(r"-?\d+\.\d+(?: ± \d+\.\d+)?", line)
        assert any(all(number in own for number in numbers) for own in page.splitlines()), line


def test_a_recorded_cell_of_what_is_built_is_played_again():
    pytest.importorskip("pyspiel")
    bots = population_named("open_spiel")
    with FILE.open(newline="", encoding="utf-8") as file:
        own = [row for row in csv.DictReader(file) if row["candidate"] == "no_leaders"]
    cells = {row["bot"]: row for row in own}
    assert list(cells) == list(bots)
    cell, number = cells["textbot"], list(bots).index("textbot")
    paid = [
        play_match(
            ContextMixing(), bots["textbot"](), seeds=match_seeds(int(cell["seed"]), number, match)
        ).returns[0]
        for match in range(int(cell["matches"]))
    ]
    assert (sum(paid), sum(own * own for own in paid)) == (
        int(cell["sum"]),
        int(cell["sum_of_squares"]),
    )
