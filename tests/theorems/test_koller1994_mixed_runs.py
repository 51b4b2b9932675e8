"""Koller, Megiddo and von Stengel 1994: a mixture of runs leaves no more to gain than they do.

In a tree with perfect recall payoffs are linear in a player's realization plan, so that a best
response gains a convex amount. Mixing the profiles of several runs as realization plans, with any
weights, hence leaves a sum of gains of at most the weighted mean of theirs, in a two-player
zero-sum game. Twins: in a game that is not zero-sum the mixture of two equilibria is none; averages
taken at each information set alone, which forget how often it is reached, may leave something where
each run leaves nothing.

Why it matters (counterfactual): Independent runs on many machines may be merged, and what is proved
of the mixture is at most what each proves on average.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import (
    BehavioralProfile,
    Decision,
    Terminal,
    deviation_gains,
    expected_payoffs,
    from_sketch,
    pure_behavior,
)
from gametheory_core.testing import behavioral_profiles, extensive_form_games
from solvers.counterfactual.sampled_averages import realization_mixture

theorem = pytest.mark.theorem(
    source="Koller, Megiddo and von Stengel 1994",
    statement="In two-player zero-sum trees with perfect recall the sum of deviation gains is "
    "convex in realization plans.",
)


def total_gain(game, profile):
    return sum(deviation_gains(game, profile))


@st.composite
def runs(draw, **options):
    game = draw(extensive_form_games(**options))
    profiles = draw(st.lists(behavioral_profiles(game), min_size=1, max_size=4))
    size = len(profiles)
    weights = draw(st.lists(st.integers(0, 5), min_size=size, max_size=size))
    return game, profiles, weights if any(weights) else [1] * size


@theorem
@given(runs(zero_sum=True))
def test_a_mixture_leaves_at_most_the_mean_of_its_runs(given_runs):
    game, profiles, weights = given_runs
    mixed = realization_mixture(game, profiles, weights)
    gains = [total_gain(game, own) for own in profiles]
    mean = sum((w * g for w, g in zip(weights, gains, strict=True)), Fraction(0)) / sum(weights)
    assert total_gain(game, mixed) <= mean


@theorem
@given(runs(num_players=(1, 1)))
def test_one_player_earns_the_mean_of_the_runs(given_runs):
    game, profiles, weights = given_runs
    paid = expected_payoffs(game, realization_mixture(game, profiles, weights))[0]
    earned = [expected_payoffs(game, own)[0] for own in profiles]
    assert paid * sum(weights) == sum(w * e for w, e in zip(weights, earned, strict=True))


@theorem
def test_twin_a_mixture_of_two_equilibria_is_none_where_interests_agree():
    replies = [
        Decision(1, "B", {b: Terminal([int(a == b)] * 2) for b in ("l", "r")}) for a in ("l", "r")
    ]
    game = from_sketch(
        Decision(0, "A", dict(zip(("l", "r"), replies, strict=True))), players=("A", "B")
    )
    equilibria = [pure_behavior(game, plan) for plan in ((0, 0), (1, 1))]
    assert [total_gain(game, own) for own in equilibria] == [0, 0]
    mixed = realization_mixture(game, equilibria, [2, 1])
    assert list(deviation_gains(game, mixed)) == [Fraction(1, 9)] * 2


@theorem
def test_twin_averages_at_each_information_set_leave_something_where_no_run_does():
    again = Decision(0, "again", {"well": Terminal([0, 0]), "badly": Terminal([-1, 1])})
    game = from_sketch(
        Decision(0, "first", {"out": Terminal([0, 0]), "in": again}), players=("A", "B")
    )
    optimal = [pure_behavior(game, plan) for plan in ((0, 1), (1, 0))]
    assert [total_gain(game, own) for own in optimal] == [0, 0]
    assert total_gain(game, realization_mixture(game, optimal, [1, 1])) == 0
    pairs = zip(optimal[0].probabilities, optimal[1].probabilities, strict=True)
    local = BehavioralProfile(tuple((np.array(a) + np.array(b)) / 2 for a, b in pairs))
    assert total_gain(game, local) == Fraction(1, 4)
