from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidStrategy
from learners.policies import mixed_action


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=6).filter(lambda w: sum(w) > 1e-300))
def test_a_lottery_is_exact_and_near_the_floats(weights):
    labels = tuple(range(len(weights)))
    chances = mixed_action(labels, np.array(weights))
    assert sum((weight for _, weight in chances), Fraction(0)) == 1
    total = sum(weights)
    assert all(abs(float(chances[k]) - weights[k] / total) < 1e-14 * len(weights) for k in labels)
    assert all(weights[k] > 0 for k, _ in chances)


@pytest.mark.parametrize("weights", [[0.0, 0.0], [-0.5, 1.5], [np.nan, 1.0], [np.inf, 1.0]])
def test_what_is_no_lottery_is_refused(weights):
    with pytest.raises(InvalidStrategy, match=r"mixed_action: needs finite probabilities"):
        mixed_action(("left", "right"), np.array(weights))
