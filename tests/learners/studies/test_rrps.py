"""The study of evaluation by a population, at a tiny scale and with few bots."""

import csv
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from gametheory_core.errors import InvalidArgument
from learners.__main__ import main
from learners.roshambo import PayoffTable, PopulationScores, population_named
from learners.roshambo.tournaments.entrants import POPULATIONS
from learners.studies import Kind, Request, reproduce, study_named
from learners.studies.rrps import settings as settings_file
from learners.studies.rrps.agent_tables import TABLES
from learners.studies.rrps.agents import Mixed, NGrams, QLearning, Regret
from learners.studies.rrps.bot_tables import best_line
from learners.studies.rrps.lines import Line, line_of, pooled_row
from learners.studies.rrps.runs import played, seeded
from learners.studies.rrps.settings import Row, rows_of, seeds_of, settings
from tests.learners.roshambo.published_table import printed_ranking

STUDY = study_named("rrps")
SCALE = 0.002
POPRL, ANY = "population_learners", Request(Path())
FEW = ("greenberg", "randbot", "rockbot")


@pytest.fixture(scope="module", autouse=True)
def few_throws(tmp_path_factory):
    """Let what is learned by networks play short matches."""
    text = settings_file.FILE.read_text("utf-8")
    short = tmp_path_factory.mktemp("settings") / "settings.toml"
    short.write_text(text.replace('kind = "Learned",', 'kind = "Learned", throws = 40,'), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings_file, "FILE", short)
        settings.cache_clear()
        yield
    settings.cache_clear()


@pytest.fixture(scope="module", autouse=True)
def few_bots():
    pytest.importorskip("pyspiel")
    everybody = population_named("open_spiel")
    few = {name: everybody[name] for name in FEW}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(POPULATIONS, "open_spiel", lambda throws: few)
        yield few


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    pytest.importorskip("matplotlib")
    found = tmp_path_factory.mktemp("rrps")
    made = reproduce(STUDY.pieces, Request(found, scale=SCALE, seeds=(0,)))
    assert set(made) == {piece.name for piece in STUDY.pieces}
    return found


