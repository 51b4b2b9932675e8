"""Checks refuse what is not of their kind at once, by name, and say what to give."""

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core import testing
from gametheory_core.conversions import Conversion, Preserved, posg_to_aec
from gametheory_core.conversions.conversion import Identity
from gametheory_core.games import TabularPOSG


def seeded():
    return np.random.default_rng(0)


def unchanged(_permutation, state):
    return state


CHECKS = {
    "check_posg": lambda given: testing.check_posg(given, rng=seeded()),
    "check_aec": lambda given: testing.check_aec(given, rng=seeded()),
    "check_normal_form": lambda given: testing.check_normal_form(given, rng=seeded()),
    "check_tree": lambda given: testing.check_tree(given, rng=seeded()),
    "check_bayesian": lambda given: testing.check_bayesian(given, rng=seeded()),
    "check_conversion": lambda given: testing.check_conversion(given, rng=seeded()),
    "check_certificate": testing.check_certificate,
    "check_reward_attribution": lambda given: testing.check_reward_attribution(given, TIGER),
    "check_environment": lambda given: testing.check_environment(list, given, rng=seeded()),
    "check_equivariance": lambda given: testing.check_equivariance(given, relabel=unchanged),
    "find_race": lambda given: testing.find_race(given, relabel=unchanged),
}
TIGER, TEAM = gt.load_game("tiger"), gt.load_game("random_order_team")
NEVER = {
    "the class of POSGs": type(TIGER),
    "the class of tables": TabularPOSG,
    "the class of AEC games": type(TEAM),
    "the class of matrices": gt.NormalFormGame,
    "the class of trees": gt.ExtensiveFormGame,
    "a number": 3,
    "nothing": None,
    "a name": "tiger",
    "a list": [TIGER],
}
REFUSALS = (gt.InvalidArgument, gt.UnsupportedGame)


@pytest.mark.parametrize(
    ("check", "given"),
    [(c, g) for c in CHECKS for g in NEVER.values() if (c, g) != ("check_environment", None)],
)
def test_what_is_no_game_is_refused_by_name(check, given):
    with pytest.raises(REFUSALS, match=rf"^{check}: needs .*, but got .*\. \w.*\.$"):
        CHECKS[check](given)


@pytest.mark.parametrize("check", CHECKS)
def test_classes_are_called_classes(check):
    with pytest.raises(REFUSALS, match=rf"^{check}: needs .*, but got the class Tiger\. \w.*\.$"):
        CHECKS[check](type(TIGER))


OTHERS = {
    "check_posg": [TEAM, "kuhn_poker", "chicken", "house_patrol", "mediated_chicken"],
    "check_aec": [TIGER, "kuhn_poker", "chicken", "house_patrol", "mediated_chicken"],
    "check_normal_form": [TIGER, TEAM, "kuhn_poker", "house_patrol"],
    "check_tree": [TIGER, TEAM, "chicken", "house_patrol"],
    "check_bayesian": [TIGER, TEAM, "kuhn_poker", "chicken"],
    "check_conversion": [TIGER, TEAM, "kuhn_poker", "chicken", "house_patrol"],
    "check_certificate": [TIGER, TEAM, "kuhn_poker", "chicken", "house_patrol"],
    "check_reward_attribution": [TIGER, "kuhn_poker", "chicken", "house_patrol"],
    "check_environment": ["kuhn_poker", "chicken", "house_patrol", "mediated_chicken"],
    "check_equivariance": [TEAM, "kuhn_poker", "chicken", "house_patrol"],
    "find_race": [TEAM, "kuhn_poker", "chicken", "house_patrol"],
}


@pytest.mark.parametrize(("check", "given"), [(c, g) for c, games in OTHERS.items() for g in games])
def test_games_of_other_kinds_are_refused_with_what_helps(check, given):
    game = gt.load_game(given) if isinstance(given, str) else given
    with pytest.raises(REFUSALS, match=rf"^{check}: needs .*, but got .*\. \w.*\.$"):
        CHECKS[check](game)


def test_a_conversion_is_answered_with_its_target():
    for check in ("check_posg", "check_aec"):
        with pytest.raises(gt.UnsupportedGame, match=r"got a Conversion\. Give its target\."):
            CHECKS[check](posg_to_aec(TIGER))


def test_models_of_rewards_are_checked_as_well():
    with pytest.raises(
        gt.UnsupportedGame, match=r"^check_reward_attribution: needs a POSG, but got"
    ):
        testing.check_reward_attribution(posg_to_aec(TIGER).target, type(TIGER))


def test_conversions_of_games_that_nobody_can_play_are_refused():
    security = gt.load_game("guarded_targets")
    itself = Conversion(security, security, Identity(), frozenset(Preserved))
    with pytest.raises(gt.UnsupportedGame, match=r"^check_conversion: needs a game .*SecurityGame"):
        testing.check_conversion(itself, rng=seeded())
