"""Solvers of other packages are seen everywhere that ours are, once they are imported."""

import importlib
import json
import sys

import pytest

import solvers.solver as declaring
from gametheory_core import CertificateRejected, InvalidArgument, UnsupportedGame, load_game
from solvers import solve
from solvers.__main__ import main
from solvers.table import table_of_solvers

NAME = "tests.solvers.third_party"


@pytest.fixture
def others(monkeypatch):
    """Import the other package, and forget it afterwards."""
    monkeypatch.setattr(declaring, "_DECLARED", dict(declaring._DECLARED))
    monkeypatch.delitem(sys.modules, NAME, raising=False)
    return importlib.import_module(NAME)


def test_a_new_kind_of_game_is_solved_for_a_new_concept(others):
    cake = others.Cake(((1, 1, 2), (5, 1, 1)))
    reports = []
    answer = solve(cake, "envy-free", on_iteration=reports.append)
    (solution,) = answer.solutions
    assert (answer.algorithm, solution.profile) == ("cut_and_choose", 2)
    assert [report.unit for report in reports] == ["cuts", "cuts"]
    solution.certificate.verify()
    with pytest.raises(CertificateRejected, match="Ann envies"):
        others.NobodyEnvies(cake, 1, 0).verify()


def test_what_it_requires_is_refused_in_the_same_words(others):
    odd = others.Cake(((2, 1), (1, 1)))
    with pytest.raises(UnsupportedGame, match="^cut_and_choose: needs a cut .* Ann cannot halve"):
        others.cut_and_choose(odd)
    with pytest.raises(UnsupportedGame, match="cut_and_choose needs a cut that .* cannot halve it"):
        solve(odd, "envy-free")
    with pytest.raises(UnsupportedGame, match=r"needs a tree\. You may ask for envy-free"):
        solve(others.Cake(((1, 1), (1, 1))), "nash")
    with pytest.raises(UnsupportedGame, match="cut_and_choose: needs a cake, but got NormalForm"):
        others.cut_and_choose(load_game("stag_hunt"))
    with pytest.raises(InvalidArgument, match="guessed_corner: needs a member of Corner as corner"):
        others.guessed_corner(load_game("stag_hunt"), corner="first")


def test_our_refusals_name_it_where_it_helps(others):
    with pytest.raises(UnsupportedGame, match="lemke_howson, pure, logit_homotopy or guessed_corn"):
        solve(load_game("prisoners_dilemma"), "minimax")
    assert solve(load_game("stag_hunt"), "nash").algorithm == "lemke_howson"  # of a lower rank


@pytest.mark.usefixtures("others")
def test_the_table_lists_it():
    assert "| Guess a corner of a matrix, and certify it |" in table_of_solvers()
    assert "`envy-free`" in table_of_solvers()
    assert "[](" not in table_of_solvers()


def test_the_command_line_imports_it_and_knows_its_options(monkeypatch, capsys):
    monkeypatch.setattr(declaring, "_DECLARED", dict(declaring._DECLARED))
    monkeypatch.delitem(sys.modules, NAME, raising=False)
    arguments = ["prisoners_dilemma", "--algorithm", "guessed_corner", "--import", NAME]
    assert main([*arguments, "--corner", "last", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["algorithm"] == "guessed_corner"
    assert answer["solutions"][0]["certificate"]["epsilon"] == "0"
    monkeypatch.setenv("COLUMNS", "4000")  # words are cut at their hyphens where lines end
    with pytest.raises(SystemExit, match="0"):
        main(["--import", NAME, "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "envy-free" in shown
    assert "guessed_corner: Which one is guessed. One of: first, last." in shown
    assert main(["stag_hunt", "--import", "no.such.module"]) == 2
    assert "needs a module that Python finds, but 'no.such.module'" in capsys.readouterr().err
