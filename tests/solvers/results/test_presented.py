"""Solutions print what is played; nothing that is printed is long."""

import json
from fractions import Fraction

import numpy as np
import pytest

import solvers
from gametheory_core import NormalFormGame, load_game
from gametheory_core.errors import InvalidArgument

LONGEST = 2000  # characters of a repr


@pytest.fixture(scope="module", name="commitment")
def make_commitment():
    """A commitment in a game of 200 x 200 actions."""
    rng = np.random.default_rng(5)
    leader, follower = rng.integers(0, 1000, (2, 200, 200))
    return solvers.strong_stackelberg(NormalFormGame.bimatrix(leader, follower))


def test_a_large_commitment_shows_what_is_played(commitment):
    text = str(commitment)
    played = sum(bool(p) for own in commitment.profile.strategies for p in own.tolist())
    assert f"{400 - played} more actions are not played." in text
    assert len(text.splitlines()) < 30
    for name in commitment.profile.support["player 2"]:
        assert name in text
    assert len(repr(commitment)) < LONGEST
    assert len(repr(commitment.profile)) < LONGEST


def test_all_rows_are_there_if_asked_for(commitment):
    assert len(commitment.table(full=True).rows) == 400
    assert len(commitment.to_csv(full=True).splitlines()) == 401
    assert len(commitment.to_csv().splitlines()) == 1 + len(commitment.table().rows)


def test_profiles_of_solutions_know_their_game():
    game = load_game("battle_of_the_sexes")
    found = solvers.vertex_enumeration(game)
    mixed = next(s for s in found.equilibria if len(s.profile.support["She"]) == 2)
    assert mixed.profile["She"]["ballet"] == Fraction(3, 5)
    assert mixed.profile.game is game


def test_sets_number_their_solutions():
    found = solvers.vertex_enumeration(load_game("chicken"))
    table = found.table()
    assert table.columns[0] == "solution"
    assert [row[0] for row in table.rows] == sorted(row[0] for row in table.rows)
    text = str(found)
    assert "Solution 3" in text
    assert "3 found, complete" in text


def test_no_solution_is_said():
    found = solvers.pure(load_game("matching_pennies"))
    assert found.table().rows == ()
    assert "0 found, complete" in str(found)


def test_many_solutions_are_counted():
    game = NormalFormGame.bimatrix([[0] * 8] * 8, [[0] * 8] * 8)
    text = str(solvers.pure(game))
    assert "Solution 5" in text
    assert "Solution 6" not in text
    assert "... and 59 more." in text


def test_html_and_json_hold_what_is_printed(commitment):
    shown = commitment._repr_html_()
    assert shown.count("<table>") == 1
    assert "are not played" in shown
    record = json.loads(commitment.to_json())
    assert record["certificate"]["kind"] == commitment.certificate.kind
    several = json.loads(solvers.pure(load_game("chicken")).to_json())
    assert several["complete"] is True
    assert len(several["solutions"]) == 2


@pytest.mark.parametrize("concept", ["minimax", "nash", "subgame-perfect", "stackelberg"])
def test_answers_of_trees_print(concept):
    text = str(solvers.solve(load_game("one_card_poker"), concept))
    assert text.startswith("One-card poker")
    assert "information set" in text


def test_forms_are_told_apart_by_name(commitment):
    assert commitment.to_latex().startswith(r"\begin{tabular}")
    assert commitment.to_markdown().startswith("| player |")
    with pytest.raises(InvalidArgument, match="one of text, csv, latex, markdown"):
        commitment.to_text("pdf")


def test_payoffs_that_can_be_had_print():
    answer = solvers.solve(load_game("chicken"), "correlated-payoffs")
    assert "payoff of player 1" in str(answer)
    assert len(answer.to_csv().splitlines()) == 1 + len(answer.table().rows)
