"""Pages of runs: curves, findings and tables as the files of runs have them."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from gametheory_core import InvalidArgument, MalformedFile
from learners.__main__ import main as learn
from learners.experiments import learning_curves, read_config, sweep
from learners.experiments.comparisons import LearningCurve
from learners.explorer import explore_runs
from learners.explorer.command import main
from learners.explorer.run_page import MOST_POINTS, _curve_record
from learners.roshambo.tournaments.payoff_tables import PayoffTable
from tests.page_scripts import run_scripts

CONFIGS = (
    "docs/examples/configs/rock_paper_scissors_regret.toml",
    "docs/examples/configs/kuhn_poker_wolf.toml",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with runs of two games, and a table of a tournament."""
    folder = tmp_path_factory.mktemp("runs")
    runs = {}
    for path in CONFIGS:
        config = read_config(path)
        training = replace(
            config.training, iterations=20, seeds=(0, 1), assess_every=5, log_every=5
        )
        config = replace(config, output=str(folder), training=training)
        runs[config.game.name] = sweep(config, jobs=1)
    tour = folder / "a <b>tour"
    tour.mkdir()
    table = PayoffTable(("x", "y"), ("rock", "o&o"), np.array([[10.0, -2.0], [0.5, 3.0]]), 50)
    (tour / "payoffs.json").write_text(table.to_json(), encoding="utf-8")
    return folder, runs


def data_of(page):
    found = re.search(
        r'<script type="application/json" id="data">(.*?)</script>', page.html, re.DOTALL
    )
    return json.loads(found.group(1))


def test_curves_are_those_of_the_runs(made):
    folder, runs = made
    games = {own["name"]: own for own in data_of(explore_runs(folder))["games"]}
    assert set(games) == set(runs)
    for name, own in runs.items():
        measures = {measure["name"]: measure["curves"] for measure in games[name]["measures"]}
        assert "assessed/nash_conv" in measures
        for measure, curves in measures.items():
            expected = learning_curves(own, measure)
            assert [(c["label"], c["seeds"]) for c in curves] == [
                (c.label, c.seeds) for c in expected
            ]
            assert [c["mean"] for c in curves] == [list(c.mean) for c in expected]
            assert [c["iterations"] for c in curves] == [list(c.iterations) for c in expected]


def test_bands_of_what_cannot_be_negative_end_at_zero(made):
    folder, _ = made
    for game in data_of(explore_runs(folder))["games"]:
        for measure in game["measures"]:
            if measure["name"] in {"assessed/nash_conv", "assessed/exploitability"}:
                assert min(min(curve["low"]) for curve in measure["curves"]) >= 0


def test_findings_are_exact_and_name_their_certificates(made):
    folder, runs = made
    for game in data_of(explore_runs(folder))["games"]:
        for shown, run in zip(game["runs"], runs[game["name"]], strict=True):
            assert (shown["label"], shown["seed"]) == (run.label, run.seed)
            assert [own["name"] for own in shown["findings"]] == [own.name for own in run.findings]
            assert {own["standing"] for own in shown["findings"]} == {"proved"}
            for certificate in shown["certificates"]:
                assert (folder / certificate).is_file()


def test_the_band_of_a_gain_is_cut_and_that_of_a_return_is_not():
    curve = LearningCurve("a", 2, (1, 2), (0.1, 0.2), (-0.3, 0.1), (0.5, 0.3))
    lows = {own: _curve_record(curve, own)["low"] for own in ("assessed/gain/x", "return/x")}
    assert lows == {"assessed/gain/x": [0, 0.1], "return/x": [-0.3, 0.1]}


def test_long_curves_are_thinned_to_their_ends():
    steps = tuple(range(1, 5000))
    curve = LearningCurve("a", 1, steps, *(tuple(map(float, steps)),) * 3)
    record = _curve_record(curve, "x")
    assert (record["iterations"][0], record["iterations"][-1]) == (1, 4999)
    assert len(record["iterations"]) <= MOST_POINTS + 1


