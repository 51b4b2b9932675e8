"""Labels never collide; lotteries sum to exactly one; errors survive pickling."""

import pickle
from fractions import Fraction

import pytest

from gametheory_core import errors
from gametheory_core.distributions import Distribution, distribution, push_forward
from gametheory_core.errors import GameTheoryError, InvalidArgument, InvalidGame, MalformedFile
from gametheory_core.labels import check_labels, find_label, label_or_number, numbered_labels


def test_labels_that_read_the_same_collide():
    with pytest.raises(InvalidGame, match=r"Row: needs different action .*'1' .* 1 and 3"):
        check_labels([1, 2, "1"], kind="action", owner="Row")


def test_any_number_of_things_may_be_unnamed():
    assert check_labels(["", "", "a"], kind="action", owner="Row") == ("", "", "a")
    assert numbered_labels(2) == ("1", "2")
    assert (label_or_number("a", 4), label_or_number("", 4)) == ("'a'", "#4")


@pytest.mark.parametrize(
    ("label", "problem"),
    [("", "'' is empty"), ("c", "'c' is none of 'a', 'b'"), ("b", r"positions \[2, 3\]")],
)
def test_labels_not_found_are_explained(label, problem):
    labels = ("a", "b", "b") if label == "b" else ("a", "b")
    with pytest.raises(InvalidArgument, match=problem):
        find_label(label, labels, kind="action")


def test_find_label_returns_the_position():
    assert find_label("b", ("a", "b"), kind="action") == 1


def test_distribution_drops_zero_weights_and_answers_zero_for_them():
    lottery = distribution({"a": "1/3", "b": 0, "c": "2/3"})
    assert len(lottery) == 2
    assert lottery["b"] == lottery["z"] == 0
    assert dict(lottery) == {"a": Fraction(1, 3), "c": Fraction(2, 3)}


def test_push_forward_adds_weights_of_equal_images():
    image = push_forward(distribution({-1: "1/4", 1: "1/4", 2: "1/2"}), abs)
    assert dict(image) == {1: Fraction(1, 2), 2: Fraction(1, 2)}


@pytest.mark.parametrize(
    ("weights", "problem"),
    [
        ({"a": "1/2", "b": "1/3"}, "they sum to 5/6"),
        ({"a": 0.1, "b": 0.9}, "needs weights that sum to exactly 1"),
        ({"a": 2, "b": -1}, "'b' has -1"),
        ({"a": "x"}, "weight of 'a': needs a finite number"),
        ({}, "they sum to 0"),
    ],
)
def test_bad_lotteries_are_refused(weights, problem):
    with pytest.raises(InvalidGame, match=problem):
        distribution(weights)


def test_an_outcome_listed_twice_is_refused():
    half = Fraction(1, 2)
    with pytest.raises(InvalidGame, match="one is listed twice"):
        Distribution((("a", half), ("a", half)))


def test_every_error_has_the_one_root():
    found = [x for x in vars(errors).values() if isinstance(x, type)]
    assert len(found) > 7
    assert all(issubclass(x, GameTheoryError) for x in found)


def test_errors_keep_what_they_carry_when_pickled():
    copy = pickle.loads(pickle.dumps(MalformedFile("bad", line=3, column=5)))
    assert (str(copy), copy.line, copy.column) == ("bad", 3, 5)
    copy = pickle.loads(pickle.dumps(errors.NotConverged("late", best=7)))
    assert (str(copy), copy.best) == ("late", 7)
