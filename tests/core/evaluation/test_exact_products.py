"""Exact products of float matrices, against products of ``Fraction`` objects one by one."""

from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.arrays import exact_array, scaled_floats, scaled_integers
from gametheory_core.evaluation import action_payoffs
from gametheory_core.evaluation import collected_payoffs as exact_products
from gametheory_core.evaluation.collected_payoffs import exact_product
from tests.sample_sizes import many

ANY_FLOATS = st.floats(allow_nan=False, allow_infinity=False)  # denormals and -0.0 included
PLAIN_FLOATS = st.floats(-1e3, 1e3, allow_subnormal=False)
TINY_FLOATS = st.integers(-1000, 1000).map(lambda n: n * 5e-324)
HUGE_FLOATS = st.floats(1e299, 1e308)
ENTRIES = st.sampled_from([ANY_FLOATS, PLAIN_FLOATS, TINY_FLOATS, HUGE_FLOATS])
WEIGHTS = st.one_of(
    st.fractions(-5, 5, max_denominator=99),
    st.fractions(0, 1),
    st.integers(-(10**60), 10**60).map(lambda n: Fraction(n, 3**50)),
)


@st.composite
def products(draw):
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    entries = draw(ENTRIES)
    row = st.lists(entries, min_size=columns, max_size=columns)
    matrix = np.array(draw(st.lists(row, min_size=rows, max_size=rows)))
    weights = exact_array(draw(st.lists(WEIGHTS, min_size=columns, max_size=columns)))
    return matrix, weights


def by_fractions(matrix, weights):
    return [
        sum((Fraction(a) * w for a, w in zip(row, weights, strict=True)), Fraction(0))
        for row in matrix.tolist()
    ]


def as_fractions(product):
    return [Fraction(value, product.denominator) for value in product.numerators.tolist()]


@many
@example((np.array([[-0.0, 5e-324, -1e308]]), exact_array(["1/3", "-1/7", "22/21"])))
@example((np.array([[0.0, -0.0]]), exact_array([1, 2])))
@example((np.array([[1.0, 2.0**-120]]), exact_array([1, 1])))
@given(products())
def test_products_are_those_of_fractions(case):
    matrix, weights = case
    expected = by_fractions(matrix, weights)
    scaled = scaled_integers(weights)
    assert as_fractions(exact_product(matrix, scaled)) == expected
    assert as_fractions(exact_product(np.asfortranarray(matrix), scaled)) == expected
    assert as_fractions(exact_product(matrix[:, ::-1][:, ::-1], scaled)) == expected


def large_case(rows, columns):
    """Entries and weights of as many digits, all ones: the largest sums there can be."""
    matrix = np.full((rows, columns), np.nextafter(1.0, 0.0))
    weights = exact_array([Fraction(2**100 - 1)] * columns)
    return matrix, weights


@pytest.mark.parametrize("columns", [2**13 - 1, 2**13, 2**13 + 1, 3 * 2**13 + 5])
def test_largest_sums_do_not_round(columns):
    matrix, weights = large_case(2, columns)
    product = as_fractions(exact_product(matrix, scaled_integers(weights)))
    one = Fraction(matrix[0, 0]) * weights[0]
    assert product == [columns * one] * 2


def test_many_rows_are_taken_block_by_block(monkeypatch):
    monkeypatch.setattr(exact_products, "BLOCK_ENTRIES", 10)
    generator = np.random.default_rng(0)
    matrix = generator.normal(size=(11, 4)) * 10.0 ** generator.integers(-9, 9, (11, 1))
    matrix[3] = 0.0
    weights = exact_array(["1/3", 0, "2/7", "8/21"])
    product = exact_product(matrix, scaled_integers(weights))
    assert as_fractions(product) == by_fractions(matrix, weights)


def test_blocks_may_have_different_numbers_of_digits(monkeypatch):
    monkeypatch.setattr(exact_products, "BLOCK_ENTRIES", 2)
    matrix = np.array([[1.0, 3.0], [1.0 + 2.0**-50, 2.0**-70], [0.0, 0.0], [0.5, -0.25]])
    weights = exact_array(["1/3", "2/3"])
    product = exact_product(matrix, scaled_integers(weights))
    assert as_fractions(product) == by_fractions(matrix, weights)


