"""Normal forms as one-shot POSGs and as trees, and POSGs as normal forms."""

from fractions import Fraction

import pytest

import gametheory_core as gt
from gametheory_core.catalog import RepeatedGame, battle_of_the_sexes
from gametheory_core.conversions import Preserved, normal_to_posg, posg_to_normal
from gametheory_core.distributions import point_mass
from gametheory_core.games import NULL
from tests.theorems.random_rules import RandomPOSG

SEXES = battle_of_the_sexes()
UNEQUAL = gt.NormalFormGame.from_payoffs(
    [[[1, 2, 3], [4, 5, 6]], [[-1, 0, 7], [0, 8, -9]]], actions=(("up", "down"), ("l", "m", "r"))
)
MIXED = gt.MixedProfile(([Fraction(1, 3), Fraction(2, 3)], [Fraction(1, 2), 0, Fraction(1, 2)]))


def test_one_shot_pays_the_cells():
    conversion = normal_to_posg(UNEQUAL)
    rules = conversion.target
    paid = {
        joint: rules.reward("before", joint, "after")
        for joint in [("up", "l"), ("up", "r"), ("down", "l"), ("down", "m")]
    }
    assert paid == {
        ("up", "l"): (1, -1),
        ("up", "r"): (3, 7),
        ("down", "l"): (4, 0),
        ("down", "m"): (5, 8),
    }
    assert rules.horizon == 1
    assert conversion.preserves == frozenset(Preserved)


def test_actions_without_a_name_are_numbered():
    unnamed = gt.NormalFormGame.from_payoffs(
        [[[0, 1], [2, 3]], [[0, 0], [0, 0]]], actions=(("", "b"), ("", ""))
    )
    rules = normal_to_posg(unnamed).target
    assert rules.legal_actions(0, NULL) == (1, "b")
    assert rules.legal_actions(1, NULL) == (1, 2)
    assert rules.reward("before", ("b", 1), "after") == (2, 0)


def test_trees_of_normal_forms_have_one_information_set_a_player():
    conversion = gt.normal_to_extensive(SEXES)
    assert conversion.source == SEXES
    assert conversion.target.num_decision_infosets == 2


def test_normal_form_of_the_one_shot_is_the_normal_form():
    conversion = normal_to_posg(UNEQUAL)
    there = conversion.then(posg_to_normal(conversion.target))
    assert there.target.exact_payoffs.tolist() == UNEQUAL.exact_payoffs.tolist()
    assert there.correspondence.to_target(MIXED) == MIXED


def test_horizons_and_sizes_are_asked_for():
    with pytest.raises(gt.InvalidArgument, match="posg_to_extensive: needs a horizon"):
        posg_to_normal(RandomPOSG(0))
    assert posg_to_normal(RandomPOSG(0), horizon=1).source.horizon == 1
    game = RepeatedGame.of("matching_pennies", rounds=2)
    with pytest.raises(
        gt.UnsupportedGame, match=r"max_profiles = 63 joint plans, but .* has 8 x 8\."
    ):
        posg_to_normal(game, max_profiles=63)
    assert posg_to_normal(game, max_profiles=64).target.num_actions == (8, 8)


def test_policies_and_profiles_must_fit():
    conversion = normal_to_posg(UNEQUAL)
    with pytest.raises(gt.InvalidStrategy, match="strateg"):
        conversion.correspondence.to_target(gt.MixedProfile(([1, 0], [1, 0])))
    with pytest.raises(gt.InvalidStrategy, match="needs a distribution at information state"):
        conversion.correspondence.to_source(({}, {}))
    cheat = {(NULL,): point_mass("sideways")}
    with pytest.raises(gt.InvalidStrategy, match="plays 'sideways'"):
        conversion.correspondence.to_source((cheat, cheat))
