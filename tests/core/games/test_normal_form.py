"""Normal-form games: what is refused, what is kept, and what makes two games the same."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from gametheory_core import InvalidGame, NormalFormGame
from gametheory_core.testing import PayoffKind, normal_form_games

ROWS, COLUMNS = [[3, 0], [5, 1]], [[3, 5], [0, 1]]
GAMES = normal_form_games(kinds=tuple(PayoffKind))


def test_bimatrix_puts_the_row_player_first():
    game = NormalFormGame.bimatrix(ROWS, COLUMNS)
    assert game.exact_payoffs[0].tolist() == ROWS
    assert game.exact_payoffs[1].tolist() == COLUMNS
    assert game.actions == (("1", "2"), ("1", "2"))
    assert game.players == ("1", "2")


def test_zero_sum_makes_the_column_player_pay():
    game = NormalFormGame.zero_sum(np.array([[-128, 127]], dtype=np.int8))
    assert game.exact_payoffs.tolist() == [[[-128, 127]], [[128, -127]]]


def test_symmetric_games_look_alike_from_both_seats():
    game = NormalFormGame.symmetric([[0, 1], [2, 3]], actions=("a", "b"))
    assert game.exact_payoffs[1].tolist() == [[0, 2], [1, 3]]
    assert game.actions == (("a", "b"), ("a", "b"))


def test_a_rational_beside_floats_makes_the_whole_game_exact():
    game = NormalFormGame.bimatrix(np.array([[0.1]]), [["1/3"]])
    assert game.given_payoffs.ravel().tolist() == [Fraction(0.1), Fraction(1, 3)]


@pytest.mark.parametrize(
    ("build", "complaint"),
    [
        (lambda: NormalFormGame.from_payoffs([]), r"the shape is \(0,\)"),
        (lambda: NormalFormGame.from_payoffs([1, 2]), r"the shape is \(2,\)"),
        (lambda: NormalFormGame.from_payoffs([[[1]], [[1]], [[1]]]), r"shape is \(3, 1, 1\)"),
        (lambda: NormalFormGame.from_payoffs([[[], []], [[], []]]), r"each at least 1"),
        (lambda: NormalFormGame.bimatrix([[1, 2]], [[1], [2]]), r"column player's \(2, 1\)"),
        (lambda: NormalFormGame.bimatrix([1], [1]), r"row player's payoffs have shape \(1,\)"),
        (lambda: NormalFormGame.symmetric([[1, 2]]), r"square matrix, but its shape is \(1, 2\)"),
        (lambda: NormalFormGame.zero_sum([[1, 2], [3]]), r"row player's payoffs: .*ragged"),
        (lambda: NormalFormGame.zero_sum([["x"]]), r"entry \(0, 0\): needs a finite number"),
        (
            lambda: NormalFormGame.bimatrix(ROWS, COLUMNS, players=("Ann",)),
            r"one label for each of 2 players, but got \('Ann',\)",
        ),
        (
            lambda: NormalFormGame.bimatrix(ROWS, COLUMNS, players=("Ann", "Ann")),
            "different player labels, but 'Ann' stands at positions 1 and 2",
        ),
        (
            lambda: NormalFormGame.bimatrix(ROWS, COLUMNS, actions=("ab", "xx")),
            "player 2: needs different action labels, but 'x'",
        ),
        (
            lambda: NormalFormGame.bimatrix(ROWS, COLUMNS, actions=("ab", "x")),
            r"labels for \(2, 2\) actions, but got \(2, 1\) labels",
        ),
    ],
)
def test_malformed_games_are_refused(build, complaint):
    with pytest.raises(InvalidGame, match=complaint):
        build()


def test_payoffs_are_copied_in():
    rows = np.array([[1.0, 2.0]])
    game = NormalFormGame.zero_sum(rows)
    digest = game.digest
    rows[:] = 9
    assert game.payoffs[0].tolist() == [[1.0, 2.0]]
    assert NormalFormGame.zero_sum([[1, 2]]).digest == digest


@pytest.mark.parametrize(
    "half", [0.5, "1/2", "0.5", " 2/4 ", Fraction(1, 2), Decimal("0.5"), np.float32(0.5)], ids=repr
)
def test_the_digest_depends_on_numbers_and_not_on_how_they_were_written(half):
    game = NormalFormGame.zero_sum([[half, 1]])
    floats = NormalFormGame.zero_sum(np.array([[0.5, 1.0]]))
    assert game.digest == floats.digest
    assert game == floats


def test_the_digest_sees_labels_and_payoffs_but_no_title():
    game = NormalFormGame.bimatrix(ROWS, COLUMNS)
    assert game == NormalFormGame.bimatrix(ROWS, COLUMNS, title="The prisoners")
    others = [
        NormalFormGame.bimatrix(ROWS, ROWS),
        NormalFormGame.bimatrix(COLUMNS, ROWS),
        NormalFormGame.bimatrix(ROWS, COLUMNS, players=("Ann", "Bob")),
        NormalFormGame.bimatrix(ROWS, COLUMNS, actions=("ab", "ab")),
        NormalFormGame.bimatrix([[3, 0], [5, 1 + 2**-60]], COLUMNS),
        NormalFormGame.bimatrix([[3, 0], [5, Fraction(2**60 + 1, 2**60)]], COLUMNS),
    ]
    assert [game == other for other in others] == [False, False, False, False, True, False]
    assert game != "a game"


@given(game=GAMES)
def test_floats_and_exact_payoffs_agree(game):
    assert game.payoffs.tolist() == game.exact_payoffs.astype(float).tolist()
    for player, scaled in enumerate(game.scaled_payoffs):
        numbers = scaled.numerators * Fraction(1, scaled.denominator)
        assert numbers.tolist() == game.exact_payoffs[player].tolist()


def test_the_representation_tells_the_size():
    game = NormalFormGame.bimatrix([[1, 2]], [[1, 2]], title="Small")
    assert repr(game) == "NormalFormGame('Small', 2 players, 1 x 2 actions)"
    assert repr(NormalFormGame.from_payoffs([[0]])) == "NormalFormGame('', 1 player, 1 action)"


@pytest.mark.parametrize("payoffs", [[], [[]], [1, 2], [[[1, 2], [3, 4]]]])
@pytest.mark.parametrize(
    "build", [NormalFormGame.zero_sum, lambda payoffs: NormalFormGame.bimatrix([[1]], payoffs)]
)
def test_what_is_no_matrix_is_refused_once_and_with_its_shape(build, payoffs):
    with pytest.raises(InvalidGame, match=r"needs a matrix.*have shape \(.*a list of numbers"):
        build(payoffs)
