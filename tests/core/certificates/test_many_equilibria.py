"""What floats leave open is decided from digits: both are compared with fractions."""

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gametheory_core.certificates.many_equilibria import require_equilibria, shares_of
from gametheory_core.errors import CertificateRejected

LARGEST, LEAST = 1.7976931348623157e308, 5e-324
FLOATS = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, 0.1, 1 / 3, LARGEST, -LARGEST, LEAST, -LEAST, 1e300, 1e-300]),
    st.floats(-1e3, 1e3),
    st.floats(allow_nan=False, allow_infinity=False),
)
INTEGERS = st.one_of(st.integers(-3, 3), st.integers(-(2**63) + 1, 2**63 - 1))
WEIGHTS = st.one_of(st.integers(0, 2), st.integers(0, 2**64 - 1), st.integers(0, 2**300))
KINDS = {"floats": (FLOATS, np.float64), "integers": (INTEGERS, np.int64)}
MESSAGE = r"player (\d) of game 0 plays action (\d), and action (\d) pays more"
KINDS["exact"] = (st.fractions(-5, 5, max_denominator=7), object)


def in_words(weights, words=5):
    low = 2**64 - 1
    return np.array(
        [[[w >> 64 * k & low for k in range(words)] for w in own] for own in weights],
        dtype=np.uint64,
    )


def gains(table, others):
    """What each action earns, by definition."""
    return [sum(Fraction(a) * w for a, w in zip(row, others, strict=True)) for row in table]


def is_equilibrium(payoffs, rows, columns):
    tables = payoffs[0].tolist(), payoffs[1].T.tolist()
    for table, own, others in zip(tables, (rows, columns), (columns, rows), strict=True):
        earned = gains(table, others)
        if not any(own) or any(w and e < max(earned) for w, e in zip(own, earned, strict=True)):
            return False
    return True


@st.composite
def games(draw):
    """Games whose rows are often alike, or differ by the least there is."""
    kind, dtype = KINDS[draw(st.sampled_from(sorted(KINDS)))]
    m, n = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    rows = draw(st.lists(st.lists(kind, min_size=n, max_size=n), min_size=1, max_size=m))
    payoffs = np.zeros((2, m, n), dtype=dtype)
    for player in range(2):
        for i in range(m):
            payoffs[player, i] = rows[draw(st.integers(0, len(rows) - 1))]
    if dtype is np.float64 and draw(st.booleans()):
        place = tuple(draw(st.integers(0, size - 1)) for size in payoffs.shape)
        payoffs[place] = np.nextafter(payoffs[place], draw(st.sampled_from([0.0, LARGEST])))
    weights = [draw(st.lists(WEIGHTS, min_size=size, max_size=size).filter(any)) for size in (m, n)]
    return payoffs, *weights


def of_rows(*rows):
    """A game of which the second player has nothing to choose by."""
    return np.array([rows, np.zeros(np.shape(rows))])


BELOW = np.nextafter(LARGEST, 0)
MIXED = [
    [-BELOW, -LARGEST, -BELOW, -LARGEST, -LARGEST],
    [-LARGEST, -LARGEST, -BELOW, -BELOW, -BELOW],
]


@settings(max_examples=400)
@given(games())
@example((np.full((2, 2, 2), -LARGEST), [1, 1], [1, 1]))
@example((np.full((2, 2, 2), LEAST), [0, 3], [2**300, 1]))
@example((np.array([[[1.0], [1.0 + 2**-52]]] * 2), [1, 0], [1]))
@example((of_rows([2 * LEAST, 0.0, 0.0], [LEAST] * 3), [1, 0], [1, 1, 1]))
@example((of_rows(*MIXED), [1, 0], [3, 3, 3, 2, 2]))
@example((-of_rows(*MIXED), [0, 1], [3, 3, 3, 2, 2]))
@example((of_rows([-LARGEST] * 6, [-LARGEST, -BELOW, *[-LARGEST] * 4]), [0, 1], [3, 1, 3, 2, 2, 2]))
@example((np.array([[[1e300, 1e-300], [1e300, 2e-300]]] * 2), [1, 0], [1, 2**290]))
def test_weights_are_accepted_if_and_only_if_they_are_an_equilibrium(game):
    payoffs, rows, columns = game
    weights = [in_words([rows]), in_words([columns])]
    if is_equilibrium(payoffs, rows, columns):
        require_equilibria(payoffs[np.newaxis], weights)
        return
    with pytest.raises(CertificateRejected, match=MESSAGE) as caught:
        require_equilibria(payoffs[np.newaxis], weights)
    player, worse, better = map(int, re.search(MESSAGE, str(caught.value)).groups())
    table = (payoffs[0], payoffs[1].T)[player].tolist()
    earned = gains(table, (columns, rows)[player])
    assert earned[worse] < earned[better]
    assert (rows, columns)[player][worse]


