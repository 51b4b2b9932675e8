"""Measures of fairness: their numbers by hand, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import GameTheoryError, InvalidArgument
from gametheory_core.mediation import MINIMUM, Fairness, FairnessKind, fairness_value
from gametheory_core.mediation.fairness import check_fairness

GINI, NASH = FairnessKind.GINI, FairnessKind.NASH
THIRDS = Fairness(GINI, weights=("2/3", "1/3"))


@pytest.mark.parametrize(
    ("fairness", "returns", "value"),
    [
        (MINIMUM, (3, -2, 5), -2),
        (MINIMUM, (Fraction(1, 3),), Fraction(1, 3)),
        (THIRDS, (5, 1), Fraction(7, 3)),
        (THIRDS, (1, 5), Fraction(7, 3)),
        (THIRDS, (-2, -3), Fraction(-8, 3)),
        (Fairness(GINI, weights=("1/2", "1/3", "1/6")), (6, 0, 12), 4),
        (Fairness(NASH), (3, 2, Fraction(1, 2)), 3),
        (Fairness(NASH), (0, 7), 0),
        (Fairness(NASH, disagreement=(-8, -8)), (-2, -3), 30),
        (Fairness(NASH, disagreement=(-8, -8)), (1, 1), 81),
        (Fairness(NASH, disagreement=(1, 0)), (1, 5), 0),
    ],
)
def test_value_by_hand(fairness, returns, value):
    found = fairness_value(fairness, returns)
    assert found == value
    assert type(found) is Fraction


def test_numbers_are_kept_exactly():
    assert THIRDS.weights == (Fraction(2, 3), Fraction(1, 3))
    assert Fairness(NASH, disagreement=(0.5, 1)).disagreement == (Fraction(1, 2), Fraction(1))
    assert hash(THIRDS) == hash(Fairness(GINI, weights=(Fraction(2, 3), Fraction(1, 3))))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "minimum"}, "member of FairnessKind as kind, but got 'minimum'"),
        ({"kind": FairnessKind.MINIMUM, "weights": (1,)}, "weights for .*GINI only"),
        ({"kind": NASH, "weights": (1,)}, "weights for .*GINI only, .* for .*NASH"),
        ({"kind": GINI, "weights": (1,), "disagreement": (0,)}, "disagreement for .*NASH only"),
        ({"kind": GINI}, "Gini weights of at least 0 that sum to 1"),
        ({"kind": GINI, "weights": 1}, "weights to be a sequence"),
        ({"kind": GINI, "weights": ("1/2", "1/3")}, r"\(1/2, 1/3\), with sum 5/6"),
        ({"kind": GINI, "weights": ("3/2", "-1/2")}, "Gini weights of at least 0"),
        ({"kind": GINI, "weights": ("1/3", "2/3")}, "weight 2 is 2/3 after 1/3"),
        ({"kind": GINI, "weights": ("1/2", "x")}, "Fairness: weights"),
    ],
)
def test_measure_that_means_nothing_is_refused(options, message):
    with pytest.raises(GameTheoryError, match=message):
        Fairness(**options)


@pytest.mark.parametrize(
    ("fairness", "returns", "message"),
    [
        (MINIMUM, (), "at least one return"),
        (MINIMUM, 3, "returns to be a sequence"),
        (MINIMUM, (1, 0.5), r"Fractions or integers, but got 0\.5"),
        (MINIMUM, (1, True), "Fractions or integers, but got True"),
        (MINIMUM, (1, np.int64(3)), "Fractions or integers"),
        ("minimum", (1, 2), "fairness to be of type Fairness"),
        (THIRDS, (1, 2, 3), r"weights for each of 3 players, but has 2 \(2/3, 1/3\)"),
        (Fairness(NASH, disagreement=(0, 0)), (1,), "disagreement for each of 1 players"),
        (Fairness(NASH), (-2, -3), r"player 1 has -2, below 0\. Give a lower disagreement point"),
        (Fairness(NASH, disagreement=(0, 2)), (1, 1), "player 2 has 1, below 2"),
    ],
)
def test_returns_without_a_value_are_refused(fairness, returns, message):
    with pytest.raises(InvalidArgument, match=message):
        fairness_value(fairness, returns)


def test_measure_is_checked_for_a_number_of_players():
    check_fairness(MINIMUM, 7)
    check_fairness(THIRDS, 2)
    with pytest.raises(InvalidArgument, match="weights for each of 4 players"):
        check_fairness(THIRDS, 4)
