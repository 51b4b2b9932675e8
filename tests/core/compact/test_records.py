"""Compact games as records and files: the same back, or a refusal that names the place."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import MalformedFile, compact, load_game, read_game, write_game
from gametheory_core.formats import game_from, game_record, parse_json

NAMES = (
    "ring_of_pennies",
    "security_ring",
    "public_good_on_ring",
    "pigou",
    "braess",
    "affine_triangle",
    "el_farol",
)


def back(record):
    """What the record says after a trip through text."""
    return game_from(parse_json(json.dumps(record), name="record"))


@given(
    st.one_of(
        compact.polymatrix_games(),
        compact.graphical_games(),
        compact.congestion_games(),
        compact.anonymous_games(),
    )
)
def test_a_game_reads_back(game):
    assert back(game_record(game)) == game


@pytest.mark.parametrize("name", NAMES)
def test_a_file_reads_back(name, tmp_path):
    game = load_game(name)
    write_game(game, tmp_path / "game.json")
    again = read_game(tmp_path / "game.json")
    assert again == game
    assert again.title == game.title


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("ring_of_pennies", {"edges": [[0, 1, 2]]}, r"edges\[0\]: .*two players"),
        ("ring_of_pennies", {"edges": [[0, 9]]}, "edges \\(i, j\\)"),
        ("ring_of_pennies", {"edges": [[0, "1"]]}, r"edges\[0\]\[1\]"),
        ("ring_of_pennies", {"payoffs": ["1", "1/0"]}, r"payoffs\[1\]"),
        ("ring_of_pennies", {"payoffs": ["1"]}, "40 payoffs"),
        ("public_good_on_ring", {"neighbors": [[1]]}, "a neighborhood for each of 6"),
        ("pigou", {"delays": [["1"]]}, r"delays\[0\]: .*4 delays"),
        ("pigou", {"uses": [[[7]]]}, "what each action uses"),
        ("el_farol", {"payoffs": [["1"]]}, r"payoffs\[0\]: .*18 payoffs"),
        ("el_farol", {"payoffs": []}, "one table for all players"),
        ("el_farol", {"actions": []}, "at least one player and one action"),
        ("el_farol", {"players": []}, "at least one player and one action"),
        ("ring_of_pennies", {"players": []}, "at least one player"),
    ],
)
def test_a_damaged_record_is_refused_by_its_place(name, changes, message):
    with pytest.raises(MalformedFile, match=message):
        back({**game_record(load_game(name)), **changes})


@pytest.mark.parametrize("name", NAMES)
def test_the_laws_of_the_kind_hold(name, capsys):
    from gametheory_core.__main__ import main

    assert main(["check", name]) == 0
    assert "the normal form pays the same on average" in " ".join(capsys.readouterr().out.split())
