"""The command line trains, judges, compares and lists; it refuses in one sentence, and resumes."""

import json
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

from learners.__main__ import main
from learners.experiments import Status, read_run

RUNS = Path("repeated_prisoners_dilemma", "QLearning")
CONFIG = """
[game]
name = "repeated_prisoners_dilemma"
[environment]
episodes = 4
[learner]
name = "QLearning"
iteration = { kind = "Steps", count = 5 }
[training]
iterations = 6
seeds = [0, 1]
checkpoint_every = 2
"""


@pytest.fixture
def config(tmp_path):
    def write(text=CONFIG, name="config.toml", **lines):
        for old, new in lines.items():
            text = text.replace(old, new)
        (tmp_path / name).write_text(textwrap.dedent(text), encoding="utf-8")
        return str(tmp_path / name)

    return write


@pytest.fixture
def out(tmp_path):
    return str(tmp_path / "out")


def test_train_shows_what_is_proved(config, out, capsys):
    assert main(["train", config(), "--out", out]) == 0
    shown = capsys.readouterr()
    assert shown.out.count("finished") == 2
    assert "nash_conv" in shown.out
    assert "proved" in shown.out
    assert shown.err == ""
    assert read_run(Path(out) / RUNS / "seed-1.jsonl").status is Status.FINISHED


