"""Mixed profiles by label: what a label says decides, and never where it stands."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.strategies import correlated_distribution

GAME = gt.NormalFormGame.bimatrix(
    [[1, 2], [3, 4], [5, 6]],
    [[1, 2], [3, 4], [5, 6]],
    players=("Row", "2"),
    actions=(("a", "b", ""), ("x", "y")),
)
THIRD = Fraction(1, 3)
EXPECTED = gt.MixedProfile(([THIRD, 0, 2 * THIRD], [0, 1]))


@given(st.permutations([("a", "1/3"), ("b", 0), ("#3", "2/3")]), st.booleans(), st.booleans())
def test_labels_decide_and_their_order_does_not(row, in_series, by_name):
    own = dict(row)
    if in_series:
        own = pytest.importorskip("pandas").Series(own)
    strategies = {"2": {"y": 1}, "Row": own} if by_name else [own, {"y": 1}]
    profile = gt.mixed_profile(GAME, strategies)
    assert profile == EXPECTED
    assert profile.game is GAME


def test_vectors_without_labels_go_by_position():
    pd = pytest.importorskip("pandas")
    for own in ([THIRD, 0, 2 * THIRD], pd.Series([THIRD, 0, 2 * THIRD])):
        assert gt.mixed_profile(GAME, [own, np.array([0, 1])]) == EXPECTED


def test_floats_stay_floats_only_where_all_are():
    floats = gt.mixed_profile(GAME, [np.array([0.5, 0.5, 0]), np.array([0.25, 0.75])])
    assert not floats.is_exact
    mixed = gt.mixed_profile(GAME, [np.array([0.5, 0.5, 0]), {"x": 0.1, "y": 0.9}])
    assert mixed.is_exact
    assert sum(mixed.strategies[1]) == 1


def test_types_of_bayesian_games_choose_too():
    game = gt.BayesianGame.from_payoffs([[[1, 2]]] * 2, [[[1, 2]]] * 2, prior=["1/2", "1/2"])
    profile = gt.mixed_profile(game, [[1], {"2": 1}, {"1": "1/2", "2": "1/2"}])
    assert [list(own) for own in profile.strategies] == [[1], [0, 1], [Fraction(1, 2)] * 2]


@pytest.mark.parametrize(
    ("strategies", "complaint"),
    [
        ([{"c": 1}, [1, 0]], "needs actions of Row: 'a', 'b', '#3', but the strategy has 'c'"),
        ([{"a": "1/2"}, [1, 0]], "mixed strategy of Row: .* they sum to 1/2"),
        ([{"a": 2, "b": -1}, [1, 0]], "probabilities of at least 0, but entry 1 is -1"),
        ([[1, 0], [1, 0]], r"over \(3, 2\) actions .* have \(2, 2\) probabilities"),
        ([[1, 0, 0]], "a strategy for each of 2: 'Row', 'player 2', but got 1"),
        ({"Row": [1, 0, 0]}, "but there is none of player 2"),
        ({"Row": [1, 0, 0], "2": [1, 0], "player 2": [1, 0]}, "one player has two"),
        ({"Row": [1, 0, 0], "x": [1, 0]}, "one of the players, but got 'x'"),
        ("ab", "a strategy for each player, but got 'ab'"),
    ],
)
def test_what_fits_no_label_is_refused(strategies, complaint):
    with pytest.raises(gt.InvalidStrategy, match=complaint):
        gt.mixed_profile(GAME, strategies)


def test_labels_that_stand_twice_are_refused():
    pd = pytest.importorskip("pandas")
    twice = pd.Series([0.5, 0.5], index=["a", "a"])
    with pytest.raises(gt.InvalidStrategy, match="of Row: .*'a' stands at positions 1 and 2"):
        gt.mixed_profile(GAME, [twice, [1, 0]])


def test_labels_that_nobody_could_look_up_are_refused():
    pd = pytest.importorskip("pandas")
    series = pd.Series({"y": 0.5, "x": 0.5})
    with pytest.raises(gt.InvalidStrategy, match=r"labels 'y', 'x'\. Give mixed_profile\(game"):
        gt.MixedProfile((series, series))
    with pytest.raises(gt.InvalidStrategy, match=r"DataFrame with labels 'x', 'y'.*to_numpy"):
        correlated_distribution(pd.DataFrame([[0.5, 0], [0, 0.5]], index=["x", "y"]))
    assert correlated_distribution(pd.DataFrame([[0.5, 0], [0, 0.5]])).num_actions == (2, 2)
