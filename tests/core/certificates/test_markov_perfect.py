"""Markov-perfect certificates: measured against best responses; no witness makes them lie."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, InvalidArgument, UnsupportedGame, expected_returns
from gametheory_core.catalog import RepeatedGame, fish_war
from gametheory_core.certificates import certify_markov_perfect
from gametheory_core.certificates.markov_perfect import measure
from gametheory_core.conversions import markov_view
from gametheory_core.distributions import point_mass
from gametheory_core.evaluation import best_response_returns, best_values, markov_values
from gametheory_core.strategies import markov_policies, markov_profile, uniform_markov_profile
from gametheory_core.testing import markov_games, markov_profiles, rationals
from tests.sample_sizes import examples


def shifted(data, values):
    """Witnesses with a random number added to each."""
    return tuple(
        tuple(tuple(x + data.draw(rationals(low=-2, high=2)) for x in own) for own in row)
        for row in values
    )


def largest_gain(view, profile):
    """The largest gain from any time and state on, by values that are exact."""
    values = markov_values(view, profile)
    best = best_values(view, profile, values)
    pairs = (
        (b, v)
        for tops, rows in zip(best, values, strict=True)
        for top, row in zip(tops, rows, strict=True)
        for b, v in zip(top, row, strict=True)
    )
    return max((b - v for b, v in pairs), default=Fraction(0))


@examples(35)
@given(st.data())
def test_epsilon_is_the_largest_gain_and_bounds_that_of_all_policies(data):
    view = data.draw(markov_games())
    profile = data.draw(markov_profiles(view, stationary=data.draw(st.booleans())))
    certificate = certify_markov_perfect(view, profile, tolerance=None)
    certificate.verify()
    policies = markov_policies(view, profile)
    returns = expected_returns(view.game, policies)
    assert certificate.payoffs == tuple(returns)
    assert certificate.payoff_error == 0
    assert certificate.epsilon == largest_gain(view, profile)
    assert max(best_response_returns(view.game, policies) - returns) <= certificate.epsilon


@examples(35)
@given(st.data())
def test_no_witness_makes_epsilon_too_small_or_payoffs_wrong(data):
    view = data.draw(markov_games(max_horizon=data.draw(st.sampled_from([3, None]))))
    stationary = view.game.horizon is None
    profile = data.draw(markov_profiles(view, stationary=stationary))
    truth = certify_markov_perfect(view, profile, tolerance=None)
    values, best = (shifted(data, truth.values) for _ in range(2))
    found = measure(view, profile, values, best if data.draw(st.booleans()) else ())
    assert found.epsilon >= truth.epsilon - Fraction(1, 2**200)
    for told, true in zip(found.payoffs, truth.payoffs, strict=True):
        assert abs(told - true) <= found.error + truth.payoff_error


def test_an_equilibrium_on_the_path_alone_is_not_perfect():
    """The last round threatens what nobody would do; on the path nobody gains."""
    view = markov_view(RepeatedGame.of("battle_of_the_sexes", rounds=2))
    labels = view.game.actions[0]
    windows = {(): labels[0]} | {
        s: labels[0] if s == ((labels[0], labels[0]),) else labels[1] for s in view.game.states if s
    }
    first = {s: point_mass(a) for s, a in windows.items()}
    second = {s: point_mass(labels[0]) for s in windows}
    profile = markov_profile(view, [[first, first], [first, second]])
    policies = markov_policies(view, profile)
    gains = best_response_returns(view.game, policies) - expected_returns(view.game, policies)
    assert not any(gains)
    with pytest.raises(CertificateRejected, match=r"at time 1 in state .* player 'She' gets 3 by"):
        certify_markov_perfect(view, profile)


def test_a_tolerance_accepts_what_gains_less():
    view = markov_view(RepeatedGame.of("prisoners_dilemma", rounds=2, recall=0))
    evenly = uniform_markov_profile(view)
    epsilon = certify_markov_perfect(view, evenly, tolerance=None).epsilon
    assert certify_markov_perfect(view, evenly, tolerance=epsilon).epsilon == epsilon
    with pytest.raises(CertificateRejected, match="gets 3 by 'defect', then as before"):
        certify_markov_perfect(view, evenly, tolerance=epsilon / 2)


def test_bad_questions_are_refused():
    view = markov_view(fish_war())
    with pytest.raises(InvalidArgument, match="a tolerance of at least 0 as a Fraction"):
        certify_markov_perfect(view, uniform_markov_profile(view), tolerance=0.5)
    endless = markov_view(RepeatedGame.of("matching_pennies", rounds=None))
    with pytest.raises(UnsupportedGame, match="play surely continues"):
        certify_markov_perfect(endless, uniform_markov_profile(endless))


def test_statements_say_who_pays_what():
    view = markov_view(RepeatedGame.of("prisoners_dilemma", rounds=2, recall=0))
    defect = markov_profile(view, [{(): point_mass("defect")}] * 2)
    assert certify_markov_perfect(view, defect).statement == (
        "a Markov-perfect equilibrium that pays (2, 2): from no time and state on does a player "
        "gain anything by deviating"
    )
    evenly = certify_markov_perfect(view, uniform_markov_profile(view), tolerance=None)
    assert "gain more than epsilon = 3/2 by deviating" in evenly.statement
