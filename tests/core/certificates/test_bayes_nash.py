"""Bayes-Nash certificates: gains of the leader and of each type, and complete lists."""

from dataclasses import replace

import pytest

import gametheory_core as gt
from gametheory_core import BayesianGame, CertificateRejected, MixedProfile
from gametheory_core.certificates import certify_bayes_nash, certify_bayes_nash_completeness

# One type wishes to meet, the other to avoid the leader.
GAME = BayesianGame.from_payoffs(
    [[[2, 0], [0, 1]]] * 2, [[[1, 0], [0, 2]], [[0, 2], [1, 0]]], prior=["1/4", "3/4"]
)


def test_gains_are_of_the_leader_on_average_and_of_each_type_alone():
    profile = gt.pure_profile(GAME, (0, 1, 0))
    certificate = certify_bayes_nash(GAME, profile)
    certificate.verify()
    assert list(map(str, certificate.payoffs)) == ["3/2", "0", "0"]
    assert list(map(str, certificate.deviation_gains)) == ["0", "1", "2"]
    assert certificate.epsilon == 2
    assert "gains more than epsilon = 2" in certificate.statement


def test_an_equilibrium_for_the_likelier_type_alone_is_none():
    """The leader's best reply to the second type; the first type would deviate."""
    found = certify_bayes_nash_completeness(GAME)
    assert found.profiles
    for profile in found.profiles:
        assert certify_bayes_nash(GAME, profile).epsilon == 0
        leader, first, second = profile.strategies
        other = MixedProfile((leader, first[::-1], second))
        if first.tolist() != first[::-1].tolist():
            assert certify_bayes_nash(GAME, other).epsilon > 0


def test_lists_with_one_less_or_wrongly_isolated_are_rejected():
    found = certify_bayes_nash_completeness(GAME)
    found.verify()
    with pytest.raises(CertificateRejected, match="claims profiles without .*, which is missing"):
        replace(found, profiles=found.profiles[1:]).verify()
    assert found.isolated
    with pytest.raises(CertificateRejected, match="claims isolated without .*, which is missing"):
        replace(found, isolated=()).verify()


def test_an_idle_type_makes_a_family():
    idle = BayesianGame.from_payoffs([[[1, 1]], [[1, 2]]], [[[0, 0]], [[1, 0]]], prior=["1/2"] * 2)
    found = certify_bayes_nash_completeness(idle)
    assert len(found.profiles) == 2
    assert found.isolated == ()