def piece(kind, number):
    (found,) = [own for own in STUDY.pieces if (own.kind, own.number) == (kind, number)]
    return found


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def outputs(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


# What is made


def test_every_piece_has_its_data(folder):
    names = set(outputs(folder))
    for own in STUDY.pieces:
        assert f"{own.kind.value}-{own.number}.csv" in names
        ending = "png" if own.kind is Kind.FIGURE else "md"
        assert f"{own.kind.value}-{own.number}.{ending}" in names


def test_the_ranking_of_bots_is_that_of_their_payoffs(folder):
    text = (folder / "table-6-payoffs.json").read_text("utf-8")
    table = PayoffTable.from_json(text)
    found = rows(folder / "table-6.csv")
    assert [row["agent"] for row in found] == [own.agent for own in table.ranking()]
    assert {row["matches a bot"] for row in found} == {"2"}
    for row in found:
        assert row["dominates"] == ", ".join(table.dominated(row["agent"]))
    figure = PayoffTable.from_csv((folder / "figure-2.csv").read_text("utf-8"), matches=2)
    assert (figure.means == table.means).all()


@pytest.mark.parametrize("number", [3, 5, 7])
def test_tables_of_agents_have_all_rows_and_the_paper_beside_them(folder, number):
    expected = [row for name in TABLES[number] for row in settings().tables[name]]
    found = rows(folder / f"table-{number}.csv")
    assert [row["agent"] for row in found] == [row.name for row in expected]
    for row, own in zip(found, expected, strict=True):
        assert bool(row["population return"]) == (own.agent is not None)
        assert bool(row["paper's return"]) == (own.paper is not None)
        if own.paper is not None:
            assert float(row["paper's exploitability"]) == pytest.approx(own.paper[1], abs=0.01)


def test_means_by_bot_end_with_what_the_table_says(folder):
    by_bot = {row["bot"]: row for row in rows(folder / "table-7-by-bot.csv")}
    for row in rows(folder / "table-7.csv"):
        if row["population return"]:
            means = [float(by_bot[bot][row["agent"]]) for bot in FEW]
            assert np.mean(means) == pytest.approx(float(row["population return"]), rel=1e-4)
            assert -min(means) == pytest.approx(float(row["exploitability"]), rel=1e-4)
            foot = by_bot["aggregate score"][row["agent"]]
            assert float(foot) == pytest.approx(float(row["aggregate score"]), rel=1e-4)


def test_the_best_of_each_class_is_one_of_its_rows(folder):
    names = [row["agent"] for row in rows(folder / "table-1.csv")]
    assert names[0] == "greenberg"
    assert names[-1] == settings().record.name
    for words, table in (("independent learner", "independent"), ("PopRL", "population_learners")):
        (name,) = [name for name in names if name.startswith(f"{words}: ")]
        assert name.removeprefix(f"{words}: ") in [row.name for row in settings().tables[table]]


def test_scores_of_poprl_are_those_of_its_matches(folder):
    """And the best of them stands beside Greenberg bot by bot, and in table 1."""
    found = rows(folder / "figure-5.csv")
    assert [row["setting"] for row in found] == [own.name for own in rows_of(POPRL, ANY)]
    for row in found:
        gap = float(row["population return"]) - float(row["exploitability"])
        assert float(row["aggregate score"]) == pytest.approx(gap, abs=2e-3)
    best = max(found, key=lambda row: float(row["aggregate score"]))
    by_bot = rows(folder / "figure-7.csv")
    paid = [float(row[f"PopRL, {best['setting']}"]) for row in by_bot]
    assert paid == sorted(paid, reverse=True)
    assert np.mean(paid) == pytest.approx(float(best["population return"]), rel=1e-4, abs=1e-3)
    assert -min(paid) == pytest.approx(float(best["exploitability"]), rel=1e-4, abs=1e-3)
    names = [row["agent"] for row in rows(folder / "table-1.csv")]
    assert f"PopRL: {best['setting']}" in names


def test_exploiters_of_some_are_judged_by_both_after_each_part(folder):
    own = settings().figure_6
    found = rows(folder / "figure-6.csv")
    assert len(found) == 2 * len(own.rows) * own.parts
    assert {row["bots"] for row in found} == {"training", "held out"}
    assert {row["splits"] for row in found} == {"1"}


def test_long_pasts_have_the_paper_beside_them(folder):
    for row, own in zip(rows(folder / "table-4.csv"), settings().table_4.rows, strict=True):
        assert row["agent"] == own.name
        assert float(row["paper's aggregate score"]) == own.score
        gap = float(row["population return"]) - float(row["exploitability"])
        assert float(row["aggregate score"]) == pytest.approx(gap, abs=2e-3)


def test_exploiters_beat_the_bot_that_they_were_trained_against(folder):
    (rock,) = [row for row in rows(folder / "figure-3.csv") if row["bot"] == "rockbot"]
    for recall in settings().exploiters.recalls:
        assert float(rock[f"learned, R = {recall}"]) > 900


def test_the_record_stands_beside_greenberg_bot_by_bot(folder):
    found = {row["bot"]: row for row in rows(folder / "table-8.csv")}
    assert set(found) == set(FEW)
    assert float(found["rockbot"][settings().record.name]) > 950
    picture = rows(folder / "figure-9.csv")
    assert [row["bot"] for row in picture] == list(found)


# Resumption


def test_an_interrupted_study_goes_on_to_the_same_files(tmp_path):
    """One that was broken off in a line, after fewer matches, and one that was not."""
    table = [piece(Kind.TABLE, 7)]
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    reproduce(table, Request(whole, scale=0.3, seeds=(0,)))
    reproduce(table, Request(broken, scale=0.2, seeds=(0,)))
    file = broken / "runs" / "n-grams_K_1_seed_0.jsonl"
    file.write_bytes(file.read_bytes()[:-9])
    assert outputs(broken) != outputs(whole)
    reproduce(table, Request(broken, scale=0.3, seeds=(0,)))
    assert outputs(broken) == outputs(whole)
    assert file.read_text("utf-8").count("\n") == 1 + 3 * len(FEW)


def test_what_is_there_is_neither_trained_nor_played_again(folder):
    def kept():
        files = [p for p in (folder / "runs").rglob("*") if p.is_file()]
        made = {p: p.stat().st_mtime_ns for p in files if p.suffix == ".npz"}
        return made, {p: p.read_bytes() for p in files if p.suffix == ".jsonl"}

    before = kept()
    assert min(map(len, before)) > 10
    reproduce(STUDY.chosen(tables=[3, 6]), Request(folder, scale=SCALE, seeds=(0,)))
    assert kept() == before


def test_matches_of_an_agent_that_was_changed_are_refused(tmp_path):
    request = Request(tmp_path, scale=SCALE, seeds=(0,))
    played([Row("n-grams", NGrams(1))], request)
    with pytest.raises(InvalidArgument, match="results of the same evaluation"):
        played([Row("n-grams", NGrams(2))], request)


@pytest.mark.slow
def test_jobs_and_further_rows_change_nothing(tmp_path):
    row, other = (
        Row("n-grams", NGrams(1)),
        Row("rock", Mixed((Fraction(1), Fraction(0), Fraction(0)))),
    )
    alone = played([row], Request(tmp_path / "a", scale=SCALE, seeds=(0,)))
    beside = played([other, row], Request(tmp_path / "b", scale=SCALE, seeds=(0, 1), jobs=2))
    number = beside.agents.index(seeded("n-grams", 0))
    assert (beside.means[number] == alone.means[0]).all()


# Lines


def test_matches_of_all_seeds_are_scored_together():
    bots, rng = ("a", "b", "c"), np.random.default_rng(2)
    returns = rng.integers(-50, 60, size=(2, 3, 4))
    table = PayoffTable.from_returns(("x, seed 1", "x, seed 2"), bots, returns)
    line = line_of(Row("x", NGrams(1), paper=(1.0, 2.0)), table)
    scores = PopulationScores(bots, np.concatenate(returns, axis=1))
    assert line.found.population_return == pytest.approx(scores.population_return)
    assert line.found.exploitability == pytest.approx(scores.within_population_exploitability)
    assert line.found.cross_fitted == pytest.approx(scores.cross_fitted_exploitability)
    assert (line.seeds, line.matches) == (2, 8)
    assert pooled_row("x", table).matches == 8
    errors = [PopulationScores(bots, own).population_return_error for own in returns]
    assert line.found.standard_error == pytest.approx(np.hypot(*errors) / 2)
    gap = line.found.population_return - 1.0
    assert line.z == pytest.approx(gap / line.found.standard_error)


def test_twin_what_was_trained_is_scored_seed_by_seed():
    means = [[10.0, -4.0], [-8.0, 6.0]]
    table = PayoffTable(("x, seed 1", "x, seed 2"), ("a", "b"), means, 5)
    trained, pooled = (line_of(Row("x", agent), table) for agent in (QLearning(1, 9), NGrams(1)))
    assert trained.found.exploitability == 6.0
    assert pooled.found.exploitability == -1.0
    assert trained.found.population_return == pooled.found.population_return == 1.0
    assert trained.found.standard_error == pytest.approx(np.std([3, -1], ddof=1) / np.sqrt(2))


def test_the_noise_of_the_paper_counts_where_it_is_known():
    table = PayoffTable.from_returns(("x",), ("a", "b"), [[[8, 12], [3, 5]]])
    own = table.standing("x")
    sure = Line("x", own, 1, 2, (0.0, 0.0))
    assert Line("x", own, 1, 2, (0.0, 0.0), 2).z == pytest.approx(sure.z / np.sqrt(2))
    assert Line("x", own, 1, 2).z is None
    assert Line("x", paper=(0.0, 0.0)).z is None
    assert Line("x", own, 1, 2, (0.0, 0.0), is_same=False).z is None


def test_the_best_line_has_the_largest_aggregate_score_of_those_played():
    table = PayoffTable(("x", "y"), ("a", "b"), [[9.0, -9.0], [2.0, -1.0]], 2)
    worse, better = (Line(name, table.standing(name)) for name in ("x", "y"))
    assert best_line([Line("z", paper=(9.0, 0.0)), worse, better]) is better


def test_names_that_begin_alike_are_told_apart():
    names = ("QL (R = 1), seed 1", "QL (R = 10), seed 1", "QL, seed 1, seed 12")
    table = PayoffTable(names, ("a",), [[1.0], [2.0], [3.0]], 5)
    for name, mean in (("QL (R = 1)", 1.0), ("QL (R = 10)", 2.0), ("QL, seed 1", 3.0)):
        assert line_of(Row(name), table).found.population_return == mean
    assert line_of(Row("QL"), table).found is None


# What is declared


def test_printed_numbers_of_bots_are_those_of_the_full_ranking():
    ranking = {name: numbers for name, *numbers in printed_ranking()}
    for row in settings().best.bots:
        assert row.paper == pytest.approx(ranking[row.name][:2], abs=0.011)
    assert [row.name for row in settings().best.bots] == list(ranking)[:10]


def test_printed_numbers_of_classes_stand_in_their_tables():
    for row in settings().best.classes:
        if row.best_of is not None and row.paper is not None:
            printed = [own.paper for own in settings().tables[row.best_of]]
            # of PopRL the paper does not say which setting is the best
            assert row.paper in printed or (row.name == "PopRL" and not any(printed))


def test_a_model_from_a_folder_is_a_further_row(tmp_path):
    (tmp_path / "small").mkdir()
    request = Request(tmp_path, models=(tmp_path / "small",))
    *others, last = rows_of("language", request)
    assert tuple(others) == settings().tables["language"]
    assert last.name == "small"
    assert last.agent.folder == str(tmp_path / "small")
    assert rows_of("regret", request) == settings().tables["regret"]


def test_seeds_are_those_asked_for(tmp_path):
    assert seeds_of(Request(tmp_path, seeds=(3, 1))) == (3, 1)
    assert seeds_of(Request(tmp_path)) == settings().seeds


def test_a_rule_that_is_not_known_is_refused():
    with pytest.raises(InvalidArgument, match=r"a rule of RM, RM\+, swap RM\+, SAOL"):
        Regret("hedge")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rrps", "--figure", "1"], "rrps does not make figure 1: it is the matrix"),
        (["rrps", "--table", "9"], "rrps has no table 9. It has table 6, figure 2, "),
        (["rrps", "--table", "7", "--model", "m"], "needs a folder with a model, but m is none"),
        (["rirrps", "--table", "1", "--model", "m"], "a study that reads language models"),
    ],
)
def test_what_is_not_made_says_what_it_would_take(tmp_path, capsys, arguments, message):
    out = tmp_path / "out"
    assert main(["reproduce", *arguments, "--out", str(out)]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.err.count("\n") == 1
    assert not out.exists()


def test_absent_pieces_and_pieces_share_no_name_and_leave_none_out():
    names = {own.name for own in STUDY.pieces}
    assert not names & set(STUDY.absent)
    printed = {f"figure {k}" for k in range(1, 9)} | {f"table {k}" for k in range(1, 8)}
    assert printed <= names | set(STUDY.absent)
