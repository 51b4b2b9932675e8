"""Games by name: of every kind, from the catalogue and from files."""

import pytest

from gametheory_core import InvalidArgument, load_game, write_game
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
