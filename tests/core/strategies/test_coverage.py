"""Coverage lotteries: what is refused, and how often each target is covered."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidStrategy, load_game
from gametheory_core.strategies import CoverageLottery
from gametheory_core.strategies.mixed import check_coverage

LOTTERIES = st.lists(
    st.tuples(st.sets(st.integers(0, 5)), st.integers(1, 9)), min_size=1, max_size=6
)


@given(LOTTERIES)
def test_cover_adds_up_the_weights_of_the_sets_that_hold_a_target(pairs):
    sets, weights = zip(*pairs, strict=True)
    lottery = CoverageLottery(tuple(tuple(sorted(own)) for own in sets), weights)
    expected = [sum(w for own, w in pairs if i in own) for i in range(6)]
    assert lottery.cover(6) == expected
    assert lottery.total == sum(weights)
    assert sum(lottery.probabilities) == 1


def test_probabilities_are_shares():
    lottery = CoverageLottery(((), (0, 1)), (1, 2))
    assert lottery.probabilities == (Fraction(1, 3), Fraction(2, 3))


@pytest.mark.parametrize(
    ("sets", "weights", "complaint"),
    [
        ((), (), "at least one set"),
        (((0,),), (1, 2), "2 weights for 1 sets"),
        (((0,), (1,)), (1, 0), "positive weight"),
        (((1, 0),), (1,), r"increasing order, each once, but got \(1, 0\)"),
        (((0, 0),), (1,), r"got \(0, 0\)"),
        (((-1,),), (1,), r"got \(-1,\)"),
        (((0,),), (1.5,), r"needs integers .* \(1.5,\) holds others"),
        (((0,), (1,)), (np.int64(2**62),) * 2, "needs integers"),
        (((False,),), (1,), "needs integers"),
    ],
)
def test_malformed_lotteries_are_refused(sets, weights, complaint):
    with pytest.raises(InvalidStrategy, match=complaint):
        CoverageLottery(sets, weights)


@pytest.mark.parametrize("coverage", [(0, 1, 2), (6,)])
def test_lotteries_must_fit_the_game(coverage):
    game = load_game("guarded_targets")  # 6 targets, 2 resources
    check_coverage(game, CoverageLottery(((0, 5),), (1,)))
    with pytest.raises(InvalidStrategy, match="at most 2 of 6 targets at once"):
        check_coverage(game, CoverageLottery(((0, 5), coverage), (1, 1)))
