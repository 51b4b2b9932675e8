"""Bayesian games: what is refused, what is kept, and what makes two games the same."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import BayesianGame, InvalidGame, NormalFormGame

OWN, OTHERS = [[[2, 4], [1, 3]], [[5], [6]]], [[[1, 0], [0, 1]], [[0], [0]]]
LABELS = {
    "players": ("Ann", "Bob"),
    "types": ("bold", "shy"),
    "leader_actions": ("up", "down"),
    "follower_actions": (("left", "right"), ("stay",)),
}


def build(own=OWN, others=OTHERS, *, prior=("1/3", "2/3"), **labels):
    return BayesianGame.from_payoffs(own, others, prior=prior, **labels)


def test_types_have_their_own_actions_and_payoffs():
    game = build(**LABELS)
    assert (game.players, game.types) == (("Ann", "Bob"), ("bold", "shy"))
    assert game.prior == (Fraction(1, 3), Fraction(2, 3))
    assert game.num_actions == (2, 2, 1)
    assert (game.num_players, game.num_types) == (2, 2)
    assert game.leader_actions == ("up", "down")
    assert game.follower_actions == (("left", "right"), ("stay",))
    assert game.games[1].exact_payoffs.tolist() == [[[5], [6]], [[0], [0]]]
    assert repr(game) == "BayesianGame('', 2 types, 2 x 1 or 2 actions each)"


def test_labels_left_out_are_numbers():
    game = build()
    assert game.players == ("Leader", "Follower")
    assert (game.types, game.leader_actions) == (("1", "2"), ("1", "2"))
    assert game.follower_actions == (("1", "2"), ("1",))


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: build([], []), "at least one type"),
        (lambda: build(OWN, OTHERS[:1]), "got 2 and 1"),
        (lambda: build([[[1, 2]]], [[[1], [2]]], prior=[1]), r"column player's \(2, 1\)"),
        (
            lambda: build([[[1, 2], [3]]], [[[1]]], prior=[1]),
            "type 1: row player's payoffs: .*ragg",
        ),
        (
            lambda: build([[["x"]]], [[[1]]], prior=[1]),
            r"type 1: row player's payoffs: entry \(0, 0\)",
        ),
        (lambda: build([[[1]], [[1], [2]]], [[[1]], [[1], [2]]]), "same actions of the leader"),
        (lambda: build(prior=[1]), "2 games and 1 prior probabilities"),
        (lambda: build(prior=["1/2", "1/3"]), "sum to 1, but they sum to 5/6"),
        (lambda: build(prior=[1, 0]), "above 0 for each type, but #2 has 0. Leave the type out"),
        (lambda: build(prior=["3/2", "-1/2"]), "#2 has -1/2"),
        (lambda: build(prior=[[1]]), r"prior's shape is \(1, 1\)"),
        (lambda: build(prior=["1/2", "one"]), "prior: entry"),
        (lambda: build(prior=np.array([0.5, 0.4])), "sum to 1"),
        (lambda: build(types=("a", "a")), "different type labels, but 'a'"),
        (lambda: build(types=("a",)), "2 games and 1 labels of types"),
        (lambda: build(follower_actions=(("a", "b"),)), "for 1 of 2"),
        (lambda: build(follower_actions=(("a", "b"), ("a", "b"))), r"got \(2, 2\) labels"),
        (lambda: build(leader_actions=("a",)), r"got \(1, 2\) labels"),
        (lambda: build(players=("Ann",)), "one label for each of 2 players"),
        (lambda: replace(build(), games=("chess", "go")), "type 1 has 'chess'"),
        (
            lambda: replace(build(), games=(NormalFormGame.from_payoffs([[1]]),) * 2),
            "two-player normal form for each type",
        ),
        (
            lambda: BayesianGame(
                ("a", "b"),
                (Fraction(1, 2), Fraction(1, 2)),
                tuple(NormalFormGame.zero_sum([[1]], players=(name, "F")) for name in "AB"),
            ),
            "same players with all types, but type 1 has .* and type 2 has",
        ),
    ],
)
def test_malformed_games_are_refused(make, complaint):
    with pytest.raises(InvalidGame, match=complaint):
        make()


def test_float_prior_is_divided_by_its_exact_sum():
    game = build(prior=np.array([0.1, 0.9]))
    assert sum(game.prior) == 1
    assert abs(game.prior[0] - Fraction(1, 10)) < Fraction(1, 10**15)


def test_float_payoffs_are_kept_as_floats():
    game = build([np.array([[0.1]])], [np.array([[1.0]])], prior=[1])
    assert game.games[0].given_payoffs.dtype == np.float64
    assert game.games[0].exact_payoffs[0, 0, 0] == Fraction(0.1)


@pytest.mark.parametrize(
    "other",
    [
        lambda: build(prior=["1/4", "3/4"]),
        lambda: build(types=("a", "b")),
        lambda: build([[[2, 4], [1, 3]], [[5], [7]]]),
        lambda: build(leader_actions=("a", "b")),
        lambda: build(OWN[:1], OTHERS[:1], prior=[1]),
        lambda: None,
    ],
)
def test_any_difference_makes_another_game(other):
    assert build() != other()
