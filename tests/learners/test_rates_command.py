"""``rates`` prints counts with an interval, says what they rest on, and goes on after a stop."""

import json

import pytest

from learners import command_line
from learners.__main__ import main
from learners.experiments import binomial_interval
from learners.experiments.rates import SuccessRate

CONFIG = """
[game]
name = "repeated_prisoners_dilemma"
parameters = { rounds = 2 }
[environment]
episodes = 4
[learner]
name = "QLearning"
iteration = { kind = "Steps", count = 5 }
[training]
iterations = 6
seeds = [0, 1, 2, 3]
[success]
nash_conv = "<= 6.5"
"""


@pytest.fixture
def rates(tmp_path, capsys, monkeypatch):
    """Call the command; return its exit code, and what it printed and noted."""
    monkeypatch.setattr(command_line, "PATIENCE", float("inf"))  # on a busy machine, too

    def call(*arguments, config=CONFIG):
        (tmp_path / "mine.toml").write_text(config, encoding="utf-8")
        out = str(tmp_path / "out")
        code = main(["rates", str(tmp_path / "mine.toml"), "--out", out, *arguments])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


def test_json_has_runs_successes_and_interval(rates):
    code, printed, noted = rates("--format", "json", "--seeds", "0-19")
    found = json.loads(printed)
    assert (code, noted) == (0, "")
    assert set(found) == {"game", "seeds", "runs", "successes", "interval", "failed", "steps"}
    assert (found["seeds"], found["runs"]) == ("0-19", 20)
    assert 0 < found["successes"] < 20
    assert len(found["failed"]) == 20 - found["successes"]
    own = binomial_interval(found["successes"], 20)
    assert found["interval"] == [own.low, own.high]
    assert rates("--format", "json", "--seeds", "0-19") == (code, printed, noted)


def test_text_names_the_interval_and_the_seeds_that_failed(rates):
    code, printed, _ = rates()
    assert code == 0
    assert "95 % (Clopper-Pearson)" in printed
    assert "repeated_prisoners_dilemma:rounds=2" in printed


def test_games_of_the_command_line_take_the_place_of_the_files(rates):
    names = ("iterated_hero", "iterated_chicken:rounds=1")
    asked = [word for name in names for word in ("--game", name)]
    _, printed, _ = rates(*asked, "--format", "json", "--seeds", "0")
    found = [own["game"] for own in json.loads(printed)]
    assert found == ["iterated_hero:rounds=2", "iterated_chicken:rounds=1"]


@pytest.mark.parametrize(
    ("arguments", "config", "message"),
    [
        (("--game", "iterated_heros"), CONFIG, "Did you mean iterated_hero"),
        ((), CONFIG.replace("nash_conv", "nash"), "Did you mean nash_conv?"),
        ((), CONFIG.partition("[success]")[0], "says what counts"),
        ((), CONFIG.replace("<= 6.5", "at most 6"), "success at nash_conv"),
        (("--jobs", "0"), CONFIG, "--jobs"),
        (("--seeds", "3-1"), CONFIG, "--seeds"),
    ],
)
def test_refusals_are_one_line(rates, arguments, config, message):
    code, printed, noted = rates(*arguments, config=config)
    assert (code, printed) == (2, "")
    assert message in noted
    assert noted.count("\n") == 1


def test_an_interrupted_rate_says_on_how_many_seeds_it_rests(rates, monkeypatch):
    def stopped(config, *, on_run, **options):
        def stop(progress):
            on_run(progress)
            if progress.done == 2:
                raise KeyboardInterrupt

        return whole(config, on_run=stop, **options)

    whole = command_line.success_rate
    monkeypatch.setattr(command_line, "success_rate", stopped)
    code, printed, noted = rates("--format", "json")
    assert code == 130
    assert json.loads(printed)["runs"] == 2
    assert "the rate rests on 2 of 4 seeds." in noted
    assert "The same command goes on" in noted
    monkeypatch.undo()
    code, printed, noted = rates("--format", "json")
    assert (code, json.loads(printed)["runs"], noted) == (0, 4, "")


def test_seeds_that_broke_are_named_and_make_the_rate_incomplete(rates, monkeypatch):
    broken = SuccessRate("a", seeds=(0, 1), runs=(0,), failed=(), broken={1: "no room"})
    monkeypatch.setattr(command_line, "success_rate", lambda *_, **__: broken)
    code, _, noted = rates()
    assert code == 3
    assert "seed 1 of a broke: no room" in noted
    assert "rests on 1 of 2 seeds" in noted


def test_a_long_sweep_says_first_how_long_it_takes(rates, monkeypatch):
    assert rates("--seeds", "0-2")[2] == ""
    monkeypatch.setattr(command_line, "PATIENCE", 1e-9)
    monkeypatch.setattr(command_line, "_in_words", lambda _: "ever")
    noted = rates("--seeds", "3-6")[2]
    assert "more runs take about ever; interrupted, the same command goes on." in noted
    monkeypatch.undo()
    assert command_line._in_words(5_400) == "1 h 30 min"


def test_seeds_are_written_as_they_are_read():
    for text in ("0-3,7,9-10", "5", "0,2"):
        assert command_line._spans(command_line._seeds(text)) == text
