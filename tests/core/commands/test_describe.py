"""``describe``: sizes and properties of rules, for people and for machines."""

import json

import pytest

from gametheory_core import load_game, write_game
from gametheory_core.__main__ import main
from gametheory_core.catalog import catalog
from gametheory_core.conversions import posg_to_tabular


def described(capsys, *arguments):
    assert main(["describe", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_posg_shows_sizes_properties_and_witnesses(capsys):
    lines = described(capsys, "tiger").splitlines()
    for line in (
        "kind: POSG (all players act at once)",
        "states: 2, of which 0 end the game",
        "actions: 3, 3",
        "observations: 3, 3",
        "joint observations: 5",
        "rows: 18 of transitions",
        "horizon: 3 steps",
        "common rewards: yes",
        "zero-sum rewards: no - rewards (-2, -2) sum to -4, not 0",
        "always ends: yes",
    ):
        assert line in lines
    assert lines[-1] == f"digest {posg_to_tabular(load_game('tiger')).target.digest}"


def test_aec_game_shows_that_its_clock_leaks(capsys):
    shown = described(capsys, "random_order_team")
    assert "kind: AEC game (one mover at a time)" in shown
    assert "clock leaks: yes - player '1' reaches information state (NULL,) after 1 move" in shown
    assert "fixed order of turns: no - chance is followed by player '1' and also" in shown


@pytest.mark.parametrize(
    ("name", "unit"),
    [("tiger", "pairs of state and joint observation"), ("reversing_order", "state and mover")],
)
def test_rules_past_the_budget_are_said_to_be_too_large(capsys, name, unit):
    shown = described(capsys, name, "--max-states", "3")
    assert "states: too large to tabulate: more than 3 " in shown
    assert f"{unit}; raise --max-states to go on" in shown
    assert "digest" not in shown
    record = json.loads(described(capsys, name, "--max-states", "3", "--json"))
    assert (record["digest"], record["properties"], record["sizes"]["states"]) == (None, {}, None)


def test_table_in_a_file_is_described_like_its_rules(capsys, tmp_path):
    path = tmp_path / "tiger.json"
    write_game(posg_to_tabular(load_game("tiger")).target, path)
    assert described(capsys, str(path)) == described(capsys, "tiger")


@pytest.mark.parametrize("name", ["tiger", "random_order_team", "kuhn_poker", "chicken"])
def test_machines_read_the_same_as_people(capsys, name):
    record = json.loads(described(capsys, name, "--json"))
    shown = described(capsys, name)
    assert record["schema"] == "gametheory-core/description/1"
    assert record["players"] == list(load_game(name).players)
    assert f"digest {record['digest']}" in shown
    assert record["properties"]
    for key, verdict in record["properties"].items():
        word = "yes" if verdict["holds"] else "no"
        assert f"\n{key}: {word}" in shown
        assert verdict["reason"] in shown
    assert len(record["sizes"]) >= 1
    for key in record["sizes"]:
        assert f"\n{key}: " in shown


def test_property_that_is_too_large_to_decide_is_said_so(capsys, monkeypatch):
    from gametheory_core.commands import describe
    from gametheory_core.errors import UnsupportedGame, named

    def refuse(*_arguments, **_options):
        raise UnsupportedGame(f"clock_leak: too many pairs. Raise {named('max_states')}.")

    monkeypatch.setattr(describe, "clock_leak", refuse)
    shown = described(capsys, "random_order_team")
    assert "clock leaks: not decided - clock_leak: too many pairs. Raise --max-states." in shown
    record = json.loads(described(capsys, "random_order_team", "--json"))
    assert record["properties"]["clock leaks"] == {
        "holds": None,
        "reason": "clock_leak: too many pairs. Raise --max-states.",
    }


@pytest.mark.parametrize("name", list(catalog()))
def test_every_game_of_the_catalogue_is_described(capsys, name):
    shown = described(capsys, name, "--max-states", "1000")
    assert shown.splitlines()[0] == load_game(name).title


def test_budget_that_is_no_number_is_refused(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["describe", "tiger", "--max-states", "-1"])
    assert "needs a whole number of at least 1, but got '-1'" in capsys.readouterr().err
