"""Games by name: of every kind, from the catalogue and from files."""

import pytest

from gametheory_core import (
    InvalidArgument,
    UnsupportedGame,
    load_aec,
    load_game,
    load_matrix,
    load_posg,
    load_tree,
    write_game,
)
from gametheory_core.catalog import Tiger, chicken
from gametheory_core.conversions import aec_to_tabular, posg_to_tabular
from solvers.__main__ import main as solve


def test_matrix_of_the_catalogue_is_loaded():
    assert load_game("chicken") == chicken()


def test_rules_of_the_catalogue_are_loaded():
    assert load_game("tiger:horizon=2") == Tiger(horizon=2)


@pytest.mark.parametrize(
    ("name", "convert"), [("tiger", posg_to_tabular), ("random_order_team", aec_to_tabular)]
)
def test_rules_of_a_file_are_loaded_as_tables(tmp_path, name, convert):
    path = str(tmp_path / "game.json")
    table = convert(load_game(name)).target
    write_game(table, path)
    assert load_game(path) == table


@pytest.mark.parametrize("name", ["tiger", "random_order_team"])
def test_solvers_refuse_rules_in_one_line(capsys, name):
    assert solve([name]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("solve: needs a tree or a normal form ")
    assert "for nash, but got " in shown.err
    assert "convert GAME FILE.efg" in shown.err
    assert shown.err.count("\n") == 1


def test_a_path_is_a_name(tmp_path):
    path = tmp_path / "game.nfg"
    write_game(chicken(), path)
    assert load_game(path).num_actions == (2, 2)


@pytest.mark.parametrize("name", [None, 3, b"chicken", ""])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(InvalidArgument, match=r"needs the name of a game or a path, but got"):
        load_game(name)


@pytest.mark.parametrize(
    ("load", "name", "other", "words"),
    [
        (load_matrix, "chicken", "kuhn_poker", "a normal form"),
        (load_tree, "kuhn_poker", "chicken", "a tree"),
        (load_posg, "tiger", "random_order_team", "the rules of a POSG"),
        (load_posg, "tiger", "kuhn_poker", "the rules of a POSG"),
        (load_aec, "random_order_team", "tiger", "the rules of an AEC game"),
    ],
)
def test_a_kind_of_game_is_loaded_and_no_other(load, name, other, words):
    assert load(name) == load_game(name)
    with pytest.raises(UnsupportedGame, match=f"^{load.__name__}: needs {words}, but '{other}' is"):
        load(other)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("kuhn", "kuhn_poker"),
        ("Kuhn Poker", "kuhn_poker"),
        ("pennies", "matching_pennies"),
        ("leduk_poker", "leduc_poker"),
        ("prisoner-dilemma", "prisoners_dilemma"),
    ],
)
def test_near_misses_are_suggested(name, meant):
    with pytest.raises(InvalidArgument, match=f"Did you mean (.* or )?{meant}( or .*)?\\?"):
        load_game(name)


def test_nothing_near_is_not_suggested():
    with pytest.raises(InvalidArgument, match="is not one. List the names"):
        load_game("zzzz")


def test_switches_are_true_or_false():
    for option in ("recover", "decimals"):
        with pytest.raises(InvalidArgument, match=f"needs {option} to be of type bool, but got 1"):
            load_game("chicken", **{option: 1})
