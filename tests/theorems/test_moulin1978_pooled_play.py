"""Moulin and Vial 1978: coarse correlated equilibria are convex, and so is what is left to regret.

A player's gain from an action, in place of what a mediator told, is linear in the distribution of
joint actions. So the largest one is convex: pooling the plays of several runs, with any weights,
leaves at most the mean of what they leave, in any game of any number of players. Twin: of the
average strategies, the marginals of pooled play, that is false outside two-player zero-sum games:
two runs may sit in two equilibria.

Why it matters (regret): Play without regret may be spread over machines and pooled; what is proved
of it is at most what each run proves on average.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, certify_nash, deviation_gains
from gametheory_core.certificates import certify_coarse_correlated
from gametheory_core.strategies import correlated_distribution
from gametheory_core.testing import normal_form_games, zero_sum_games
from solvers.dynamics.play import shares_of

theorem = pytest.mark.theorem(
    source="Moulin and Vial 1978",
    statement="The largest gain from one action in place of what is recommended is convex in the "
    "distribution of joint actions.",
)


@st.composite
def counted_runs(draw, games):
    game = draw(games)
    size = int(np.prod(game.num_actions))
    counts = st.lists(st.integers(0, 6), min_size=size, max_size=size).filter(any)
    tables = draw(st.lists(counts, min_size=1, max_size=4))
    return game, [np.array(own, dtype=float).reshape(game.num_actions) for own in tables]


def mean_of(gains, runs):
    steps = [int(own.sum()) for own in runs]
    return sum((n * g for n, g in zip(steps, gains, strict=True)), Fraction(0)) / sum(steps)


@theorem
@given(counted_runs(normal_form_games()))
def test_pooled_play_leaves_at_most_the_mean_to_regret(drawn):
    game, runs = drawn
    left = [certify_coarse_correlated(game, shares_of(game, own)).epsilon for own in runs]
    assert certify_coarse_correlated(game, shares_of(game, sum(runs))).epsilon <= mean_of(
        left, runs
    )


@theorem
@given(counted_runs(zero_sum_games()))
def test_averages_of_pooled_play_leave_at_most_the_sum_of_regrets(drawn):
    game, runs = drawn

    def total(own):
        return sum(deviation_gains(game, shares_of(game, own).marginals))

    assert total(sum(runs)) <= mean_of([total(own) for own in runs], runs)


@theorem
def test_twin_averages_of_two_equilibria_are_none_where_interests_agree():
    game = NormalFormGame.symmetric([[1, 0], [0, 1]])
    runs = [np.diag([4.0, 0.0]), np.diag([0.0, 2.0])]
    pooled = shares_of(game, sum(runs))
    assert certify_coarse_correlated(game, pooled).epsilon == 0
    assert certify_nash(game, pooled.marginals).epsilon == Fraction(1, 9)
    assert pooled == correlated_distribution([["2/3", 0], [0, "1/3"]])
