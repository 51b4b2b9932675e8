"""Statements stay true and readable: long rationals are rounded to the safe side, counts agree."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import certificates
from gametheory_core.certificates.wording import (
    LONGEST_NUMBER,
    at_least,
    at_most,
    at_most_roughly,
    attained,
    exactly,
    nearly,
)
from gametheory_core.distributions import ZERO

MEETING = gt.certify_nash(
    gt.NormalFormGame.bimatrix([[1]], [[2]]),
    gt.uniform_profile(gt.NormalFormGame.bimatrix([[1]], [[2]])),
)
LONG = st.builds(Fraction, st.integers(-(10**80), 10**80), st.integers(10**70, 10**90)) | st.builds(
    Fraction, st.integers(-(10**400), 10**400), st.integers(1, 10**5)
)


@given(LONG)
def test_long_numbers_are_rounded_to_the_safe_side(value):
    low, high = Fraction(at_least(value)), Fraction(at_most(value))
    assert low <= value <= high
    assert high - low <= abs(value) / 10**15
    assert max(len(at_least(value)), len(at_most(value))) <= LONGEST_NUMBER


@given(st.fractions(-(10**15), 10**15, max_denominator=10**9))
def test_short_numbers_are_exact(value):
    assert at_least(value) == at_most(value) == attained(value) == nearly(value) == str(value)
    assert exactly(value) == f"{value}, exactly"


@given(LONG, st.booleans())
def test_nothing_that_was_rounded_is_called_exact(value, is_small):
    text = exactly(value, is_small=is_small)
    rounded = f"at most {at_most(value)} {UP}" if is_small else f"at least {at_least(value)} {DOWN}"
    is_short = len(str(value)) <= LONGEST_NUMBER
    assert text == (f"{value}, exactly" if is_short else rounded)
    assert nearly(value) == (str(value) if is_short else f"about {at_least(value)}")


GAME = gt.NormalFormGame.zero_sum([[1, 0], [0, 1]])
LONG_THIRD = Fraction(10**60 + 1, 3 * 10**60)  # 0.333...3, and a little
DOWN, UP = "(known exactly, rounded down here)", "(known exactly, rounded up here)"
LOW, HIGH = "0.33333333333333333", "0.33333333333333334"


def test_long_value_of_a_game_is_enclosed():
    above = LONG_THIRD + Fraction(1, 10**59)
    claim = gt.MinimaxCertificate(GAME, gt.uniform_profile(GAME), LONG_THIRD, above)
    assert claim.statement == f"the value of the game lies between {LOW} and {HIGH}"


def test_long_value_of_a_game_that_is_known_is_rounded_down():
    claim = gt.MinimaxCertificate(GAME, gt.uniform_profile(GAME), LONG_THIRD, LONG_THIRD)
    said = f"minimax strategies: the value of the game is at least {LOW} {DOWN}"
    assert claim.statement == said


def test_long_payoff_of_a_leader_is_rounded_down_and_its_bound_up():
    claim = certificates.StackelbergCertificate(
        game=GAME,
        leader=0,
        profile=gt.uniform_profile(GAME),
        leader_payoff=LONG_THIRD,
        upper_bound=LONG_THIRD + Fraction(1, 10**50),
        multipliers=(),
    )
    assert claim.statement == (
        f"player '1' commits and gets at least {LOW} {DOWN}; no commitment gets more than {HIGH}"
    )


def test_long_least_payoff_is_rounded_up_and_its_bound_down():
    claim = certificates.OptimalEquilibriumCertificate(
        game=GAME,
        profile=gt.uniform_profile(GAME),
        objective=certificates.EquilibriumObjective.LEAST_PAYOFF,
        player=1,
        unplayed=(),
        score=-LONG_THIRD,
        upper_bound=-LONG_THIRD + Fraction(1, 10**50),
        questions=(),
        leaves=(),
    )
    assert claim.statement == (
        f"a Nash equilibrium with a payoff of player '2' of at most {HIGH} {UP}; no equilibrium "
        f"has less than {LOW}"
    )


@given(st.integers(5_000, 6_000), st.sampled_from([1, -1]), st.sampled_from([1, 3, 10**9000]))
def test_numbers_of_more_digits_than_python_writes_are_shortened(power, sign, denominator):
    value = Fraction(sign * 10**power, denominator)
    assert Fraction(at_least(value)) <= value <= Fraction(at_most(value))
    assert value <= Fraction(at_most_roughly(value))
    assert exactly(value) == f"at least {at_least(value)} {DOWN}"
    assert nearly(value) == f"about {at_least(value)}"
    with pytest.raises(
        gt.CertificateRejected, match=r"claims payoffs \(0, about .*E.*value is \(1, 2\)"
    ):
        replace(MEETING, payoffs=(ZERO, value)).verify()


@given(LONG)
def test_rough_numbers_are_not_below(value):
    rough = Fraction(at_most_roughly(value))
    assert value <= rough
    assert rough - value <= abs(value) / 99
