"""A mediator that draws the leader can be fairer in expectation than any that does not.

The minimum and Gini measures are concave, so that expected returns are at least as fair as what
happens is on average: half and half in the battle of the sexes has 3/2 each, where any leader
leaves somebody 1. What happens is no fairer than before, though: it leaves somebody 1 as well.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.mediation.catalog import mediated_battle_of_the_sexes
from gametheory_core.mediation.fairness import MINIMUM, Fairness, FairnessKind, fairness_value
from gametheory_core.mediation.generators import gini_weights, mediated_games
from gametheory_core.mediation.policies import MediatedProfile, random_mediated_profile
from gametheory_core.mediation.values import mediated_returns
from tests.sample_sizes import examples

SOURCE = "Dodwadmath and Maghsudi 2025"
theorem = pytest.mark.theorem(
    source=SOURCE,
    statement="Drawing the leader can make expected returns fairer than every play.",
)


@st.composite
def lotteries(draw):
    """A measure, the returns of up to three mediators with one set of leaders, and weights."""
    game = draw(mediated_games(max_horizon=2, max_states=2))
    weights = draw(gini_weights(num_players=game.num_players))
    fairness = draw(st.sampled_from([MINIMUM, Fairness(FairnessKind.GINI, weights=weights)]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    first = random_mediated_profile(game, rng=rng)
    mediators = [random_mediated_profile(game, rng=rng).leaders for _ in range(3)]
    returns = [
        mediated_returns(game, MediatedProfile(first.actions, leaders)) for leaders in mediators
    ]
    shares = draw(st.tuples(*[st.integers(1, 4)] * 3))
    return fairness, returns, [Fraction(share, sum(shares)) for share in shares]


def average(numbers, weights):
    return sum(w * x for w, x in zip(weights, numbers, strict=True))


def expected(returns, weights):
    return [average(column, weights) for column in zip(*returns, strict=True)]


@theorem
@given(lotteries())
def test_expected_returns_are_at_least_as_fair_as_plays_on_average(case):
    fairness, returns, weights = case
    values = [fairness_value(fairness, r) for r in returns]
    assert fairness_value(fairness, expected(returns, weights)) >= average(values, weights)


@theorem
def test_coin_beats_every_leader_of_the_battle_of_the_sexes():
    game = mediated_battle_of_the_sexes()
    everything = [
        mediated_returns(game, MediatedProfile((((x, y),),), ((leader,),)))
        for x in range(2)
        for y in range(2)
        for leader in range(2)
    ]
    assert max(fairness_value(MINIMUM, returns) for returns in everything) == 1
    own = [mediated_returns(game, MediatedProfile((((0, 1),),), ((i,),))) for i in range(2)]
    coin = [Fraction(1, 2)] * 2
    assert fairness_value(MINIMUM, expected(own, coin)) == Fraction(3, 2)
    assert average([fairness_value(MINIMUM, returns) for returns in own], coin) == 1


@theorem
@examples(20)
@given(lotteries())
def test_with_the_mean_for_fairness_nothing_is_gained(case):
    _, returns, weights = case
    count = len(returns[0])
    mean = Fairness(FairnessKind.GINI, weights=(Fraction(1, count),) * count)
    values = [fairness_value(mean, r) for r in returns]
    assert fairness_value(mean, expected(returns, weights)) == average(values, weights)


@theorem
def test_without_a_concave_measure_expected_returns_can_be_less_fair():
    nash, plays, coin = Fairness(FairnessKind.NASH), [(0, 0), (2, 2)], [Fraction(1, 2)] * 2
    values = [fairness_value(nash, returns) for returns in plays]
    assert fairness_value(nash, expected(plays, coin)) == 1 < average(values, coin)
