"""Measures of fairness (Weymark 1981; Nash 1950): what each of them has, and what it has not.

The minimum, generalized Gini measures and Nash products are symmetric, monotone, and never worse
after a transfer from a richer player to a poorer one; the first two add constants and scale, the
third keeps its order under separate scales. Each "no" of that table is a counterexample here.

Why it matters (mediation): Which measure of fairness is meant decides what a mediator does, and
each of them lacks a property that another has.
"""

from fractions import Fraction
from itertools import permutations
from math import prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument
from gametheory_core.mediation import MINIMUM, Fairness, FairnessKind, fairness_value, gini_weights
from gametheory_core.testing import rationals

SOURCE = "Weymark 1981"
NASH = Fairness(FairnessKind.NASH)


def theorem(statement):
    """The marker of what a test states."""
    return pytest.mark.theorem(source=SOURCE, statement=statement)


order = theorem("Generalized Gini measures are minima over orders, and span minimum and mean.")
symmetry = theorem("The minimum, Gini and Nash measures are symmetric and monotone.")
transfers = theorem("A transfer to a poorer player makes no measure of fairness worse.")
scales = theorem("Minimum and Gini measures add constants and scale; Nash products only scale.")
concavity = theorem("Minimum and Gini measures are concave; of Nash products the logarithm is.")
separate = theorem("Nash products keep their order if each player's returns are rescaled.")
losses = theorem("Nash products mean nothing below the point of disagreement.")


def gini(*weights):
    return Fairness(FairnessKind.GINI, weights=weights)


def vectors(count, low=-5, high=5):
    return st.lists(rationals(low=low, high=high), min_size=count, max_size=count).map(tuple)


def gains(count):
    """Returns above zero, for Nash products."""
    return st.lists(
        st.fractions(Fraction(1, 6), 5, max_denominator=6), min_size=count, max_size=count
    ).map(tuple)


@st.composite
def measured(draw, *, others=0, strict=False):
    """A measure, and vectors of returns that it can measure."""
    count = draw(st.integers(1, 4))
    kind = draw(st.sampled_from([FairnessKind.GINI, FairnessKind.NASH] if strict else FairnessKind))
    source = gains(count) if kind is FairnessKind.NASH else vectors(count)
    weights = ()
    if kind is FairnessKind.GINI:
        weights = draw(gini_weights(num_players=count, strict=strict))
    return Fairness(kind, weights=weights), *(draw(source) for _ in range(1 + others))


@st.composite
def affine(draw, *, others=0):
    """A measure that is no product, and vectors of returns."""
    count = draw(st.integers(1, 4))
    fairness = draw(
        st.one_of(st.just(MINIMUM), gini_weights(num_players=count).map(lambda w: gini(*w)))
    )
    return fairness, *(draw(vectors(count)) for _ in range(1 + others))


SHARES = st.fractions(Fraction(1, 12), Fraction(11, 12), max_denominator=12)


@order
@given(st.data())
def test_gini_measure_is_the_minimum_over_orders_of_the_weighted_sum(data):
    returns = data.draw(vectors(data.draw(st.integers(1, 4))))
    weights = data.draw(gini_weights(num_players=len(returns)))
    sums = [
        sum(w * u for w, u in zip(weights, shuffled, strict=True))
        for shuffled in permutations(returns)
    ]
    assert fairness_value(gini(*weights), returns) == min(sums)


@order
@given(vectors(3))
def test_gini_measure_is_the_minimum_or_the_mean_at_the_ends(returns):
    assert fairness_value(gini(1, 0, 0), returns) == fairness_value(MINIMUM, returns)
    assert fairness_value(gini("1/3", "1/3", "1/3"), returns) == sum(returns) / 3