@given(
    st.lists(st.integers(1, 2**53 - 1), min_size=2, max_size=2),
    st.lists(st.integers(0, 60), min_size=2, max_size=2),
    st.integers(-900, 900),
    st.sampled_from([-1, 0, 1]),
)
def test_ties_far_apart_are_ties_and_the_least_weight_breaks_them(sizes, shifts, scale, change):
    """Against weights v, w a row (w, -v) times a power of two pays nothing, as zeros do."""
    v, w = (size << shift for size, shift in zip(sizes, shifts, strict=True))
    payoffs = np.zeros((1, 2, 2, 2))
    payoffs[0, 0, 1] = np.ldexp(float(w), scale), -np.ldexp(float(v), scale)
    weights = [in_words([[1, 0]]), in_words([[v * 2**200 + change, w * 2**200]])]
    if change <= 0:
        require_equilibria(payoffs, weights)
    else:
        with pytest.raises(CertificateRejected, match="plays action 0, and action 1 pays more"):
            require_equilibria(payoffs, weights)
    weights[0] = in_words([[1, 2]])
    if change:
        with pytest.raises(CertificateRejected, match="of game 0 plays action"):
            require_equilibria(payoffs, weights)
    else:
        require_equilibria(payoffs, weights)


def test_the_wrong_game_is_named_among_many():
    pennies = np.array([[[1, -1], [-1, 1]], [[-1, 1], [1, -1]]])
    payoffs = np.array([pennies] * 50)
    weights = [in_words([[3, 3]] * 50), in_words([[2, 2]] * 50)]
    require_equilibria(payoffs, weights)
    weights[1][37, 0, 4] = 1
    with pytest.raises(CertificateRejected, match="player 0 of game 37 plays action 1") as caught:
        require_equilibria(payoffs, weights)
    assert caught.value.witness == 37
    payoffs[41, 0, 1] += 1
    with pytest.raises(CertificateRejected, match="player 0 of game 37 plays action 1"):
        require_equilibria(payoffs, weights)
    weights[1][12] = 0
    with pytest.raises(CertificateRejected, match="player 1 of game 12 are no strategy"):
        require_equilibria(payoffs[:20], [own[:20] for own in weights])


def test_rounding_of_sums_hides_no_better_action():
    rng = np.random.default_rng(7)
    for _ in range(300):
        row = rng.normal(size=6)
        other = rng.permutation(row)
        payoffs = of_rows(row, other)[np.newaxis]
        weights = [in_words([[1, 0]]), in_words([[5] * 6])]
        require_equilibria(payoffs, weights)
        payoffs[0, 0, 1, 2] = np.nextafter(other[2], np.inf)
        with pytest.raises(CertificateRejected, match="plays action 0, and action 1 pays more"):
            require_equilibria(payoffs, weights)


@pytest.mark.parametrize("columns", [100, 2**16])
def test_sums_of_the_longest_digits_do_not_round(columns):
    row = np.sort(np.random.default_rng(5).integers(-(2**62), 2**62, size=columns))
    payoffs = np.zeros((1, 2, 2, columns), dtype=np.int64)
    payoffs[0, 0] = row, row[::-1]
    require_equilibria(payoffs, [in_words([[1, 1]]), in_words([[2**320 - 1] * columns])])


@pytest.mark.parametrize("columns", [100, 1100])
def test_wide_games_are_checked_too(columns):
    payoffs = np.ones((1, 2, 2, columns), dtype=np.int64) * (2**62)
    weights = [in_words([[1, 1]]), in_words([[2**300 + k for k in range(columns)]])]
    require_equilibria(payoffs, weights)
    payoffs[0, 0, 1, -1] += 1
    with pytest.raises(CertificateRejected, match="plays action 0, and action 1 pays more"):
        require_equilibria(payoffs, weights)


@given(st.lists(WEIGHTS, min_size=1, max_size=6).filter(any))
def test_shares_are_next_to_what_they_are_exactly(weights):
    found = shares_of(in_words([weights]).transpose(2, 1, 0))[:, 0].tolist()
    total = sum(weights)
    for share, weight in zip(found, weights, strict=True):
        exact = Fraction(weight, total)
        assert abs(Fraction(share) - exact) <= exact * (len(weights) + 4) * Fraction(1, 2**53)
