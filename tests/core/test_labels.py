"""Labels are different where they are read, and found only where they are unambiguous."""

import pytest

from gametheory_core import InvalidGame
from gametheory_core.arguments import check_labels, label_or_number, numbered_labels


def test_labels_become_text():
    assert check_labels([1, "b", None], kind="action", owner="Ann") == ("1", "b", "None")


def test_colliding_labels_are_refused_by_name_and_position():
    with pytest.raises(
        InvalidGame, match=r"^Ann: needs different action labels, but '1' stands at positions 1 and"
    ):
        check_labels([1, "x", "1"], kind="action", owner="Ann")


def test_any_number_of_things_may_be_unnamed():
    assert check_labels(["", "", "a"], kind="action", owner="Ann") == ("", "", "a")


def test_numbered_labels_count_from_one():
    assert numbered_labels(3) == ("1", "2", "3")
    assert numbered_labels(0) == ()


def test_unnamed_things_show_their_number():
    assert label_or_number("", 4) == "#4"
    assert label_or_number("up", 4) == "'up'"