@order
def test_without_weights_that_do_not_increase_it_is_no_minimum_over_orders():
    weights, returns = (Fraction(1, 3), Fraction(2, 3)), (1, 4)
    by_rank = sum(w * u for w, u in zip(weights, sorted(returns), strict=True))
    assert by_rank == 3 > min(weights[0] * 4 + weights[1] * 1, by_rank)
    with pytest.raises(InvalidArgument, match="do not increase"):
        gini(*weights)


@symmetry
@given(measured(), st.randoms(use_true_random=False))
def test_order_of_players_does_not_matter(case, random):
    fairness, returns = case
    shuffled = list(returns)
    random.shuffle(shuffled)
    assert fairness_value(fairness, shuffled) == fairness_value(fairness, returns)


@symmetry
def test_without_equal_disagreement_the_nash_measure_is_not_symmetric():
    fairness = Fairness(FairnessKind.NASH, disagreement=(0, 1))
    assert fairness_value(fairness, (2, 3)) == 4
    assert fairness_value(fairness, (3, 2)) == 3


@symmetry
@given(measured(others=1))
def test_more_for_some_is_never_worse(case):
    fairness, low, other = case
    high = tuple(map(max, low, other))
    assert fairness_value(fairness, low) <= fairness_value(fairness, high)


@symmetry
@given(measured(strict=True), st.integers(0, 3), SHARES)
def test_more_for_one_is_better_with_positive_weights_or_returns(case, player, gift):
    fairness, low = case
    i = player % len(low)
    high = (*low[:i], low[i] + gift, *low[i + 1 :])
    assert fairness_value(fairness, low) < fairness_value(fairness, high)


@symmetry
@pytest.mark.parametrize("fairness", [MINIMUM, gini("1/2", "1/2", 0), NASH], ids=repr)
def test_without_positive_weights_or_returns_more_for_one_may_not_be_better(fairness):
    assert fairness_value(fairness, (0, 1, 2)) == fairness_value(fairness, (0, 1, 3))


@transfers
@given(measured(), st.data())
def test_transfer_to_a_poorer_player_is_never_worse(case, data):
    fairness, returns = case
    assert fairness_value(fairness, transferred(returns, data)) >= fairness_value(fairness, returns)


@transfers
@given(measured(strict=True), st.data())
def test_transfer_is_better_with_decreasing_weights_or_positive_returns(case, data):
    fairness, returns = case
    after = transferred(returns, data)
    assume(sorted(after) != sorted(returns))
    assert fairness_value(fairness, after) > fairness_value(fairness, returns)


def transferred(returns, data):
    """Returns after part of the difference goes from one player to a poorer one."""
    assume(len(returns) > 1)
    i, j = data.draw(st.permutations(range(len(returns))))[:2]
    poor, rich = sorted((i, j), key=returns.__getitem__)
    amount = data.draw(SHARES) * (returns[rich] - returns[poor])
    after = list(returns)
    after[poor] += amount
    after[rich] -= amount
    return tuple(after)


@transfers
@pytest.mark.parametrize("fairness", [MINIMUM, gini("1/3", "1/3", "1/3"), NASH], ids=repr)
def test_without_decreasing_weights_or_positive_returns_a_transfer_may_not_be_better(fairness):
    assert fairness_value(fairness, (0, 1, 3)) == fairness_value(fairness, (0, 2, 2))


@transfers
@pytest.mark.parametrize("fairness", [MINIMUM, gini("2/3", "1/3"), NASH], ids=repr)
def test_without_a_limit_on_the_amount_a_transfer_can_be_worse(fairness):
    assert fairness_value(fairness, (7, 1)) < fairness_value(fairness, (3, 5))


@scales
@given(affine(), rationals(), st.fractions(Fraction(1, 6), 6, max_denominator=6))
def test_minimum_and_gini_add_constants_and_scale(case, constant, factor):
    fairness, returns = case
    value = fairness_value(fairness, returns)
    assert fairness_value(fairness, [u + constant for u in returns]) == value + constant
    assert fairness_value(fairness, [factor * u for u in returns]) == factor * value


