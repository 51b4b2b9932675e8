"""Types of what loops are called with survive being written as words."""

import json

import numba
import pytest

from learners.loop_arguments import example, told
from learners.warm_up import listed

WORDS = [
    "int64",
    "bool",
    "float64 2d C",
    "int32 1d C readonly",
    "float64 2d F",
    "bool 3d A",
    "generator",
    ["int64", "float64"],
    ["int64", "int64"],
    "learners._kernels.mixing_state:MIND 1d C",
    {"learners.roshambo.bots.compiled_bot:Seat": ["float64 1d C"] * 2 + ["int64 1d C"] * 3},
]


@pytest.mark.parametrize("words", WORDS, ids=str)
def test_an_example_is_of_the_type_that_was_told(words):
    kind = numba.typeof(example(words))
    assert told(kind) == words
    assert numba.typeof(example(json.loads(json.dumps(told(kind))))) == kind


def test_all_that_is_listed_can_be_made_and_told_again():
    calls = [call for own in listed().values() for call in own]
    assert len(calls) > 60
    for call in calls:
        assert [told(numba.typeof(value)) for value in example(call)] == call
