"""Certificates of commitment to pure followers reject every changed number."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, MixedProfile, NormalFormGame, pure_profile
from gametheory_core.certificates import certify_pure_followers
from gametheory_core.certificates.pure_followers import ChangeMultiplier
from tests.sample_sizes import examples
from tests.solvers.stackelberg.leader_games import games_of_three

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
HAIR = Fraction(1, 10**30)
# Player 2 is the follower of the textbook: half and half earns 7/2 with the second column. The
# third player's second action pays the leader 10 less, and the third player 1 less.
OWN = [[[2, -8], [4, -6]], [[1, -9], [3, -7]]]
GAME = NormalFormGame.from_payoffs(
    [OWN, [[[1, 1], [0, 0]], [[0, 0], [1, 1]]], [[[1, 0], [1, 0]], [[1, 0], [1, 0]]]]
)
PROFILE = MixedProfile(([HALF, HALF], [ZERO, ONE], [ONE, ZERO]))
MULTIPLIERS = ((), (), (ChangeMultiplier(1, 0, HALF),), ())  # for 00, 01, 10, 11
VALUE = Fraction(7, 2)


def certificate():
    return certify_pure_followers(GAME, PROFILE, leader=0, multipliers=MULTIPLIERS)


def with_multiplier(*entries):
    return {"multipliers": (*MULTIPLIERS[:2], entries, ())}


def test_proved_optimum_is_accepted():
    claim = certificate()
    assert (claim.leader_payoff, claim.upper_bound, claim.epsilon) == (VALUE, VALUE, 0)
    assert "no commitment gets more (" in claim.statement
    claim.verify()


def test_bound_that_is_not_tight_is_stated():
    claim = certify_pure_followers(GAME, PROFILE, leader=0, multipliers=((),) * 4)
    assert claim.epsilon == HALF
    assert "more than 4" in claim.statement
    claim.verify()


def test_any_player_may_lead():
    turned = NormalFormGame.from_payoffs(
        GAME.exact_payoffs[[2, 1, 0]].transpose(0, 3, 2, 1), players=("c", "b", "a")
    )
    profile = MixedProfile(PROFILE.strategies[::-1])
    rows = ((), (ChangeMultiplier(1, 0, HALF),), (), ())  # the first player's action is slowest
    claim = certify_pure_followers(turned, profile, leader=2, multipliers=rows)
    assert (claim.leader_payoff, claim.epsilon) == (VALUE, 0)
    claim.verify()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (with_multiplier(ChangeMultiplier(1, 0, HALF + HAIR)), "claims upper bound"),
        (with_multiplier(ChangeMultiplier(1, 0, HALF - HAIR)), "claims upper bound"),
        (with_multiplier(ChangeMultiplier(1, 0, -HAIR)), "at least 0"),
        (with_multiplier(ChangeMultiplier(0, 0, ONE)), "player 0, action 0"),
        (with_multiplier(ChangeMultiplier(3, 0, ONE)), "player 3, action 0"),
        (with_multiplier(ChangeMultiplier(1, 2, ONE)), "player 1, action 2"),
        (with_multiplier(ChangeMultiplier(1, -1, ONE)), "player 1, action -1"),
        ({"multipliers": MULTIPLIERS[:3]}, "each of 4 joint actions"),
        ({"leader": 1}, "one mixes"),
        ({"leader": 3}, "leader from 0 to 2, but got 3"),
        ({"leader": -1}, "but got -1"),
        (
            {"profile": MixedProfile(([HALF + HAIR, HALF - HAIR], [ZERO, ONE], [ONE, ZERO]))},
            "player '2' gains by changing '2' to '1'",
        ),
        (
            {"profile": MixedProfile(([HALF - HAIR, HALF + HAIR], [ZERO, ONE], [ONE, ZERO]))},
            "claims leader payoff",
        ),
        ({"profile": MixedProfile(([HALF, HALF], [HALF, HALF], [ONE, ZERO]))}, "one mixes"),
        (
            {"profile": MixedProfile(([HALF, HALF], [ZERO, ONE], [ZERO, ONE]))},
            "player '3' gains by changing '2' to '1'",
        ),
        (
            {"profile": MixedProfile(([HALF, HALF], [ONE, ZERO], [ONE, ZERO]))},
            "leader's favorite among the followers' pure",
        ),
        ({"profile": PROFILE.to_float()}, "holds floats"),
        ({"profile": MixedProfile(([ONE], [ONE], [ONE]))}, "needs strategies over"),
    ],
)
def test_changed_certificate_is_rejected(change, message):
    with pytest.raises(CertificateRejected, match=message):
        replace(certificate(), **change).verify()


@examples(100)
@given(games_of_three(), st.data())
def test_no_multipliers_bound_below_what_some_commitment_earns(game, data):
    """Soundness: a pure commitment with a pure answer stays below any bound."""
    action = data.draw(st.integers(0, game.num_actions[0] - 1))
    own, *others = game.exact_payoffs[:, action]
    stable = np.ones(own.shape, dtype=bool)
    for axis, table in enumerate(others):
        stable &= table == table.max(axis=axis, keepdims=True)
    joints = [tuple(joint) for joint in np.argwhere(stable).tolist()]
    if not joints:
        return
    joint = max(joints, key=lambda place: own[place])
    weight = st.fractions(0, 3, max_denominator=4)
    rows = tuple(
        tuple(
            ChangeMultiplier(j, c, data.draw(weight))
            for j in (1, 2)
            for c in range(game.num_actions[j])
        )
        for _ in range(own.size)
    )
    profile = pure_profile(game, (action, *joint))
    claim = certify_pure_followers(game, profile, leader=0, multipliers=rows)
    claim.verify()
    assert claim.leader_payoff == own[joint] <= claim.upper_bound
