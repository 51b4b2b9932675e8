"""Normal forms: constructors, refusals, identity."""

import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.errors import InvalidGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import is_constant_sum, is_zero_sum, payoff_sum
from gametheory_core.testing.generators import (
    PayoffKind,
    normal_form_games,
    symmetric_games,
    zero_sum_games,
)


@pytest.mark.parametrize("half", [0.5, "1/2", Fraction(1, 2), Decimal("0.5"), np.float64(0.5)])
def test_identity_does_not_depend_on_how_a_number_was_given(half):
    game = NormalFormGame.bimatrix([[half, 1]], [[0, half]])
    floats = NormalFormGame.bimatrix(np.array([[0.5, 1]]), np.array([[0, 0.5]]))
    assert game.digest == floats.digest
    assert game == floats
    assert hash(game) == hash(floats)


def test_identity_has_labels_and_payoffs_but_no_title():
    game = NormalFormGame.zero_sum([[1]], title="a")
    assert game == NormalFormGame.zero_sum([[1]], title="b")
    assert game != NormalFormGame.zero_sum([[2]])
    assert game != NormalFormGame.zero_sum([[1]], players=("x", "y"))
    assert game != NormalFormGame.zero_sum([[1]], actions=(("x",), ("y",)))
    assert game != 1


@given(normal_form_games(kinds=tuple(PayoffKind)))
def test_pickle_keeps_the_game(game):
    copy = pickle.loads(pickle.dumps(game))
    assert copy == game
    assert copy.given_payoffs.dtype == game.given_payoffs.dtype


def test_payoffs_are_copied_in_and_read_only():
    rows = np.array([[1.0]])
    game = NormalFormGame.zero_sum(rows)
    rows[0, 0] = 9
    assert game.payoffs[:, 0, 0].tolist() == [1, -1]
    for array in (game.payoffs, game.exact_payoffs, game.given_payoffs):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0, 0] = 1


def test_one_exact_matrix_makes_both_exact():
    game = NormalFormGame.bimatrix(np.array([[0.5]]), [["1/3"]])
    assert game.exact_payoffs.ravel().tolist() == [Fraction(1, 2), Fraction(1, 3)]


@given(zero_sum_games(kinds=tuple(PayoffKind)))
def test_zero_sum_games_are(game):
    assert is_zero_sum(game)
    assert is_constant_sum(game)
    assert payoff_sum(game) == 0


@given(symmetric_games(kinds=tuple(PayoffKind)))
def test_symmetric_games_look_the_same_from_both_seats(game):
    first, second = game.exact_payoffs
    assert first.T.tolist() == second.tolist()


@given(normal_form_games(num_players=(1, 3)), st.data())
def test_a_broken_sum_is_shown_by_a_cell(game, data):
    verdict = is_zero_sum(game)
    totals = game.exact_payoffs.sum(axis=0)
    assert bool(verdict) == all(t == 0 for t in totals.ravel())
    assert bool(is_constant_sum(game)) == (len(set(totals.ravel().tolist())) == 1)
    if not verdict:
        assert totals[verdict.witness] != 0
        assert f"sum to {totals[verdict.witness]}, not 0" in verdict.reason


@pytest.mark.parametrize(
    ("build", "problem"),
    [
        (lambda: NormalFormGame.bimatrix([[1, 2]], [[1], [2]]), r"column .* \(2, 1\).*\(1, 2\)"),
        (lambda: NormalFormGame.bimatrix([1, 2], [1, 2]), r"the row player's payoffs have shape"),
        (lambda: NormalFormGame.symmetric([[1, 2]]), r"needs a square matrix.*\(1, 2\)"),
        (lambda: NormalFormGame.from_payoffs([[[1]], [[1]], [[1]]]), r"shape is \(3, 1, 1\)"),
        (lambda: NormalFormGame.from_payoffs(3), r"the shape is \(\)"),
        (lambda: NormalFormGame.from_payoffs([]), r"the shape is \(0,\)"),
        (lambda: NormalFormGame.from_payoffs([[], []]), r"the shape is \(2, 0\)"),
        (lambda: NormalFormGame.zero_sum([[1, 2], [3]]), r"needs rows of one length"),
        (lambda: NormalFormGame.zero_sum([[1, "a"]]), r"row player's payoffs: entry \(0, 1\)"),
        (lambda: NormalFormGame.zero_sum([[1]], players=("a",)), r"each of 2 players"),
        (lambda: NormalFormGame.zero_sum([[1]], players=("a", "a")), r"'a' stands at positions"),
        (
            lambda: NormalFormGame.zero_sum([[1, 2]], actions=(("a",), ("b", "b"))),
            r"player 2: needs different action labels",
        ),
        (
            lambda: NormalFormGame.zero_sum([[1, 2]], actions=(("a",), ("b",))),
            r"labels for \(1, 2\) actions, but got \(1, 1\)",
        ),
    ],
)
def test_malformed_games_are_refused(build, problem):
    with pytest.raises(InvalidGame, match=problem):
        build()


def test_numbers_beyond_floats_are_exact_and_refused_as_floats():
    game = NormalFormGame.zero_sum([[Decimal("1e400")]])
    assert game.exact_payoffs[0, 0, 0] == 10**400
    with pytest.raises(InvalidGame, match="1e400"):
        _ = game.payoffs
