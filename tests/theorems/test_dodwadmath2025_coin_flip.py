"""A mediator that draws the leader can be fairer in expectation than any that does not.

The minimum and Gini measures are concave, so that expected returns are at least as fair as what
happens is on average: half and half in the battle of the sexes has 3/2 each, where any leader
leaves somebody 1. What happens is no fairer than before, though: it leaves somebody 1 as well.

Why it matters (mediation): Fair in expectation and fair as it turns out are different aims, and
whether a mediator may draw lots decides between them.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import mediation
from tests.sample_sizes import examples

SOURCE = "Dodwadmath and Maghsudi 2025"
theorem = pytest.mark.theorem(
    source=SOURCE, statement="Drawing the leader can make expected returns fairer than every play."
)


@st.composite
def lotteries(draw):
    """A measure, the returns of up to three mediators with one set of leaders, and weights."""
    game = draw(mediation.mediated_games(max_horizon=2, max_states=2))
    weights = draw(mediation.gini_weights(num_players=game.num_players))
    fairness = draw(
        st.sampled_from(
            [mediation.MINIMUM, mediation.Fairness(mediation.FairnessKind.GINI, weights=weights)]
        )
    )
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    first = mediation.random_mediated_profile(game, rng=rng)
    mediators = [mediation.random_mediated_profile(game, rng=rng).leaders for _ in range(3)]
    returns = [
        mediation.mediated_returns(game, mediation.MediatedProfile(first.actions, leaders))
        for leaders in mediators
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
    values = [mediation.fairness_value(fairness, r) for r in returns]
    assert mediation.fairness_value(fairness, expected(returns, weights)) >= average(
        values, weights
    )


@theorem
def test_coin_beats_every_leader_of_the_battle_of_the_sexes():
    game = mediation.mediated_battle_of_the_sexes()
    everything = [
        mediation.mediated_returns(game, mediation.MediatedProfile((((x, y),),), ((leader,),)))
        for x in range(2)
        for y in range(2)
        for leader in range(2)
    ]
    assert max(mediation.fairness_value(mediation.MINIMUM, returns) for returns in everything) == 1
    own = [
        mediation.mediated_returns(game, mediation.MediatedProfile((((0, 1),),), ((i,),)))
        for i in range(2)
    ]
    coin = [Fraction(1, 2)] * 2
    assert mediation.fairness_value(mediation.MINIMUM, expected(own, coin)) == Fraction(3, 2)
    assert (
        average([mediation.fairness_value(mediation.MINIMUM, returns) for returns in own], coin)
        == 1
    )


@theorem
@examples(20)
@given(lotteries())
def test_with_the_mean_for_fairness_nothing_is_gained(case):
    _, returns, weights = case
    count = len(returns[0])
    mean = mediation.Fairness(mediation.FairnessKind.GINI, weights=(Fraction(1, count),) * count)
    values = [mediation.fairness_value(mean, r) for r in returns]
    assert mediation.fairness_value(mean, expected(returns, weights)) == average(values, weights)


@theorem
def test_without_a_concave_measure_expected_returns_can_be_less_fair():
    nash, plays, coin = (
        mediation.Fairness(mediation.FairnessKind.NASH),
        [(0, 0), (2, 2)],
        [Fraction(1, 2)] * 2,
    )
    values = [mediation.fairness_value(nash, returns) for returns in plays]
    assert mediation.fairness_value(nash, expected(plays, coin)) == 1 < average(values, coin)
