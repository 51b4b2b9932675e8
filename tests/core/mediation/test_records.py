"""Mediated games as records: the same back, or a refusal that names the place."""

import json

import pytest
from hypothesis import given

from gametheory_core import (
    InvalidGame,
    MalformedFile,
    UnsupportedGame,
    mediation,
    read_game,
    write_game,
)
from gametheory_core.formats import parse_json
from gametheory_core.mediation.registration import mediated_fields, mediated_from


def record_of(game, **changes):
    """The fields and those that a game record adds, with some of them changed."""
    return {"title": game.title, "players": list(game.players), **mediated_fields(game), **changes}


def back(record):
    """What the record says after a trip through text."""
    return mediated_from(parse_json(json.dumps(record), name="record"))


@given(mediation.mediated_games())
def test_game_reads_back(game):
    again = back(record_of(game))
    assert again == game
    assert (again.states, again.actions) == (game.states, game.actions)


@pytest.mark.parametrize(
    "game",
    [
        mediation.mediated_chicken(players=3),
        mediation.resource_collection_one_color(players=4),
        mediation.paid_leadership(),
    ],
    ids=repr,
)
def test_catalogue_game_reads_back_with_its_title(game):
    again = back(record_of(game))
    assert again == game
    assert again.title == game.title


def test_file_reads_back_with_its_kind(tmp_path):
    path = tmp_path / "game.json"
    game = mediation.resource_collection_one_color(players=3)
    write_game(game, path)
    again = read_game(path)
    assert again == game
    assert again.title == game.title
    assert json.loads(path.read_text(encoding="utf-8"))["kind"] == "mediated"


def test_numbers_are_written_as_text_and_stay_exact():
    record = record_of(mediation.paid_leadership(players=2, rounds=3))
    assert record["discount"] == "9/10"
    assert record["rewards"] == [["1", "0"], ["0", "1"]]


def test_label_that_would_not_read_back_is_refused():
    game = mediation.mediated_game(
        players=["Ann"], horizon=1, initial={0: 1}, actions=[[1.5]], play=lambda *_: ((0,), {0: 1})
    )
    with pytest.raises(UnsupportedGame, match=r"action of 'Ann' has 1\.5"):
        mediated_fields(game)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": []}, "players: .*at least one player"),
        ({"players": ["1", 2]}, r"players\[1\]"),
        ({"actions": [["C", "D"]]}, "actions: .*2 entries, one a player"),
        ({"actions": [["C", "D"], "CD"]}, r"actions\[1\]"),
        ({"states": [{"odd": 1}]}, r"states\[0\]"),
        ({"horizon": 0}, "horizon: .*at least 1"),
        ({"horizon": "4"}, "horizon: .*integer"),
        ({"discount": 0.5}, "discount"),
        ({"rewards": [["2", "1"]] * 3 + [["2"]]}, r"rewards\[3\].*2 entries"),
        ({"rewards": [["2", "1"]] * 3 + [["2", "x"]]}, r"rewards\[3\]\[1\]"),
        ({"row_key": [0, 1, 2, 2**62]}, r"row_key.*below 2\^62"),
        ({"row_key": [0, 1, 2, 3.0]}, r"row_key\[3\]"),
        ({"initial_kernel": {"start": [0, 1, 2], "outcome": [0, 0], "weight": ["1", "1"]}}, "row"),
        (
            {"transition_kernel": {"start": [0, 1], "outcome": [0], "weight": ["1/2"]}},
            "transition_kernel",
        ),
    ],
)
def test_malformed_value_is_refused_with_its_path(changes, message):
    with pytest.raises(MalformedFile, match=message):
        back(record_of(mediation.mediated_prisoners_dilemma(), **changes))


def test_missing_field_is_named():
    record = record_of(mediation.mediated_prisoners_dilemma())
    del record["rewards"]
    with pytest.raises(MalformedFile, match="the key 'rewards'"):
        back(record)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"row_key": [0, 1, 3, 2]}, "ascending"),
        ({"rewards": [["2", "1"]] * 3}, "rewards of shape"),
        ({"discount": "11/10"}, "discount"),
        ({"states": ["round", "never"]}, "'never'"),
    ],
)
def test_parts_that_make_no_game_are_refused(changes, message):
    with pytest.raises(InvalidGame, match=message):
        back(record_of(mediation.mediated_prisoners_dilemma(), **changes))
