"""Values become what type hints ask for, or are refused with what was needed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from gametheory_core import InvalidArgument
from learners.experiments.typed_values import read_value, shown_hint


class Color(Enum):
    DARK_RED = 1
    BLUE = 2


@dataclass(frozen=True)
class Point:
    x: float
    y: float = 0.0


@dataclass(frozen=True)
class Named:
    kind: str


@dataclass(frozen=True)
class Nested:
    point: Point
    color: Color = Color.BLUE


@pytest.mark.parametrize(
    ("value", "hint", "found"),
    [
        (3, float, 3.0),
        (3, int, 3),
        ("a", str, "a"),
        (False, bool, False),
        ({"a": 1}, Any, {"a": 1}),
        ("dark-red", Color, Color.DARK_RED),
        ("x", Literal["x", "y"], "x"),
        (3, float | Point, 3.0),
        ({"x": 1}, float | Point, Point(1.0)),
        ({"kind": "Point", "x": 1, "y": 2}, float | Point | Nested, Point(1.0, 2.0)),
        ({"kind": "text"}, Named, Named("text")),
        ({"point": {"x": 1}, "color": "dark-red"}, Nested, Nested(Point(1.0), Color.DARK_RED)),
        ("none", float | None, None),
        (2, int | None, 2),
        ([1, 2], tuple[int, ...], (1, 2)),
        ([1, "a"], tuple[int, str], (1, "a")),
        ([1, 2], list[float], [1.0, 2.0]),
        ([0, 1], Iterable[int] | None, (0, 1)),
        ({"0": 1.5}, Mapping[int, float], {0: 1.5}),
        ({"a": [1]}, dict[str, tuple[int, ...]], {"a": (1,)}),
        ("1/3", Fraction, Fraction(1, 3)),
        (0.5, Fraction, Fraction(1, 2)),
        (0.8, Fraction, Fraction(4, 5)),  # as written, and as Python's options read it
        (1e-3, Fraction, Fraction(1, 1000)),
        (["1/3", 1], tuple[Fraction, ...], (Fraction(1, 3), Fraction(1))),
    ],
)
def test_value_becomes_what_is_asked(value, hint, found):
    read = read_value(value, hint, path="f at k")
    assert read == found
    assert type(read) is type(found)


def test_list_becomes_an_array():
    read = read_value([[1, 0], [0.5, 0.5]], NDArray[np.float64], path="f at k")
    assert read.tolist() == [[1, 0], [0.5, 0.5]]
    tables = read_value({"1": [[1, 0]]}, Mapping[int, NDArray[np.float64]], path="f at k")
    assert tables[1].shape == (1, 2)


@pytest.mark.parametrize(
    ("value", "hint", "message"),
    [
        (True, int, "f at k: needs an integer, but got True"),
        (True, float, "needs a number"),
        (1, bool, "needs true or false"),
        (1, str, "needs a text"),
        ("3", int | None, "needs an integer or \"none\", but got '3'"),
        ("dark-rad", Color, r"one of 'dark-red', 'blue' \(did you mean 'dark-red'\?\), but got"),
        (3, Color, "one of 'dark-red', 'blue', but got 3"),
        ("z", Literal["x", "y"], "one of 'x', 'y'"),
        ({"z": 1}, Point, r"f at k\.z: unknown key\. Keys are x, y"),
        ({}, Point, r"f at k\.x: needs a value, but has none"),
        (3, Point, r"needs a table Point\(x, y\), but got 3"),
        ({"x": 1}, Point | Nested, r"f at k\.kind: needs to say which, .* Point, Nested"),
        ({"kind": "Pint"}, Point | Nested, r"kind: needs one of Point, Nested, .*mean Point\?"),
        ({"kind": ["Point"]}, Point, r"f at k\.kind: needs one of Point, but got \['Point'\]"),
        ({"point": {"x": "a"}}, Nested, r"f at k\.point\.x: needs a number, but got 'a'"),
        ([1], tuple[int, int], "needs a list of 2"),
        (1, tuple[int, ...], "needs a list, each an integer"),
        ([[1], [1, 2]], NDArray[np.float64], "needs a list of numbers, or of rows"),
        (3, NDArray[np.float64], "needs a list of numbers"),
        ({"a": 1}, Mapping[int, float], "numbers as keys"),
        (3, Mapping[int, float], "needs a table"),
        ("1/0", Fraction, "needs a number, or a text such as"),
        ("x", Fraction, "needs a number, or a text such as"),
        (
            10**400,
            float,
            r"f at k: needs a number that a float can hold, below 1\.8e308, but got 10",
        ),
        (10**400, float | None, 'needs a number or "none", but got 100'),
        ([1, -(10**400)], NDArray[np.float64], "needs a list, each a number that a float can hold"),
        (10**400, Fraction, "a float can hold"),
        ("1e999999999", Fraction, "a float can hold"),
        (3, complex, "what only Python can give"),
    ],
)
def test_what_does_not_fit_is_refused(value, hint, message):
    with pytest.raises(InvalidArgument, match=message):
        read_value(value, hint, path="f at k")


def test_hints_are_said_in_words():
    assert shown_hint(float | Point | None) == 'a number or a table Point(x, y) or "none"'
    assert shown_hint(Fraction | float | str) == 'a number, or a text such as "1/3"'
