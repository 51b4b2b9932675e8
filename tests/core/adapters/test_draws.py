"""Draws are exact: every integer below the common denominator is one equal share."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core.distributions import distribution, draw, integer_below, point_mass
from tests.core.adapters.enumerated_draws import exact_law


@pytest.mark.parametrize(
    "weights",
    [
        {"a": "1/3", "b": "2/3"},
        {"a": "1/6", "b": "1/2", "c": "1/3"},
        {"a": "1/7", "b": "2/5", "c": "16/35"},
        {0: "1/2", 1: "1/2"},
    ],
)
def test_draw_has_exactly_the_law(weights):
    law = distribution(weights)
    assert exact_law(lambda rng: draw(law, rng)) == dict(law.items)


def test_sure_outcome_takes_no_random_number():
    assert exact_law(lambda rng: (draw(point_mass("x"), rng), len(rng.bounds))) == {("x", 0): 1}


class ScriptedBytes:
    def __init__(self, values):
        self.values = list(values)
        self.asked = []

    def bytes(self, count):
        self.asked.append(count)
        return self.values.pop(0).to_bytes(count, "little")


def test_large_bound_throws_away_draws_past_it():
    bound = 3 * 2**63  # 65 bits of the 72 drawn are kept
    rng = ScriptedBytes([bound << 7, (2**65 - 1) << 7, (bound - 1 << 7) + 127])
    assert integer_below(bound, rng) == bound - 1
    assert rng.asked == [9, 9, 9]


def test_large_bound_reaches_both_halves_of_its_range():
    rng = np.random.default_rng(5)
    bound = 10**40
    high = sum(integer_below(bound, rng) >= bound // 2 for _ in range(200))
    assert 60 < high < 140  # six standard deviations of a fair coin


def test_weight_too_fine_for_floats_is_drawn_by_integers():
    tiny = Fraction(1, 2**90)
    law = distribution({"rare": tiny, "usual": 1 - tiny})
    assert draw(law, ScriptedBytes([0])) == "rare"
    assert draw(law, ScriptedBytes([1 << 6])) == "usual"