def test_train_in_json_has_the_findings(config, out, capsys):
    assert main(["train", config(), "--out", out, "--format", "json", "--seeds", "5"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["seed"], record["status"], record["iterations"]) == (5, "finished", 6)
    run_ = read_run(record["path"])
    assert {f["name"]: f["value"] for f in record["findings"]} == {
        finding.name: str(finding.value) for finding in run_.findings
    }
    assert len(run_.findings) == 5


def test_options_stand_instead_of_the_config(config, out, capsys):
    given = ["--seeds", "3-4,7", "--iterations", "3", "--quiet"]
    assert main(["train", config(), "--out", out, *given]) == 0
    assert capsys.readouterr() == ("", "")
    found = sorted(Path(out).glob("*/*/*.jsonl"))
    assert [path.stem for path in found] == ["seed-3", "seed-4", "seed-7"]
    assert [read_run(path).iterations for path in found] == [3, 3, 3]


def test_jobs_make_the_same_runs(config, out, tmp_path):
    main(["train", config(), "--out", out, "--quiet"])
    other = str(tmp_path / "other")
    assert main(["train", config(), "--out", other, "--quiet", "--jobs", "2"]) == 0
    for seed in (0, 1):
        texts = [
            (Path(folder) / RUNS / f"seed-{seed}.jsonl").read_text().split(', "seconds"')[0]
            for folder in (out, other)
        ]
        assert texts[0] == texts[1]


def test_evaluate_verifies(config, out, capsys):
    main(["train", config(), "--out", out, "--quiet"])
    assert main(["evaluate", config(), "--out", out, "--seeds", "0"]) == 0
    shown = capsys.readouterr().out
    assert "verified: " in shown
    assert "nash_conv" in shown
    assert main(["evaluate", config(), "--out", out, "--format", "json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert [record["seed"] for record in records] == [0, 1]
    assert records[0]["certificates"][0]["kind"] == "nash"


def test_compare_orders_configs(config, out, capsys):
    second = config(CONFIG.replace("QLearning", "Sarsa"), name="other.toml")
    for path in (config(), second):
        main(["train", path, "--out", out, "--quiet"])
    given = [config(), second, "--out", out, "--quantity", "return/player 1"]
    assert main(["compare", *given]) == 0
    shown = capsys.readouterr().out
    assert "return/player 1, largest first" in shown
    assert "95% interval over seeds (Student)" in shown
    assert main(["compare", *given, "--format", "json", "--confidence", "0.5"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert {row["label"] for row in record["learners"]} == {"QLearning", "Sarsa"}
    assert record["confidence"] == 0.5
    assert main(["compare", *given, "--format", "json", "--seeds", "0"]) == 0
    record = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert [row["low"] for row in record["learners"]] == [None, None]  # one seed has no interval


def test_compare_refuses_runs_of_another_config_and_runs_given_twice(config, out, capsys):
    other = config(CONFIG.replace("count = 5", "count = 6"), name="other.toml")
    main(["train", config(), "--out", out, "--quiet"])
    assert main(["compare", other, "--out", out]) == 2
    assert "but learner.iteration.count was 5 and is 6" in capsys.readouterr().err
    assert main(["compare", config(), config(), "--out", out]) == 2
    assert "needs each run once, but seed 0 of 'QLearning'" in capsys.readouterr().err


def test_list_shows_learners_with_options(capsys):
    assert main(["--list"]) == 0
    shown = capsys.readouterr().out
    for word in ("QLearning", "step_size", "MetaStackelberg", "JamQLearning", "one of 'ends'"):
        assert word in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "CONFIG", "--seeds", "x"], "--seeds: needs numbers, such as 0,1,2 or 0-9"),
        *(
            (["train", "CONFIG", "--seeds", seeds], "--seeds: needs numbers, such as 0,1,2 or 0-9")
            for seeds in ("2-1", "0-", "3-", "1,3-", "1,2-1", "", "1,,2")
        ),
        (["train", "CONFIG", "--jobs", "0"], "--jobs: needs at least one run at once, or -1"),
        (["train", "CONFIG", "--seeds", "7,0-99999999999"], "--seeds: needs at most 100,000"),
        (["train", "CONFIG", "--iterations", "0"], "needs iterations to be an integer of at least"),
        (["train", "none.toml"], "none.toml: needs a file that can be read"),
        (["evaluate", "CONFIG"], "needs a run to evaluate, but there is none. Train it first."),
        (["compare", "CONFIG"], "Train it first: gametheory train"),
        (["train", "TYPO"], "at learner.step_siez: unknown key. Did you mean step_size?"),
        (["train", "WRONG"], "wrong.toml: learner.step_size: needs a finite step_size"),
        (["train", "LARGE"], "max_nodes = 5"),
    ],
)
def test_refusals_are_one_sentence_and_exit_2(config, out, capsys, arguments, message):
    files = {
        "CONFIG": config(),
        "TYPO": config(CONFIG.replace("[training]", "step_siez = 1\n[training]"), name="typo.toml"),
        "WRONG": config(
            CONFIG.replace("[training]", "step_size = 7\n[training]"), name="wrong.toml"
        ),
        "LARGE": config(f"{CONFIG}[assessment]\nmax_nodes = 5\n", name="large.toml"),
    }
    assert main([*(files.get(word, word) for word in arguments), "--out", out]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err
    assert shown.err.count("\n") == 1


def test_time_limit_exits_3_and_says_how_to_go_on(config, out, capsys):
    text = CONFIG.replace("seeds = [0, 1]", "seeds = [0]\nseconds = 0")
    assert main(["train", config(text), "--out", out]) == 3
    assert "stopped after 0 iterations: its time was up; the same" in capsys.readouterr().err


def test_divergence_exits_3_and_names_the_quantity(config, out, capsys):
    text = """
    [game]
    name = "repeated_prisoners_dilemma"
    [learner]
    name = "TabularPPO"
    step_size = 1e308
    entropy_bonus = 1e308
    [training]
    iterations = 20
    """
    with np.errstate(all="ignore"):
        code = main(["train", config(text), "--out", out, "--quiet"])
    assert code == 3
    message = capsys.readouterr().err
    assert "diverged after" in message
    assert "'loss/player 1' became nan in iteration 1" in message


TOO_LARGE = CONFIG.replace('_dilemma"', '_dilemma"\nparameters = { rounds = 30 }')


def test_game_too_large_to_judge_is_refused_at_once_by_file_and_key(config, out, capsys):
    path = config(text=TOO_LARGE)
    assert main(["train", path, "--out", out]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"{path}: assessment: needs a game that can be judged exactly")
    for remedy in ('acts_on = "last-observation"', 'method = "sampled"', "assessment.max_nodes"):
        assert remedy in said
    assert not Path(out).exists()


def test_runs_that_turn_out_too_large_to_judge_are_all_made_and_exit_3(
    config, out, capsys, monkeypatch
):
    monkeypatch.setattr("learners.experiments.runs.refuse_unjudgeable", lambda *_: None)
    assert main(["train", config(text=TOO_LARGE), "--out", out]) == 3
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(" not judged: ")[0] for line in said] == [
        "seed 0: finished after 6 iterations:",
        "seed 1: finished after 6 iterations:",
    ]


def test_interrupt_says_how_to_go_on_and_the_same_command_does(config, out, tmp_path):
    text = CONFIG.replace("iterations = 6", "iterations = 700").replace("[0, 1]", "[0]")
    text = text.replace("checkpoint_every = 2", "checkpoint_every = 50")
    command = [sys.executable, "-m", "learners", "train", config(text), "--out", out]
    lines = Path(out) / RUNS / "seed-0.jsonl"
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    while not lines.exists() or lines.stat().st_size < 20_000:
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "interrupted: runs are kept in" in said
    assert said.count("\n") == 1
    assert read_run(lines).status is Status.UNFINISHED
    assert main([*command[3:], "--quiet"]) == 0
    whole = str(tmp_path / "whole")
    assert main([*command[3:5], "--quiet", "--out", whole]) == 0
    texts = [
        (Path(folder) / RUNS / "seed-0.jsonl").read_text().split(', "seconds"')[0]
        for folder in (out, whole)
    ]
    assert texts[0] == texts[1]
