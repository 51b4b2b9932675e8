"""Payoffs in data frames: labels become actions, and order follows labels."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt

pd = pytest.importorskip("pandas")

UP, LEFT = ["up", "down"], ["left", "right", "far"]
A = pd.DataFrame([[3, 0, 1], [5, 1, 2]], index=UP, columns=LEFT)
B = pd.DataFrame([[1, 2, 3], [4, 5, 6]], index=UP, columns=LEFT)
GAME = gt.NormalFormGame.bimatrix(A.to_numpy(), B.to_numpy(), actions=(UP, LEFT))


@given(st.permutations(UP), st.permutations(LEFT))
def test_frames_are_aligned_by_label(rows, columns):
    assert gt.NormalFormGame.bimatrix(A, B.loc[rows, columns]) == GAME
    assert gt.NormalFormGame.from_payoffs([A, B.loc[rows, columns]]) == GAME
    moved = gt.NormalFormGame.bimatrix(A, B, actions=(rows, columns))
    assert moved == gt.NormalFormGame.bimatrix(A.loc[rows, columns], B)


def test_labels_of_one_frame_serve_for_both():
    assert gt.NormalFormGame.bimatrix(A, B.to_numpy()) == GAME
    assert gt.NormalFormGame.bimatrix(A.to_numpy(), B) == GAME
    assert gt.NormalFormGame.bimatrix(A.reset_index(drop=True), B) == GAME


def test_counted_indices_are_no_labels():
    frame = pd.DataFrame([[1, 2], [3, 4]])
    assert gt.NormalFormGame.zero_sum(frame) == gt.NormalFormGame.zero_sum([[1, 2], [3, 4]])


def test_names_of_index_and_columns_are_players():
    named = A.rename_axis(index="Ann", columns="Bob")
    assert gt.NormalFormGame.bimatrix(named, B).players == ("Ann", "Bob")
    assert gt.NormalFormGame.bimatrix(named, B, players=("1", "2")) == GAME
    assert gt.NormalFormGame.bimatrix(A.rename_axis(index="Ann"), B) == GAME


def test_names_of_the_second_frame_serve_where_the_first_has_none():
    named = B.rename_axis(index="Ann", columns="Bob")
    assert gt.NormalFormGame.bimatrix(A, named).players == ("Ann", "Bob")


@pytest.mark.parametrize(
    ("first", "second", "complaint"),
    [
        (("Ann", "Bob"), ("Bob", "Ann"), r"first has 'Ann', 'Bob' and .* 'Bob', 'Ann'.*frame\.T"),
        (("Ann", "Bob"), ("Ann", "Eve"), r"the second 'Ann', 'Eve'.*rename_axis"),
        (("Ann", "Bob"), ("Bob", None), r"the second 'Bob', ''.*rename_axis"),
        (("Eve", None), ("Ann", "Bob"), r"first has 'Eve', ''.*rename_axis"),
    ],
)
def test_frames_that_name_other_players_are_refused(first, second, complaint):
    square = A[["left", "right"]]
    own, other = (square.rename_axis(index=x, columns=y) for x, y in (first, second))
    with pytest.raises(gt.InvalidGame, match=complaint):
        gt.NormalFormGame.bimatrix(own, other)


@pytest.mark.parametrize(
    ("names", "players"),
    [
        (("Ann", "Bob"), ("Bob", "Ann")),
        (("Bob", None), ("Ann", "Bob")),
        ((None, "Ann"), ["Ann", "B"]),
    ],
)
def test_players_in_another_order_than_the_names_are_refused(names, players):
    frame = A.rename_axis(index=names[0], columns=names[1])
    with pytest.raises(gt.InvalidGame, match=r"order of the frame: index first.* frame\.T"):
        gt.NormalFormGame.zero_sum(frame, players=players)
    with pytest.raises(gt.InvalidGame, match=r"order of the frame: index first"):
        gt.NormalFormGame.bimatrix(A, frame, players=players)


def test_numbers_as_labels_in_another_order_need_labels_on_both_sides():
    plain = pd.DataFrame([[1, 2], [3, 4]])
    turned = plain.loc[[1, 0]]
    complaint = r"one has '1', '0', and the other none.*reset_index\(drop=True\)"
    for pair in ((plain, turned), (turned, plain), (plain.T, turned.T), (turned, [[1, 2], [3, 4]])):
        with pytest.raises(gt.InvalidGame, match=complaint):
            gt.NormalFormGame.bimatrix(*pair)
    with pytest.raises(gt.InvalidGame, match=complaint):
        gt.NormalFormGame.symmetric(turned)
    both = gt.NormalFormGame.bimatrix(turned, turned.loc[[0, 1]].rename(index=str))
    assert both.exact_payoffs[0].tolist() == both.exact_payoffs[1].tolist() == [[3, 4], [1, 2]]
    assert gt.NormalFormGame.zero_sum(turned).actions[0] == ("1", "0")
    assert gt.NormalFormGame.bimatrix(plain, turned, actions=["01", "ab"]).exact_payoffs[
        1
    ].tolist() == [[1, 2], [3, 4]]


def test_zero_sum_and_symmetric_take_frames():
    assert gt.NormalFormGame.zero_sum(A).actions == (tuple(UP), tuple(LEFT))
    own = pd.DataFrame([[0, 7], [1, 4]], index=["hawk", "dove"], columns=["dove", "hawk"])
    game = gt.NormalFormGame.symmetric(own)
    assert game.actions == (("hawk", "dove"), ("hawk", "dove"))
    assert game.exact_payoffs[0].tolist() == [[7, 0], [4, 1]]
    assert (game.exact_payoffs[1] == game.exact_payoffs[0].T).all()


@pytest.mark.parametrize(
    ("other", "complaint"),
    [
        (
            B.rename(index={"up": "top"}),
            "column player's .* 'up', 'down', .* but got 'top', 'down'",
        ),
        (B.rename(columns={"far": "left"}), "'left' stands at positions 1 and 3"),
        (B[["left", "right"]], r"two matrices of one shape, but .* \(2, 3\) and .* \(2, 2\)"),
        (B["left"], r"needs a matrix.* have shape \(2,\)"),
    ],
)
def test_other_labels_are_refused_and_shown(other, complaint):
    with pytest.raises(gt.InvalidGame, match=complaint):
        gt.NormalFormGame.bimatrix(A, other)


def test_actions_that_are_not_the_frames_are_refused():
    with pytest.raises(gt.InvalidGame, match="'u', 'd', in any order, but got 'up', 'down'"):
        gt.NormalFormGame.zero_sum(A, actions=(["u", "d"], LEFT))


def test_a_text_is_no_list_of_players():
    with pytest.raises(gt.InvalidGame, match=r"list of player labels, but got 'AB' .*\['A', 'B'\]"):
        gt.NormalFormGame.zero_sum([[1]], players="AB")
    with pytest.raises(gt.InvalidArgument, match="labels of the players, but got 'AB'"):
        gt.from_sketch(gt.Terminal([1, 2]), players="AB")


def test_types_are_matched_by_label():
    tough = pd.DataFrame([[1, 2], [3, 4]], index=["in", "out"], columns=["fight", "yield"])
    soft = tough * 10
    prior = pd.Series({"soft": 0.1, "tough": 0.9})
    game = gt.BayesianGame.from_payoffs(
        [tough, soft.loc[["out", "in"]]], [tough, soft], prior=prior, types=["tough", "soft"]
    )
    assert game.leader_actions == ("in", "out")
    assert game.follower_actions == (("fight", "yield"),) * 2
    assert game.games[1].exact_payoffs[0].tolist() == [[10, 20], [30, 40]]
    assert sum(game.prior) == 1
    assert game.prior[0] > game.prior[1]
    unnamed = gt.BayesianGame.from_payoffs([tough, soft], [tough, soft], prior=prior)
    assert unnamed.types == ("soft", "tough")
    with pytest.raises(gt.InvalidGame, match="prior: needs type labels 'a', 'b'"):
        gt.BayesianGame.from_payoffs([tough, soft], [tough, soft], prior=prior, types=["a", "b"])
    other = soft.rename(index={"in": "on"})
    with pytest.raises(gt.InvalidGame, match="type 2: .*'in', 'out', .* but got 'on', 'out'"):
        gt.BayesianGame.from_payoffs([tough, other], [tough, other], prior=prior)
    with pytest.raises(gt.InvalidGame, match="type 1: .*'x', 'y'"):
        gt.BayesianGame.from_payoffs(
            [tough, soft], [tough, soft], prior=prior, leader_actions=["x", "y"]
        )


def test_targets_are_matched_by_label():
    covered = pd.Series({"gate": 0, "vault": 1})
    tables = {
        "defender_covered": covered,
        "defender_uncovered": pd.Series({"vault": -9, "gate": -2}),
        "attacker_covered": [-1, -1],
        "attacker_uncovered": pd.DataFrame(
            [[3, 9], [4, 8]], columns=["gate", "vault"], index=["x", "y"]
        ),
    }
    game = gt.SecurityGame.from_payoffs(resources=1, **tables)
    assert game.targets == ("gate", "vault")
    assert game.types == ("x", "y")
    assert game.exact_payoffs[0, 0].tolist() == [[-2, -9], [0, 1]]
    turned = gt.SecurityGame.from_payoffs(
        resources=1, **{**tables, "attacker_covered": [-1, -1]}, targets=["vault", "gate"]
    )
    assert turned.exact_payoffs[0, 0].tolist() == [[-9, -2], [1, 0]]
    with pytest.raises(gt.InvalidGame, match="defender_uncovered: needs target labels"):
        gt.SecurityGame.from_payoffs(
            resources=1, **{**tables, "defender_uncovered": pd.Series({"vault": -9, "door": -2})}
        )


def test_floats_in_frames_stay_floats():
    game = gt.NormalFormGame.zero_sum(A.astype(float) / 3)
    assert game.given_payoffs.dtype == float
    assert game.exact_payoffs[0, 1, 0] == Fraction(5 / 3)
    assert np.shares_memory(game.given_payoffs, game.payoffs)
