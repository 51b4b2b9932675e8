"""The study of fair leaders: tables, and figures at small scale, beside what is exact."""

import csv
import io
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import fmean

import pytest

from gametheory_core.mediation import EndRule
from learners.studies import Request, study_named
from learners.studies.fair_leaders import matrix_games
from learners.studies.fair_leaders.end_of_play import braking, chicken
from learners.studies.fair_leaders.grids import GRIDS
from learners.studies.fair_leaders.matrix_games import by_players
from learners.studies.fair_leaders.settings import settings

STUDY = study_named("fair_leaders")
DOCS = Path(__file__).parents[3] / "docs"
DATA = DOCS / "examples" / "data" / "fair-leaders"


def made(kind, number, tmp_path, **options):
    (piece,) = STUDY.chosen(**{kind: [number]})
    return piece.make(Request(tmp_path, **options))


def rows_of(content):
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_tables_2_and_3_are_the_papers(tmp_path):
    dilemma = rows_of(made("tables", 2, tmp_path)["table-2.csv"])
    assert [tuple(row.values()) for row in dilemma] == [
        ("cooperate", "2", "1"),
        ("defect", "3", "-2"),
    ]
    chickens = rows_of(made("tables", 3, tmp_path)["table-3.csv"])
    assert [tuple(row.values()) for row in chickens] == [
        ("straight", "7", "2"),
        ("swerve", "2", "7"),
        ("brake", "6", "6"),
    ]


def test_all_players_lead_in_turn(tmp_path):
    parts = by_players(settings().matrix, Request(tmp_path))
    assert [part.learners["in turn"].learner["order"] for part in parts] == [[0, 1], [0, 1, 2, 3]]
    assert [len(part.games) for part in parts] == [2, 2]


def best_plan(rule):
    """What the first player gets by the best plan for steps, by trying all."""
    game, found = chicken(rule), {}
    for plan in product(range(3), repeat=4):
        node, total = 0, 0.0
        for step, action in enumerate(plan):
            total += game.paid[step][node, action]
            node = int(game.follows[step][node, action])
        found[plan] = total
    return max(found.values())


@pytest.mark.parametrize(
    ("rule", "value"), [(None, 25), (EndRule.HISTORY_IDEAL, 24), (EndRule.STEP_IDEAL, 26)]
)
def test_the_experiment_of_figure_7_is_worth_what_theorems_say(rule, value):
    assert best_plan(rule) == value


def test_figure_7_a_threat_changes_the_last_step_only():
    options = settings().end_of_play
    free = [braking(None, options, episodes=3000, seed=seed)[-1] for seed in range(8)]
    bound = [braking(EndRule.HISTORY_IDEAL, options, episodes=3000, seed=s)[-1] for s in range(8)]
    assert {own[3] for own in free} == {0.0}
    assert {own[3] for own in bound} == {1.0}
    assert any(own[:3].all() for own in free)


def test_figure_3_has_learners_exact_rounds_and_optima(tmp_path, monkeypatch):
    own = settings().matrix
    two = {name: table for name, table in own.games.items() if "2 players" in name}
    small = replace(settings(), matrix=replace(own, games=two))
    monkeypatch.setattr(matrix_games, "settings", lambda: small)
    files = made("figures", 3, tmp_path, scale=0.02, seeds=(0, 1))
    rows = rows_of(files["figure-3.csv"])
    known = {(row["game"], row["learner"]): row for row in rows}
    assert len(rows) == 2 * (6 + 3 + 1)
    assert known["dilemma, 2 players", "full, exact"]["mean"] == "6"
    assert known["Chicken, 2 players", "exact optimum"]["mean"] == "24"
    assert known["Chicken, 2 players", "fixed"]["seeds"] == "2"


def test_the_page_has_figure_3_as_it_is_recorded():
    page = (DOCS / "fair-leaders-study.md").read_text(encoding="utf-8").replace("**", "")
    rows = rows_of((DATA / "figure-3.csv").read_bytes())
    shown = (*settings().matrix.learners, "exact optimum")
    assert len({row["game"] for row in rows}) == 4
    for game in settings().matrix.games:
        means = {row["learner"]: row["mean"] for row in rows if row["game"] == game}
        cells = [f"{round(float(means[name]), 2):g}" for name in shown]
        assert f"| {' | '.join([game, *cells])} |" in page.splitlines()


def test_the_page_has_the_ends_of_figure_5_as_they_are_recorded():
    page = (DOCS / "fair-leaders-study.md").read_text(encoding="utf-8")
    rows = rows_of((DATA / "figure-5.csv").read_bytes())
    ends: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        if row["episodes"] == "40000":
            ends.setdefault((row["game"], row["way"]), []).append(float(row["fairness"]))
    means = [f"{fmean(ends[game, 'full']):.2f}" for game in GRIDS]
    said = f"{means[0]} of 8 with one color and two players, {means[1]} with both"
    assert said in page
    assert f"with four players to {means[2]} and {means[3]}" in page
    lesser = [f"{fmean(ends['RC-2, 2 players', way]):.2f}" for way in ("naive", "pre-final")]
    assert f"`naive` and `pre-final` come to {lesser[0]} and {lesser[1]}" in page
