"""Hernandez et al. 2019: how often chance opens the gate of PSRO, and a gate that it seldom opens.

A policy that wins half of its matches should not be kept for it. One full window lets it pass with
the tail of a binomial law; looked at after each match, windows are many, and it passes in the end.
Blocks that are looked at once each, under bounds that sum to the error, let it pass at most with
that probability. Quantified over errors, lengths and rates, exactly, by following play forward.

Why it matters (populations): A gate that looks too often lets weak policies into a population by
luck; this says how often, and gives one that does not.
"""

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import ceil, log, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.self_play import BinomialTest, RollingWindow
from learners.self_play.gates import binomial_tail
from tests.sample_sizes import examples

theorem = pytest.mark.theorem(
    source="Hernandez, Denamganai, Gao, York, Devlin, Samothrakis and Walker 2019",
    statement="a gate that tests each block of matches once, under bounds that sum to its error, "
    "keeps a policy that is no better with at most that probability; a rolling window does not",
)

HALF = Fraction(1, 2)
PRINTED = {
    ("0.60", 30): 0.180797, ("0.70", 30): 0.021387, ("0.75", 30): 0.002611,
    ("0.80", 30): 0.000715, ("0.85", 30): 0.000030, ("0.70", 45): 0.003304,
    ("0.75", 45): 0.000412, ("0.80", 45): 0.000033, ("0.70", 50): 0.003300,
    ("0.72", 50): 0.001301,
}  # fmt: skip


def ever_opens(gate, rate, blocks):
    """Return how likely a test of blocks opens in some, each won with the same chance: exactly."""
    closed = Fraction(1)
    for block in range(1, blocks + 1):
        wins = gate.wins(block)
        if wins is not None:
            closed *= 1 - binomial_tail(wins, gate.matches, rate)
    return 1 - closed


def window_opens(gate, rate, matches):
    """Return how likely a rolling window opens within so many matches, by the last outcomes."""
    shut, opened = {(): Fraction(1)}, Fraction(0)
    for _ in range(matches):
        after = defaultdict(Fraction)
        for past, weight in shut.items():
            for won, chance in ((1, rate), (0, 1 - rate)):
                now = (*past, won)[-gate.matches :]
                if sum(now) >= gate.wins:
                    opened += weight * chance
                else:
                    after[now] += weight * chance
        shut = after
    return opened


@theorem
@examples(40)
@given(
    st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100),
    st.integers(0, 40),
    st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10),
    st.integers(1, 20),
)
def test_a_policy_of_the_rate_itself_opens_the_test_with_at_most_the_error(
    error, more, rate, blocks
):
    fewest = ceil(log(error * 6 / pi**2) / log(rate)) + 1  # that can be proof if all are won
    gate = BinomialTest(error=error, matches=fewest + more, rate=rate)
    assert ever_opens(gate, rate, blocks) <= error
    assert ever_opens(gate, rate / 2, blocks) <= ever_opens(gate, rate, blocks)


@theorem
@pytest.mark.parametrize("error", ["1/100", "1/20", "1/4"])
@pytest.mark.parametrize("matches", [10, 50, 100])
def test_even_policies_open_the_test_seldom_in_any_number_of_blocks(error, matches):
    gate = BinomialTest(error=error, matches=matches)
    chances = [ever_opens(gate, HALF, blocks) for blocks in range(1, 21)]
    assert 0 < chances[0] <= chances[-1] <= Fraction(error)


@theorem
def test_the_test_decides_outcomes_as_its_blocks_say():
    """All sequences of nine matches, blocks of three: as likely to open as followed forward."""
    gate = BinomialTest(error="9/10", matches=3)
    opening = sum(gate.opens(np.array(outcomes)) for outcomes in product((0, 1), repeat=9))
    assert Fraction(opening, 2**9) == ever_opens(gate, HALF, 3) > 0


@theorem
@pytest.mark.parametrize(("share", "matches"), PRINTED)
def test_one_full_window_is_passed_by_chance_as_often_as_printed(share, matches):
    chance = RollingWindow(share, matches).chance()
    assert round(float(chance), 6) == PRINTED[share, matches]
    assert RollingWindow(float(share), matches).chance() == chance


@theorem
@pytest.mark.parametrize(("share", "matches"), [("3/4", 4), ("4/5", 5), ("1", 3)])
def test_twin_a_rolling_window_opens_to_chance_in_the_end(share, matches):
    gate = RollingWindow(share, matches)
    chances = [window_opens(gate, HALF, length) for length in (matches, 2 * matches, 60)]
    assert gate.chance() <= chances[0] < chances[1] < chances[2]
    assert chances[2] > Fraction(9, 10) > 2 * gate.chance()
    brute = sum(gate.opens(outcomes) for outcomes in product((0, 1), repeat=2 * matches))
    assert Fraction(brute, 2 ** (2 * matches)) == chances[1]


@theorem
def test_twin_blocks_under_one_bound_open_too_often():
    """Twenty blocks at an error of 1/20 each open in at least one run of three."""
    gate = BinomialTest(error="1/20", matches=50)
    wins = next(w for w in range(51) if binomial_tail(w, 50, HALF) <= Fraction(1, 20))
    again = 1 - (1 - binomial_tail(wins, 50, HALF)) ** 20
    assert again > Fraction(1, 3) > Fraction(1, 20) >= ever_opens(gate, HALF, 20)
