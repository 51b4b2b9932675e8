"""Hernandez et al. 2019: how often each policy is met, as opponents are drawn by the schemes.

In episode ``t`` of a run that keeps every policy there are ``t`` snapshots and the live one, number
``t``. Summed over ``T`` episodes, the shares of candidate ``e`` are how often it is expected to be
met. Quantified over ``delta`` and the size of the menagerie, exactly.

Why it matters (populations): Which opponents a scheme of self-play really trains against can be
computed before it is run.
"""

from fractions import Fraction
from itertools import pairwise
from math import ceil, fsum, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.testing import rationals
from learners.self_play import DeltaLimitUniform, DeltaUniform, Menagerie, Naive

theorem = pytest.mark.theorem(
    source="Hernandez, Denamganai, Gao, York, Devlin, Samothrakis and Walker 2019",
    statement="uniform draws meet policy e of T in H(T) - H(e) episodes on average, draws by "
    "1 / age^2 nearly all policies about once",
)

SHARES = rationals(low=0, high=1)
EPISODES = 500


def of_size(snapshots):
    return Menagerie(tuple(range(snapshots)))


def harmonic(count):
    return sum((Fraction(1, k) for k in range(1, count + 1)), Fraction(0))


def limit_share(snapshots, candidate):
    """Return the share of a candidate by equation (3), ages from 1, in floats."""
    return 1 / (snapshots + 1 - candidate) ** 2 / SQUARES[snapshots + 1]


SQUARES = [fsum(1 / k**2 for k in range(1, n + 1)) for n in range(EPISODES + 1)]


@theorem
@given(SHARES, st.integers(1, 40))
def test_candidates_are_the_latest_and_their_shares_are_as_printed(delta, size):
    first = ceil(delta * size)
    uniform = DeltaUniform(delta).weights(of_size(size))
    recent = DeltaLimitUniform(delta).weights(of_size(size))
    assert uniform == (0,) * first + (Fraction(1, size + 1 - first),) * (size + 1 - first)
    assert sum(uniform) == sum(recent) == 1
    assert recent[:first] == (0,) * first
    newest = recent[-1]
    ages = range(size + 1 - first, 0, -1)
    assert recent[first:] == tuple(newest / age**2 for age in ages)


@theorem
def test_newest_candidates_have_the_printed_shares():
    newest = [DeltaLimitUniform().weights(of_size(n))[-1] for n in range(1, 5)]
    assert newest[0] == Fraction(4, 5)
    assert [round(float(share), 4) for share in newest[1:]] == [0.7347, 0.7024, 0.6832]
    assert all(a > b > 6 / pi**2 for a, b in pairwise(newest))
    assert 1 / SQUARES[-1] == pytest.approx(6 / pi**2, abs=2e-3)


@theorem
@pytest.mark.parametrize("episodes", [1, 2, 7, 40])
def test_uniform_draws_meet_each_policy_as_often_as_harmonic_numbers_say(episodes):
    met = [Fraction(0)] * episodes
    for t in range(1, episodes):
        for e, share in enumerate(DeltaUniform().weights(of_size(t))):
            met[e] += share
    met[0] += 1  # episode 0 has nobody but the live policy
    assert met == [harmonic(episodes) - harmonic(e) for e in range(episodes)]
    assert sum(met) == episodes


@theorem
def test_draws_by_age_meet_nearly_all_policies_about_once():
    for size in (1, 2, 30, EPISODES - 1):
        exact = DeltaLimitUniform().weights(of_size(size))
        assert [float(w) for w in exact] == pytest.approx(
            [limit_share(size, e) for e in range(size + 1)], rel=1e-12
        )
    met = [fsum(limit_share(t, e) for t in range(e, EPISODES)) for e in range(EPISODES)]
    printed = {0: 1.468012, 1: 1.245732, 250: 0.999968, 490: 0.943310, 499: 0.608666}
    assert {e: round(met[e], 6) for e in printed} == printed
    assert fsum(met) == pytest.approx(EPISODES)
    assert sum(abs(m - 1) <= 0.1 for m in met) == 490  # all but the first five and the last five


@theorem
def test_twin_uniform_draws_meet_few_policies_about_once():
    met = [harmonic(EPISODES) - harmonic(e) for e in range(EPISODES)]
    printed = {0: 6.792823, 1: 5.792823, 250: 0.692148, 499: 0.002000}
    assert {e: round(float(met[e]), 6) for e in printed} == printed
    assert sum(abs(m - 1) <= Fraction(1, 10) for m in met) == 36  # 7.2 %


@theorem
@given(st.integers(1, 20))
def test_twin_delta_of_one_is_naive(size):
    for sampling in (DeltaUniform(1), DeltaLimitUniform(1)):
        assert sampling.weights(of_size(size)) == Naive().weights(of_size(size))


@theorem
@given(st.integers(1, 20))
def test_twin_equation_3_as_printed_divides_by_zero(size):
    """Its ages run from the number of candidates down to 0: one too many."""
    printed_ages = [size + 1 - i for i in range(size + 2)]
    with pytest.raises(ZeroDivisionError, match="division by zero|Fraction"):
        [Fraction(1, age**2) for age in printed_ages]
