"""Local rules on given payoffs, exact and float: one step by hand, and rules agree with twins."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core.arrays import exact_array, is_exact
from solvers.local_rules import (
    BestReply,
    Hedge,
    RegretMatching,
    RegretMatchingPlus,
    TieRule,
    exponential_shares,
    positive_shares,
)


def test_positive_shares_are_exact_for_exact_memory():
    shares = positive_shares(exact_array([3, -5, 1]))
    assert shares.tolist() == [Fraction(3, 4), 0, Fraction(1, 4)]


@pytest.mark.parametrize("memory", [[0, 0, 0], [-1, -2, 0]])
def test_positive_shares_are_equal_without_positive_memory(memory):
    assert positive_shares(exact_array(memory)).tolist() == [Fraction(1, 3)] * 3
    assert positive_shares(np.array(memory, dtype=float)) == pytest.approx(1 / 3)


def test_regret_matching_adds_payoff_less_own_expectation():
    strategy = exact_array(["1/2", "1/2"])
    memory = RegretMatching().remember(exact_array([0, 0]), exact_array([3, 1]), strategy)
    assert memory.tolist() == [1, -1]
    assert RegretMatching().strategy(memory, strategy, 1).tolist() == [1, 0]


def test_regret_matching_plus_forgets_negative_regret():
    strategy = exact_array(["1/2", "1/2"])
    memory = RegretMatchingPlus().remember(exact_array([0, 0]), exact_array([3, 1]), strategy)
    assert memory.tolist() == [1, 0]
    assert is_exact(memory)


def test_hedge_ratio_is_the_exponential_of_the_payoff_difference():
    shares = Hedge(rate=0.5, decay=0.0).strategy(np.array([2.0, 0.0]), np.ones(2) / 2, 7)
    assert shares[0] / shares[1] == pytest.approx(np.e)


def test_hedge_rate_decays_with_steps():
    shares = Hedge(rate=1.0, decay=0.5).strategy(np.array([2.0, 0.0]), np.ones(2) / 2, 4)
    assert shares[0] / shares[1] == pytest.approx(np.e)


def test_exponential_shares_do_not_overflow():
    assert exponential_shares(np.array([1e9, 0.0])).tolist() == [1.0, 0.0]


def test_best_reply_breaks_ties_as_asked():
    memory, last = exact_array([1, 2, 2]), exact_array([0, 0, 1])
    assert BestReply(TieRule.FIRST).strategy(memory, last, 1).tolist() == [0, 1, 0]
    assert BestReply(TieRule.REPEAT).strategy(memory, last, 1).tolist() == [0, 0, 1]
    worse = exact_array([1, 2, 0])
    assert BestReply(TieRule.REPEAT).strategy(worse, last, 1).tolist() == [0, 1, 0]