def test_a_folder_without_runs_is_refused(tmp_path):
    with pytest.raises(InvalidArgument, match=r"seed-N\.jsonl.*there is none.*Train first"):
        explore_runs(tmp_path)


def test_a_damaged_run_is_refused_by_name(tmp_path):
    (tmp_path / "game" / "label").mkdir(parents=True)
    (tmp_path / "game" / "label" / "seed-0.jsonl").write_text('{"kind": "end"}\n', encoding="utf-8")
    with pytest.raises(MalformedFile, match=r"seed-0\.jsonl"):
        explore_runs(tmp_path)


def test_commands_write_runs_and_games(made, tmp_path, capsys):
    folder, _ = made
    target = tmp_path / "runs.html"
    for run in (main, lambda words: learn(["explore", *words])):
        assert run([str(folder), "-o", str(target)]) == 0
        assert capsys.readouterr().out.startswith(f"wrote {target} (")
    assert main(["chicken", "-o", str(tmp_path / "game.html")]) == 0
    assert '"page":"game"' in (tmp_path / "game.html").read_text(encoding="utf-8")
    assert learn(["explore", str(tmp_path)]) == 2
    assert "Train first" in capsys.readouterr().err


def test_axes_are_divided_by_round_numbers():
    told = [[0, 1], [-0.3, 0.4], [20, 100], [0, 3e-7], [5, 5]]
    script = "given.map(([low, high]) => ticks(low, high))"
    found = run_scripts("learners.explorer", ["charts"], script, told)
    assert found[0] == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert found[2] == [20, 40, 60, 80, 100]
    for (low, high), own in zip(told[:4], found[:4], strict=True):
        assert 3 <= len(own) <= 7
        assert low <= own[0] + 1e-12
        assert own[-1] <= high + 1e-12


# In a browser


@pytest.fixture
def opened(browser, made, tmp_path):
    folder, runs = made
    path = explore_runs(folder).save(tmp_path / "runs.html")
    browser.errors.clear()
    browser.requests.clear()
    browser.open(path)
    return runs


def test_runs_open_without_errors_and_ask_for_nothing(opened, browser):
    assert browser.errors == []
    assert [own for own in browser.requests if not own.startswith("file:")] == []
    assert len(browser.texts("svg.chart")) == len(opened)
    assert "a <b>tour" in browser.texts("h2")
    assert browser.texts("td.heat") == ["10", "−2", "0.5", "3"]
    assert browser.run("document.querySelectorAll('td.heat.lost').length") == 1
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")


def test_another_measure_is_drawn_when_it_is_chosen(opened, browser):
    line = ".curve polyline", "own.getAttribute('points')"
    before = browser.first(*line)
    browser.first("#measure-0", "own.value = '2', own.dispatchEvent(new Event('change'))")
    assert browser.first(*line) != before
    chosen = browser.first("#measure-0", "own.selectedOptions[0].textContent")
    assert browser.first("svg.chart", "own.getAttribute('aria-label')").startswith(chosen)


def test_names_of_curves_and_ticks_stay_in_the_picture(opened, browser):
    box = "(({left, right, bottom}) => [left, right, bottom])(own.getBoundingClientRect())"
    left, right, bottom = browser.first("svg.chart", box)
    texts = browser.each("svg.chart:first-of-type text", box)
    first = texts[: browser.first("svg.chart", "own.querySelectorAll('text').length")]
    assert len(first) > 5
    for own in first:
        assert left - 1 <= own[0]
        assert own[1] <= right + 1
        assert own[2] <= bottom + 1


def test_every_certificate_is_named_with_its_command(opened, browser):
    commands = "\n".join(browser.texts("pre code")).splitlines()
    assert len(commands) == sum(len(run.certificates) for runs in opened.values() for run in runs)
    assert all(own.startswith("python -m gametheory_core verify ") for own in commands)
