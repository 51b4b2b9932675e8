"""The command ``tournament``: what it prints and keeps, how it goes on, and what it refuses."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from learners.__main__ import main
from learners.roshambo import PayoffTable

BOTS = """
import os, time
class Rock:
    def reset(self, seed): pass
    def throw(self, own, other): return 0
class Paper(Rock):
    def throw(self, own, other): return 1
class Drawn(Rock):
    def reset(self, seed): self.state = seed
    def throw(self, own, other):
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return (self.state >> 16) % 3
class Slow(Drawn):
    def reset(self, seed):
        super().reset(seed)
        with open(__file__ + ".resets", "a") as marks:
            marks.write("x")
    def throw(self, own, other):
        time.sleep(0.002)
        return super().throw(own, other)
class Silent(Rock):
    def throw(self, own, other): return None
class Tardy(Rock):
    def throw(self, own, other): time.sleep(0.3); return 0
class Stuck(Rock):
    def throw(self, own, other):
        with open(__file__ + ".stuck", "w") as mark:
            mark.write(str(os.getpid()))
        while True: pass
STUCK = [Rock]
BOTS = {"rock": Rock, "paper": Paper, "drawn": Drawn}
BAD = [Rock, Silent]
SLOW = {"rock": Rock, "slow": Slow}
"""


@pytest.fixture
def bots(tmp_path):
    (tmp_path / "bots.py").write_text(BOTS)
    return str(tmp_path / "bots.py")


def arguments(bots, *agents, **options):
    chosen = {"population": f"{bots}:BOTS", "episodes": 3, "seed": 1, "throws": 20} | options
    names = [name if ":" not in name else f"{bots}{name}" for name in agents]
    pairs = [(f"--{key.replace('_', '-')}", str(value)) for key, value in chosen.items()]
    return ["tournament", *names, *(text for pair in pairs for text in pair)]


def ran(capsys, *given, code=0):
    assert main(list(given)) == code
    return capsys.readouterr()


def test_agents_are_ranked_in_a_table(bots, capsys):
    shown = ran(capsys, *arguments(bots, ":Paper", "rock"))
    assert shown.err == ""
    lines = shown.out.splitlines()
    assert f"{bots}:BOTS: 3 bots, 3 episodes of 20 throws each" in shown.out
    assert [line.split("│")[2].strip() for line in lines if "+-" in line] == ["Paper", "rock"]


def test_json_has_each_agent_with_its_mean_error_and_bots(bots, capsys):
    given = arguments(bots, ":Paper", "rock", "drawn")
    record = json.loads(ran(capsys, *given, "--format", "json").out)
    assert [own["name"] for own in record["agents"]] == ["Paper", "drawn", "rock"]
    for own in record["agents"]:
        assert list(own["by_bot"]) == ["rock", "paper", "drawn"]
        assert own["mean"] == pytest.approx(sum(own["by_bot"].values()) / 3)
        assert own["standard_error"] == pytest.approx(own["standard_errors"]["drawn"] / 3, abs=9)
        lost = own["within_population_exploitability"]
        assert lost == -min(own["by_bot"].values())
        assert own["aggregate_score"] == pytest.approx(own["mean"] - lost)
        assert own["forfeits"] == 0
    assert record["agents"][0]["by_bot"]["rock"] == 20
    assert (record["episodes"], record["throws"], record["seed"]) == (3, 20, 1)


def test_one_episode_has_no_errors(bots, capsys):
    given = arguments(bots, "rock", episodes=1)
    (own,) = json.loads(ran(capsys, *given, "--format", "json").out)["agents"]
    assert own["standard_error"] is own["cross_fitted_exploitability"] is None
    assert "dominates_surely" not in own
    ran(capsys, *given)


def test_the_whole_population_plays_itself(bots, capsys):
    record = json.loads(ran(capsys, *arguments(bots), "--all", "--format", "json").out)
    assert {own["name"] for own in record["agents"]} == {"rock", "paper", "drawn"}


def test_tables_and_a_picture_are_written_and_the_command_goes_on(bots, capsys, tmp_path):
    out = tmp_path / "out"
    given = arguments(bots, "rock", ":Paper", out=out)
    shown = ran(capsys, *given, "--quiet")
    assert shown == ("", "")
    files = {path.name: path.read_bytes() for path in out.iterdir()}
    names = {"matches.jsonl", "payoffs.csv", "payoffs.json", "ranking.csv", "results.json"}
    assert names <= set(files)
    table = PayoffTable.from_json(files["payoffs.json"].decode())
    assert table.to_csv().encode() == files["payoffs.csv"]
    rows = list(csv.DictReader(files["ranking.csv"].decode().splitlines()))
    assert [row["name"] for row in rows] == ["Paper", "rock"]
    printed = ran(capsys, *given, "--format", "json").out
    assert json.loads(printed) == json.loads(files["results.json"])
    assert {path.name: path.read_bytes() for path in out.iterdir()} == files
    for path in out.iterdir():
        if path.name != "matches.jsonl":
            path.unlink()
    ran(capsys, *given, "--jobs", "2", "--quiet")
    assert {path.name: path.read_bytes() for path in out.iterdir()} == files


def test_a_picture_is_written_where_matplotlib_is(bots, capsys, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    out = tmp_path / "out"
    given = arguments(bots, "rock", out=out)
    ran(capsys, *given, "--quiet")
    assert (out / "payoffs.png").read_bytes()[1:4] == b"PNG"


def test_without_matplotlib_all_else_is_written(bots, tmp_path):
    out = tmp_path / "out"
    code = (
        "import sys; sys.modules['matplotlib'] = None; from learners.__main__ import main; "
        f"sys.exit(main({arguments(bots, 'rock', out=out)!r}))"
    )
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, check=False, capture_output=True, text=True)
    assert found.returncode == 0
    assert "no picture is drawn: figures: needs matplotlib. Run: pip install" in found.stderr
    assert (out / "payoffs.csv").exists()
    assert not (out / "payoffs.png").exists()


def test_without_open_spiel_the_embedded_population_plays(bots, capsys, monkeypatch):
    from gametheory_core.errors import MissingDependency
    from learners.roshambo.tournaments import entrants

    def missing(_throws):
        raise MissingDependency("Run: pip install 'gametheory-core[interop]'")

    inside = entrants.population_named(f"{bots}:BOTS")
    monkeypatch.setitem(entrants.POPULATIONS, "open_spiel", missing)
    monkeypatch.setitem(entrants.POPULATIONS, "embedded", lambda _throws: inside)
    given = ["tournament", "rock", "--episodes", "2", "--throws", "9", "--format", "json"]
    shown = ran(capsys, *given)
    assert "gametheory-core[interop]" in shown.err
    assert "The population embedded plays instead" in shown.err
    assert json.loads(shown.out)["population"] == "embedded"
    absent = ran(capsys, "tournament", "greenberg", *given[2:], code=2).err
    assert "no agent 'greenberg'. If it is a bot of OpenSpiel's, install OpenSpiel" in absent
    monkeypatch.setitem(entrants.POPULATIONS, "embedded", missing)
    assert "interop" in ran(capsys, *given, code=2).err


def test_forfeits_are_counted_and_told(bots, capsys):
    given = arguments(bots, ":Silent", ":Tardy", seconds_per_match=0.5, throws=5, episodes=2)
    shown = ran(capsys, *given, "--format", "json")
    record = json.loads(shown.out)
    assert {own["name"]: own["forfeits"] for own in record["agents"]} == {"Silent": 6, "Tardy": 6}
    assert all(own["mean"] == -5 for own in record["agents"])
    first = record["forfeits"][0]
    assert first == {
        "agent": "Silent",
        "bot": "rock",
        "match": 0,
        "loser": "Silent",
        "side": "agent",
        "why": "throw 0 is None (type NoneType), not 0, 1 or 2",
    }
    assert "Silent forfeits, times 6; the first, Silent - rock, match 0: throw 0 is" in shown.err
    assert "Tardy - rock, match 0: took more than 0.5 seconds, at throw 1" in shown.err


def test_forfeits_of_bots_are_no_forfeits_of_agents(bots, capsys):
    given = arguments(bots, ":Rock", population=f"{bots}:BAD")
    shown = ran(capsys, *given, "--format", "json")
    (own,) = json.loads(shown.out)["agents"]
    assert (own["forfeits"], own["by_bot"]) == (0, {"Rock": 0, "Silent": 20})
    assert "Silent forfeits, times 3; the first, Rock - Silent, match 0" in shown.err


def test_forfeits_of_an_agent_are_told_from_those_of_a_bot_of_its_name(bots, capsys):
    same = Path(bots).with_name("same.py")
    same.write_text(BOTS + "Silent = Paper\n")
    given = arguments(bots, population=f"{bots}:BAD", episodes=2)
    for agent, lost in ((f"{same}:Silent", [0, 20]), (f"{bots}:Silent", [4, -20])):
        shown = ran(capsys, given[0], agent, *given[1:], "--format", "json")
        record = json.loads(shown.out)
        (own,) = record["agents"]
        assert [own["forfeits"], own["by_bot"]["Silent"]] == lost
        sides = [found["side"] for found in record["forfeits"]]
        assert sides == (["bot"] * 2 if lost[1] > 0 else ["agent"] * 4)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"episodes": 0}, "--episodes to be an integer of at least 1, but got 0"),
        ({"throws": 0}, "--throws"),
        ({"throws": 10**13}, "of memory for the histories of 10,000,000,000,000 throws, but at"),
        ({"throws": 10**13}, "Play shorter matches: --throws"),
        ({"episodes": 10**9}, "Play fewer: --episodes"),
        ({"seed": -1}, "--seed"),
        ({"jobs": 0}, "at least one process, or -1, but got --jobs 0"),
        ({"seconds_per_match": 0}, "--seconds-per-match"),
        ({"population": "nobody"}, "no population 'nobody'"),
        ({"agents": ["rok"]}, "Did you mean rock?"),
        ({"agents": ["rock", "rock"]}, "two of the name 'rock'"),
        ({"agents": []}, "there is no AGENT. Name one, such as context_mixing, or give --all"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(bots, capsys, change, said):
    agents = change.pop("agents", ["rock"])
    shown = ran(capsys, *arguments(bots, *agents, **change), code=2)
    assert shown.out == ""
    assert said in shown.err
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends processes with their parent")
def test_processes_end_with_the_command(bots, tmp_path, sent):
    (tmp_path / "temporary").mkdir()
    given = arguments(bots, ":Stuck", population=f"{bots}:STUCK", episodes=1)
    process = subprocess.Popen(
        [sys.executable, "-m", "learners", *given, "--quiet"],
        env=os.environ | {"TMPDIR": str(tmp_path / "temporary")},
        stderr=subprocess.PIPE,
        text=True,
    )
    mark = Path(f"{bots}.stuck")
    while not mark.exists() or not mark.read_text():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(sent)
    _, said = process.communicate(timeout=20)
    deadline = time.monotonic() + 10
    while Path("/proc", mark.read_text(), "cmdline").exists() and time.monotonic() < deadline:
        state = Path("/proc", mark.read_text(), "stat").read_text().split()[2]
        if state == "Z":  # nobody has asked how it ended
            break
        time.sleep(0.01)
    assert time.monotonic() < deadline
    if sent == signal.SIGTERM:
        assert (process.returncode, said.count("interrupted")) == (130, 1)
        assert list((tmp_path / "temporary").iterdir()) == []


def test_ctrl_c_keeps_what_was_played(bots, capsys, tmp_path):
    out = tmp_path / "out"
    options = {"population": f"{bots}:SLOW", "episodes": 12, "throws": 25}
    given = arguments(bots, "rock", "slow", out=out, **options)
    process = subprocess.Popen(
        [sys.executable, "-m", "learners", *given], stderr=subprocess.PIPE, text=True
    )
    marks = Path(f"{bots}.resets")
    while not marks.exists() or marks.stat().st_size < 4:
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert said == (
        f"interrupted: matches are kept in {out}. The same command goes on from there.\n"
    )
    lines = map(json.loads, (out / "matches.jsonl").read_text().splitlines())
    assert 12 < sum(len(line.get("returns", [])) for line in lines) < 48
    again = json.loads(ran(capsys, *given, "--format", "json").out)
    whole = arguments(bots, "rock", "slow", **options)
    assert json.loads(ran(capsys, *whole, "--format", "json", "--jobs", "2").out) == again
