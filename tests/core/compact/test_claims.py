"""Certificates of compact games: what they prove, and forged ones."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import (
    CertificateRejected,
    UnsupportedGame,
    compact,
    load_game,
    pure_profile,
    uniform_profile,
)
from gametheory_core.compact.potential import num_spreads, spreads


def stable(game, joint):
    """Whether nobody gains, from the definition."""
    pays = compact.pure_payoffs(game, joint)
    return all(
        compact.pure_payoffs(game, (*joint[:i], b, *joint[i + 1 :]))[i] <= pays[i]
        for i, n in enumerate(game.num_actions)
        for b in range(n)
    )


def all_joint(game):
    return product(*map(range, game.num_actions))


@given(st.one_of(compact.polymatrix_games(), compact.graphical_games()))
def test_all_pure_equilibria_on_a_graph_are_listed(game):
    expected = {pure_profile(game, joint) for joint in all_joint(game) if stable(game, joint)}
    found = compact.certify_all_pure(game).profiles
    assert set(found) == expected
    assert len(found) == len(expected)


@given(st.one_of(compact.congestion_games(), compact.anonymous_games()))
def test_one_pure_equilibrium_of_each_spread_is_listed(game):
    def spread(joint):
        if isinstance(game, compact.AnonymousGame):
            return tuple(sorted(joint))
        return tuple(sorted(zip(game.uses, joint, strict=True)))

    expected = {
        spread(joint): joint for joint in reversed(list(all_joint(game))) if stable(game, joint)
    }
    profiles = {pure_profile(game, joint) for joint in expected.values()}
    assert set(compact.certify_all_pure(game).profiles) == profiles


@given(compact.congestion_games())
def test_spreads_are_counted(game):
    assert num_spreads(game) == len(list(spreads(game)))


def test_a_missing_or_false_equilibrium_is_rejected():
    certificate = compact.certify_all_pure(load_game("public_good_on_ring:players=6"))
    some = certificate.profiles[1:]
    with pytest.raises(CertificateRejected, match="without .*, which is missing"):
        replace(certificate, profiles=some).verify()
    more = (*certificate.profiles, pure_profile(certificate.game, (0,) * 6))
    with pytest.raises(CertificateRejected, match="which is not one of the 5"):
        replace(certificate, profiles=more).verify()


def test_forged_gains_are_rejected():
    game = load_game("security_ring")
    certificate = compact.certify_compact(game, uniform_profile(game))
    assert certificate.epsilon > 0
    gains = (Fraction(0),) * game.num_players
    with pytest.raises(CertificateRejected, match="claims deviation gains"):
        replace(certificate, deviation_gains=gains).verify()


def anarchy(game, joints):
    return compact.certify_anarchy(game, *(pure_profile(game, joint) for joint in joints))


def test_prices_of_two_roads():
    game = load_game("pigou:players=4")
    found = anarchy(game, [(0, 0, 1, 1), (0, 0, 0, 1), (0, 0, 0, 0)])
    found.verify()
    assert found.price_of_anarchy == Fraction(4, 3)
    assert found.price_of_stability == Fraction(13, 12)
    assert "4/3 times the optimum of 12" in found.statement
    assert found.payoffs == (-4,) * 4


@pytest.mark.parametrize(
    ("joints", "message"),
    [
        ([(0, 0, 0, 1), (0, 0, 0, 1), (0, 0, 0, 0)], "optimal to be a profile that costs 12"),
        ([(0, 0, 1, 1), (0, 0, 0, 0), (0, 0, 0, 0)], "best to be a profile that costs 13"),
        ([(0, 0, 1, 1), (0, 0, 0, 1), (1, 1, 1, 1)], "worst to be .* somebody gains 3"),
    ],
)
def test_profiles_of_another_cost_or_unstable_are_rejected(joints, message):
    with pytest.raises(CertificateRejected, match=message):
        anarchy(load_game("pigou:players=4"), joints)


def test_mixed_profiles_prove_no_price():
    game = load_game("pigou:players=2")
    with pytest.raises(CertificateRejected, match="an exact pure profile"):
        compact.certify_anarchy(game, *[uniform_profile(game)] * 3)


def test_free_roads_have_no_ratio():
    game = compact.CongestionGame.from_delays({"r": [0, 0]}, {"a": ["r"]}, num_players=2)
    with pytest.raises(UnsupportedGame, match="the least is 0"):
        anarchy(game, [(0, 0)] * 3)
