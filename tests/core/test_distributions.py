"""Distributions sum to exactly one, and list every outcome of the support once."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidGame
from gametheory_core.distributions import Distribution, distribution, push_forward, uniform

WEIGHTS = st.lists(st.integers(0, 5), min_size=1, max_size=6).filter(any)


@given(WEIGHTS)
def test_distribution_keeps_the_support_with_its_exact_weights(weights):
    law = distribution({i: Fraction(w, sum(weights)) for i, w in enumerate(weights)})
    assert dict(law) == {i: Fraction(w, sum(weights)) for i, w in enumerate(weights) if w}
    assert len(law) == sum(w > 0 for w in weights)
    assert [law[i] for i in range(len(weights))] == [Fraction(w, sum(weights)) for w in weights]
    assert law["unheard of"] == 0


@given(WEIGHTS)
def test_push_forward_adds_the_weights_of_equal_images(weights):
    law = distribution({i: Fraction(w, sum(weights)) for i, w in enumerate(weights)})
    parity = push_forward(law, lambda i: i % 2)
    assert parity[0] == sum(Fraction(w, sum(weights)) for w in weights[::2])
    assert parity[0] + parity[1] == 1


@pytest.mark.parametrize(
    ("weights", "complaint"),
    [
        ({"a": "1/2", "b": "1/3"}, r"sum to exactly 1, but they sum to 5/6 \('a': 1/2, 'b': 1/3"),
        ({"a": "3/2", "b": "-1/2"}, r"weights of at least 0, but 'b' has -1/2"),
        (
            {"a": 0.1, "b": 0.8},
            r"sum to exactly 1, but they sum to 0.9 .*Floats may miss 1 by 1e-09",
        ),
        ({"a": None}, r"weight of 'a': needs a finite number"),
        ({}, r"sum to exactly 1, but they sum to 0"),
    ],
)
def test_distribution_refuses_weights_that_are_none(weights, complaint):
    with pytest.raises(InvalidGame, match=complaint):
        distribution(weights)


def test_outcomes_that_are_not_hashable_are_refused():
    message = r"^uniform: needs hashable labels, but one is \[1\] \(type list\)\. Use tuples"
    with pytest.raises(InvalidGame, match=message):
        uniform([[1]])


def test_an_outcome_listed_twice_is_refused():
    half = Fraction(1, 2)
    with pytest.raises(InvalidGame, match="needs different outcomes"):
        Distribution((("a", half), ("a", half)))


def test_equal_laws_are_equal_and_hash_alike():
    law, same = distribution({"a": "1/2", "b": 0.5}), distribution({"a": 0.5, "b": "0.5", "c": 0})
    assert law == same
    assert hash(law) == hash(same)


def test_an_outcome_of_weight_zero_is_refused_in_a_distribution_given_as_it_is():
    with pytest.raises(InvalidGame, match=r"needs positive weights, but 'b' has 0"):
        Distribution((("a", Fraction(1)), ("b", Fraction(0))))