@scales
def test_without_a_positive_factor_the_minimum_does_not_scale():
    assert fairness_value(MINIMUM, (-1, -3)) == -3 != -fairness_value(MINIMUM, (1, 3))


@scales
@given(st.integers(1, 4).flatmap(gains), st.fractions(Fraction(1, 6), 6, max_denominator=6))
def test_nash_product_scales_by_a_power(returns, factor):
    scaled = fairness_value(NASH, [factor * u for u in returns])
    assert scaled == factor ** len(returns) * fairness_value(NASH, returns)


@scales
def test_constant_can_turn_the_order_of_nash_products():
    assert fairness_value(NASH, (1, 5)) > fairness_value(NASH, (2, 2))
    assert fairness_value(NASH, (3, 7)) > fairness_value(NASH, (4, 4))
    assert fairness_value(NASH, (0, 9)) < fairness_value(NASH, (1, 1))
    assert fairness_value(NASH, (3, 12)) > fairness_value(NASH, (4, 4))


@concavity
@given(affine(others=1), SHARES)
def test_minimum_and_gini_are_concave(case, share):
    fairness, first, second = case
    mixed = [share * u + (1 - share) * v for u, v in zip(first, second, strict=True)]
    chord = share * fairness_value(fairness, first) + (1 - share) * fairness_value(fairness, second)
    assert fairness_value(fairness, mixed) >= chord


@concavity
@given(st.integers(1, 4).flatmap(lambda count: st.tuples(gains(count), gains(count))))
def test_logarithm_of_nash_products_is_concave_at_midpoints(pair):
    middle = [(u + v) / 2 for u, v in zip(*pair, strict=True)]
    assert fairness_value(NASH, middle) ** 2 >= prod(fairness_value(NASH, u) for u in pair)


@concavity
def test_without_the_logarithm_nash_products_are_not_concave():
    middle = fairness_value(NASH, (1, 1))
    assert middle == 1 < (fairness_value(NASH, (0, 0)) + fairness_value(NASH, (2, 2))) / 2


@separate
@given(st.data())
def test_nash_products_keep_their_order_under_separate_scales(data):
    count = data.draw(st.integers(1, 4))
    first, second, factors = (data.draw(gains(count)) for _ in range(3))
    scaled = [
        [factor * u for factor, u in zip(factors, returns, strict=True)]
        for returns in (first, second)
    ]
    before = fairness_value(NASH, first) - fairness_value(NASH, second)
    after = fairness_value(NASH, scaled[0]) - fairness_value(NASH, scaled[1])
    assert (before > 0, before < 0) == (after > 0, after < 0)


@separate
@pytest.mark.parametrize(
    ("fairness", "scales"), [(MINIMUM, (1, 10)), (gini("2/3", "1/3"), (10, 1))], ids=str
)
def test_without_a_product_separate_scales_turn_the_order(fairness, scales):
    first, second = (2, 3), (4, 1)
    assert fairness_value(fairness, first) > fairness_value(fairness, second)
    first, second = (
        tuple(factor * u for factor, u in zip(scales, returns, strict=True))
        for returns in (first, second)
    )
    assert fairness_value(fairness, first) < fairness_value(fairness, second)


@losses
def test_product_of_two_losses_would_beat_two_gains():
    assert prod((-2, -3)) > prod((1, 1))
    with pytest.raises(InvalidArgument, match="player 1 has -2, below 0"):
        fairness_value(NASH, (-2, -3))


@losses
@given(st.integers(1, 4).flatmap(lambda count: st.tuples(*[vectors(count)] * 2)))
def test_above_a_point_of_disagreement_more_for_all_is_better(pair):
    fairness = Fairness(FairnessKind.NASH, disagreement=(-6,) * len(pair[0]))
    high = tuple(map(max, *pair))
    values = [fairness_value(fairness, returns) for returns in pair]
    assert fairness_value(fairness, high) >= max(values)
