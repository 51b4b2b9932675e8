"""Labels are different where they are read, and found only where they are unambiguous."""

import pytest

from gametheory_core import InvalidGame
from gametheory_core.arguments import (
    check_labels,
    label_or_number,
    numbered_labels,
    shortened_labels,
)


def test_labels_become_text_and_any_number_may_be_empty():
    assert check_labels([1, "b", None], kind="action", owner="Ann") == ("1", "b", "None")
    assert check_labels(["", "", "a"], kind="action", owner="Ann") == ("", "", "a")


@pytest.mark.parametrize("labels", [{"x", "y"}, frozenset("a")])
def test_sets_have_no_order_and_are_refused(labels):
    with pytest.raises(InvalidGame, match="a list of player labels"):
        check_labels(labels, kind="player")
    assert check_labels({"x": 1, "y": 2}.keys(), kind="player") == ("x", "y")


def test_colliding_labels_are_refused_by_name_and_position():
    with pytest.raises(
        InvalidGame, match=r"^Ann: needs different action labels, but '1' stands at positions 1 and"
    ):
        check_labels([1, "x", "1"], kind="action", owner="Ann")


def test_things_without_a_label_have_a_number():
    assert numbered_labels(3) == ("1", "2", "3")
    assert numbered_labels(0) == ()
    assert (label_or_number("", 4), label_or_number("up", 4)) == ("#4", "'up'")


@pytest.mark.parametrize("most", [5, 9, 18])
def test_distinct_labels_never_look_alike_when_shortened(most):
    stems = ["the very same beginning ", "", "x" * 30]
    labels = [f"{stem}{middle}{end}" for stem in stems for middle in "ab" for end in ("", "y" * 30)]
    labels += ["a b", "a  b", "short"]
    shown = shortened_labels(labels, most=most)
    assert len(set(shown)) == len(labels)
    assert max(map(len, shown)) <= most
    assert shown[-1] == "short"


def test_equal_labels_stay_equal_and_ends_are_kept():
    assert shortened_labels(["bet", "bet"], most=9) == ["bet", "bet"]
    assert shortened_labels(["at the node 1", "at the node 2"], most=9) == [
        "at t…de 1",
        "at t…de 2",
    ]
