"""Zero-sum Markov certificates: the interval holds the value, whatever the witness."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, UnsupportedGame
from gametheory_core.catalog import BigMatch, FishWar, RepeatedGame, StoppingPennies
from gametheory_core.certificates import certify_zero_sum_markov
from gametheory_core.conversions import markov_view
from gametheory_core.evaluation import best_values, markov_values
from gametheory_core.strategies import MarkovProfile, uniform_markov_profile
from gametheory_core.testing import markov_games, markov_profiles, rationals


def zeros(view):
    return (Fraction(0),) * view.num_states


def witness(data, view):
    """A random number for each acting state."""
    acting = set(view.acting.tolist())
    return tuple(
        data.draw(rationals()) if s in acting else Fraction(0) for s in range(view.num_states)
    )


@given(st.data())
def test_bounds_are_guaranteed_against_best_responses_in_every_state(data):
    view = data.draw(markov_games(zero_sum=True, max_horizon=None))
    profile = data.draw(markov_profiles(view, stationary=True))
    values = witness(data, view)
    certificate = certify_zero_sum_markov(view, profile, values=values)
    certificate.verify()
    assert certificate.lower <= certificate.game_value <= certificate.upper
    assert certificate.payoffs == (certificate.game_value, -certificate.game_value)
    best = best_values(view, profile, markov_values(view, profile))[0]
    for state in view.acting.tolist():
        conceded, guaranteed = best[state][0], -best[state][1]
        assert values[state] - certificate.error_below <= guaranteed
        assert conceded <= values[state] + certificate.error_above
    begun = [(w, best[s]) for s, w in view.initial if best[s]]
    assert certificate.lower <= sum(-w * own[1] for w, own in begun)
    assert sum(w * own[0] for w, own in begun) <= certificate.upper


def test_values_where_play_is_over_are_rejected():
    view = markov_view(StoppingPennies())
    with pytest.raises(CertificateRejected, match="0 where nobody acts"):
        certify_zero_sum_markov(view, uniform_markov_profile(view), values=(Fraction(1),) * 2)


def test_the_big_match_has_its_value_by_a_mixture_that_depends_on_the_discount():
    """Stopping with ``p / (1 - g) = 1 - p`` makes both answers equally good."""
    gamma = Fraction(9, 10)
    view = markov_view(BigMatch(gamma))
    half, one = Fraction(1, 2), Fraction(1)
    value, p = half / (1 - gamma), (1 - gamma) / (2 - gamma)
    rows = {"open": ((p, 1 - p), (half, half))}
    lotteries = tuple(rows.get(s, ((one, 0 * one), (one, 0 * one))) for s in view.game.states)
    values = tuple(
        {"open": value, "won": 1 / (1 - gamma), "lost": 0 * one}[s] for s in view.game.states
    )
    profile = MarkovProfile((lotteries,), is_stationary=True)
    certificate = certify_zero_sum_markov(view, profile, values=values)
    assert (certificate.lower, certificate.upper) == (5, 5)
    assert certificate.statement.endswith("the value of the game is 5, exactly")


@pytest.mark.parametrize(
    ("game", "match"),
    [
        (FishWar(fishers=3, rounds=None, discount=Fraction(1, 2)), "needs two players, but"),
        (
            FishWar(fishers=2, rounds=None, discount=Fraction(1, 2)),
            r"rewards that sum to 0, but in state 6 \(0, 1\) pays \(0, 1\)",
        ),
        (BigMatch(Fraction(1)), "play surely continues after"),
        (
            RepeatedGame.of("matching_pennies", rounds=3),
            "stops after 3 steps. stage_nash_induction",
        ),
    ],
)
def test_other_games_are_refused_with_a_witness(game, match):
    view = markov_view(game)
    with pytest.raises(UnsupportedGame, match=match):
        certify_zero_sum_markov(view, uniform_markov_profile(view), values=zeros(view))


def test_profiles_by_time_are_rejected():
    view = markov_view(BigMatch())
    timed = replace(uniform_markov_profile(view), is_stationary=False)
    with pytest.raises(CertificateRejected, match="needs a stationary profile"):
        certify_zero_sum_markov(view, timed, values=zeros(view))


def test_floats_are_no_witness():
    view = markov_view(StoppingPennies())
    with pytest.raises(CertificateRejected, match="needs a Fraction of Python integers as values"):
        certify_zero_sum_markov(view, uniform_markov_profile(view), values=(0.5, 0.0))
