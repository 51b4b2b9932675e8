"""Profiles on which laws are tried: all pure ones of what a player may know, or some of them."""

import numpy as np
import pytest

from gametheory_core import InvalidStrategy, load_game, posg_to_extensive
from gametheory_core.conversions import posg_to_aec
from gametheory_core.games import NULL, list_posg
from gametheory_core.strategies.policies import action_lottery
from gametheory_core.testing import balanced_profile, pure_profiles, random_profile

TWICE = list_posg(
    players=["Ann"],
    actions=[["a", "b"]],
    initial={"s": 1},
    transitions={("s", (own,)): {"s": 1} for own in "ab"},
    horizon=2,
)
KINDS = {"POSG": TWICE, "AEC": posg_to_aec(TWICE).target, "tree": posg_to_extensive(TWICE).target}


def seeded():
    return np.random.default_rng(0)


@pytest.mark.parametrize("game", KINDS.values(), ids=KINDS)
def test_pure_profiles_remember_the_own_actions(game):
    assert len(pure_profiles(game, rng=seeded(), most=8)) == 2**3
    assert len(pure_profiles(game, rng=seeded(), most=7)) == 7


def test_pure_policies_differ_where_the_past_does():
    states = [(NULL,), (NULL, "a", NULL), (NULL, "b", NULL)]
    for game in (KINDS["POSG"], KINDS["AEC"]):
        played = {
            tuple(action_lottery(game, 0, own, seen).items[0][0] for seen in states)
            for (own,) in pure_profiles(game, rng=seeded(), most=8)
        }
        assert len(played) == 2**3


def test_pure_policies_say_nothing_where_play_never_gets():
    (own,) = pure_profiles(TWICE, rng=seeded(), most=8)[-1]
    assert set(own) == {(NULL,), (NULL, "a", NULL), (NULL, "b", NULL)}
    with pytest.raises(InvalidStrategy, match="needs information states that play can reach"):
        own[NULL, "never", NULL]


def test_matrices_have_a_pure_profile_for_each_joint_action():
    game = load_game("matching_pennies")
    found = pure_profiles(game, rng=seeded(), most=4)
    assert len({str(profile.strategies) for profile in found}) == 4


@pytest.mark.parametrize("game", KINDS.values(), ids=KINDS)
def test_balanced_and_random_profiles_fit(game):
    for profile in (balanced_profile(game), random_profile(game, rng=seeded())):
        vectors = getattr(profile, "probabilities", None)
        weights = (
            [vector.tolist() for vector in vectors]
            if vectors
            else [[weight for _, weight in profile[0][NULL,]]]
        )
        assert all(sum(own) == 1 for own in weights)