def test_entries_far_apart_are_left_to_integers(monkeypatch):
    matrix = np.array([[1e300, 1e-300], [1.0, 2.0]])
    weights = exact_array(["1/3", "2/3"])
    expected = by_fractions(matrix, weights)
    assert as_fractions(exact_product(matrix, scaled_integers(weights))) == expected
    monkeypatch.setattr(exact_products, "_product_in_integers", lambda *_: None)
    assert exact_product(matrix, scaled_integers(weights)) is None


def test_too_many_columns_for_one_sum_are_left_to_integers(monkeypatch):
    monkeypatch.setattr(exact_products, "MOST_COLUMNS", 2)
    monkeypatch.setattr(exact_products, "MOST_PRODUCTS", 2)
    matrix = np.arange(10.0).reshape(2, 5)
    weights = exact_array([1, 2, 3, 4, 5])
    expected = by_fractions(matrix, weights)
    assert as_fractions(exact_product(matrix, scaled_integers(weights))) == expected


def test_weights_without_support_give_zeros():
    product = exact_product(np.ones((2, 3)), scaled_integers(exact_array([0, 0, 0])))
    assert as_fractions(product) == [0, 0]


@given(st.integers(0, 2**32 - 1), st.sampled_from(["floats", "integers", "thirds", "wide"]))
def test_large_games_are_evaluated_like_fractions(seed, kind):
    generator = np.random.default_rng(seed)
    rows, columns = 17, 25
    payoffs = generator.normal(size=(2, rows, columns))
    if kind != "floats":
        wholes = np.rint(1000 * payoffs).astype(int).tolist()
        divisor = {"integers": 1, "thirds": 3, "wide": 3**50}[kind]
        payoffs = exact_array(wholes) / divisor
    game = gt.NormalFormGame.from_payoffs(payoffs)
    x, y = (random_strategy(generator, size) for size in (rows, columns))
    profile = gt.MixedProfile((x, y))
    exact = game.exact_payoffs
    first, second = exact[0] @ y, x @ exact[1]
    assert action_payoffs(game, profile, player=0).tolist() == first.tolist()
    assert action_payoffs(game, profile, player=1).tolist() == second.tolist()
    assert gt.expected_payoffs(game, profile).tolist() == [x @ first, y @ second]
    certificate = gt.certify_nash(game, profile)
    certificate.verify()
    assert certificate.deviation_gains == (max(first) - x @ first, max(second) - y @ second)
    zero_sum = gt.NormalFormGame.zero_sum(payoffs[0])
    bounds = gt.certify_minimax(zero_sum, profile)
    bounds.verify()
    assert (bounds.lower, bounds.upper) == (min(x @ exact[0]), max(first))


@pytest.mark.parametrize("shape", [(20, 21), (7, 6, 7), (4, 3, 4, 5)])
def test_actions_of_large_games_earn_what_sums_over_all_cells_say(shape):
    generator = np.random.default_rng(sum(shape))
    payoffs = generator.integers(-99, 100, (len(shape), *shape)).astype(object)
    profile = gt.MixedProfile(tuple(random_strategy(generator, size) for size in shape))
    game = gt.NormalFormGame.from_payoffs(payoffs)
    for player in range(len(shape)):
        values = np.zeros(shape[player], dtype=object)
        for cell in np.ndindex(shape):
            others = [profile.strategies[j][a] for j, a in enumerate(cell) if j != player]
            values[cell[player]] += prod(others) * payoffs[(player, *cell)]
        assert action_payoffs(game, profile, player=player).tolist() == values.tolist()


def random_strategy(generator, size):
    parts = [1, *generator.integers(0, 5, size - 1).tolist()]
    return exact_array([Fraction(part, sum(parts)) for part in parts])


def test_integers_of_more_bits_than_floats_have_no_floats():
    assert scaled_floats(exact_array([2**53 + 1, 1])) is None
    assert scaled_floats(exact_array([Fraction(1, 3), 2**52])) is None
    assert scaled_floats(exact_array([Fraction(1, 3), 2**50])).denominator == 3
