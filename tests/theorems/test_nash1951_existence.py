"""Nash 1951: every finite game has an equilibrium, in mixed strategies.

Checked on generated games of one to four players, made generic by small noise: a profile is found
whose exactly measured gain is at most 1e-12, or 1e-25, of the payoff span. (In degenerate games,
which are limits of generic ones, a path in floats may get stuck.) A sequence of profiles with ever
smaller gains has a limit point, as profiles of a finite game are a compact set, and that is an
equilibrium. The twins drop mixing and finiteness.

Why it matters (equilibria): It is the promise on which every search for an equilibrium relies.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import MixedProfile, NormalFormGame, certify_nash
from gametheory_core.catalog import load
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import logit_homotopy, pure

theorem = pytest.mark.theorem(
    source="Nash 1951", statement="Every finite game has an equilibrium in mixed strategies."
)


@theorem
@given(
    normal_form_games(num_players=(1, 4), kinds=tuple(PayoffKind)),
    st.sampled_from([Fraction(1, 10**12), Fraction(1, 10**25)]),
)
def test_profiles_of_vanishing_gain_exist(game, share):
    game = perturbed(game)
    span = max(table.max() - table.min() for table in game.exact_payoffs)
    certificate = logit_homotopy(game, tolerance=(span or 1) * share).solution.certificate
    certificate.verify()
    assert certificate.epsilon <= (span or 1) * share


def perturbed(game):
    """Make the game generic: add different small rationals to all payoffs."""
    rng = np.random.default_rng(6)
    noise = rng.integers(1, 10**6, size=game.given_payoffs.shape).astype(object)
    return NormalFormGame.from_payoffs(game.exact_payoffs + noise * Fraction(1, 10**6))


@theorem
def test_twin_without_mixing_there_may_be_none():
    found = pure(load("matching_pennies"))
    assert found.is_complete
    assert found.equilibria == ()


@theorem
@given(st.lists(st.integers(0, 3), min_size=1, max_size=5).filter(any), st.data())
def test_twin_with_infinitely_many_actions_there_may_be_none(weights, data):
    """Whoever names the larger number gets 1: one of two finite lotteries gains at least 1/2.

    The gain is made with a number that neither lottery names; lotteries on all numbers are as close
    as one likes to finite ones.
    """
    others = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=5).filter(any))
    size = max(len(weights), len(others)) + 1
    wins = [[int(mine > yours) for yours in range(size)] for mine in range(size)]
    game = NormalFormGame.bimatrix(wins, np.array(wins).T)
    profile = MixedProfile(tuple(lottery(own, size) for own in (weights, others)))
    assert certify_nash(game, profile).epsilon >= Fraction(1, 2)


def lottery(weights, size):
    vector = np.full(size, Fraction(0), dtype=object)
    vector[: len(weights)] = [Fraction(weight, sum(weights)) for weight in weights]
    return vector
