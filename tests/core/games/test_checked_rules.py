"""Slips in rules are refused wherever rules are asked, with the question and the answer."""

from fractions import Fraction
from itertools import count
from types import SimpleNamespace

import pytest

import gametheory_core as gt
from gametheory_core import conversions
from gametheory_core.catalog import RandomOrderTeam, RepeatedGame, one_card_poker, prisoners_dilemma
from gametheory_core.distributions import Distribution, point_mass, uniform
from gametheory_core.evaluation import best_response_returns, policy_nash_conv
from gametheory_core.games import NULL, stop_posg
from gametheory_core.games.kinds import is_tree_rules
from gametheory_core.strategies import reactive
from tests.core.conversions.changed_rules import changed
from tests.theorems.random_rules import RandomAEC, RandomPOSG, seeded_policies

PLAIN = stop_posg(RandomPOSG(1), steps=2)


def tree_by_turns(game):
    return gt.aec_to_extensive(conversions.posg_to_aec(game).target)


def always_a(game):
    return (gt.policy_from(lambda _: point_mass("a")),) * len(game.players)


def returns_of(game):
    return gt.expected_returns(game, always_a(game))


def responses_to(game):
    return best_response_returns(game, always_a(game))


TABLE = conversions.posg_to_tabular
POSG_ROADS = [gt.posg_to_extensive, TABLE, tree_by_turns, returns_of, responses_to]
AEC_ROADS = [gt.aec_to_extensive, conversions.aec_to_tabular, returns_of, responses_to]

NUMBERS = count()
POSG_SLIPS = {
    "plain tuple for a law": (
        {"initial": lambda: (0, 1)},
        r"^initial\(\): needs a Distribution, but is \(0, 1\)",
    ),
    "number for a law": ({"transition": lambda *_: 1}, r"^transition\(.*: needs a Distribution"),
    "list for a state": (
        {"transition": lambda *_: point_mass([1])},
        "needs hashable labels, but one is",
    ),
    "too few rewards": (
        {"reward": lambda *_: (1,)},
        r"^reward\(.*\): needs a tuple of 2 rewards, one a player, but is \(1,\)",
    ),
    "too many rewards": ({"reward": lambda *_: (1, 2, 3)}, "needs a tuple of 2 rewards"),
    "list of rewards": ({"reward": lambda *_: [1, 2]}, r"one a player, but is \[1, 2\]"),
    "no number": ({"reward": lambda *_: (float("nan"), 0)}, "reward of 'player 1': needs a finite"),
    "too many observations": (
        {"observation": lambda *_: point_mass(("x", "x", "x"))},
        "an observation for each of 2 players",
    ),
    "too few first observations": (
        {"initial_observation": lambda _: point_mass(("x",))},
        r"^initial_observation\(\d\): needs a tuple with an observation for each of 2 players",
    ),
    "text for observations": (
        {"observation": lambda *_: point_mass("xx")},
        r"^observation\(\('.', '.'\), \d\): needs a tuple with an obs.*gives 'xx'",
    ),
    "no action": (
        {"legal_actions": lambda *_: ()},
        r"^legal_actions\(0, '.'\): needs a tuple of at least one action",
    ),
    "set of actions": ({"legal_actions": lambda *_: {"a", "b"}}, "needs a tuple of at least one"),
    "list of actions": ({"legal_actions": lambda *_: ["a"]}, r"one action, but is \['a'\]"),
    "text of actions": ({"legal_actions": lambda *_: "ab"}, "needs a tuple of at least one action"),
    "action twice": ({"legal_actions": lambda *_: ("a", "a")}, "needs different actions"),
    "changing actions": (
        {"legal_actions": lambda *_: ("a", next(NUMBERS))},
        "needs the same answer to the same question.*own last observation only",
    ),
    "horizon below zero": ({"horizon": -1}, "needs a horizon that is None or a whole number"),
    "half a step": ({"horizon": 1.5}, "needs a horizon that is None or a whole number"),
    "discount above one": ({"discount": Fraction(3, 2)}, r"discount: needs a number in \[0, 1\]"),
    "player twice": ({"players": ("a", "a")}, "needs different player labels, but 'a' stands at"),
    "nobody": ({"players": ()}, "needs at least one player, but has none"),
}


@pytest.mark.parametrize("road", POSG_ROADS)
@pytest.mark.parametrize(("slip", "message"), POSG_SLIPS.values(), ids=POSG_SLIPS)
def test_slips_in_a_posg_are_refused_on_every_road(road, slip, message):
    game = changed(RandomPOSG(1), **{"horizon": 2, **slip})
    with pytest.raises(gt.InvalidGame, match=message):
        road(game)


AEC_SLIPS = {
    "unknown mover": ({"next_player": lambda *_: point_mass(-2)}, "needs movers in -1.*gives -2"),
    "mover beyond the last": (
        {"next_player": lambda *_: point_mass(2)},
        r"^next_player\(.*\): needs movers in -1 \(chance\)\.\.1, but gives 2",
    ),
    "mover without a law": ({"next_player": lambda *_: 0}, "needs a Distribution, but is 0"),
    "law for a state": (
        {"move": lambda *_: point_mass(1)},
        r"^move\(.*\): needs one state, but gives a Dist",
    ),
    "number for a law": ({"chance": lambda _: 5}, r"^chance\(0\): needs a Distribution, but is 5"),
    "text for a law": (
        {"observation": lambda *_: "x"},
        r"^observation\(\d, \d\): needs a Distribution, but is 'x' \(type str\)",
    ),
    "rewards without a law": (
        {"reward": lambda *_: (0, 0)},
        r"^reward\(0, -1, NULL, \d\): needs a Distribution",
    ),
    "too few rewards": ({"reward": lambda *_: point_mass((0,))}, "needs a tuple of 2 rewards"),
    "no action": ({"legal_actions": lambda *_: ()}, "needs a tuple of at least one action"),
    "list for a first state": ({"initial_state": [0]}, "initial_state.*needs hashable labels"),
    "horizon below zero": ({"horizon": -3}, "needs a horizon that is None or a whole number"),
}


@pytest.mark.parametrize("road", AEC_ROADS)
@pytest.mark.parametrize(("slip", "message"), AEC_SLIPS.values(), ids=AEC_SLIPS)
def test_slips_in_an_aec_game_are_refused_on_every_road(road, slip, message):
    game = changed(RandomAEC(1), **{"horizon": 3, **slip})
    with pytest.raises(gt.InvalidGame, match=message):
        road(game)


@pytest.mark.parametrize("reward", [0.1, "1/3", 7])
def test_rewards_of_any_exact_kind_are_one_rational_everywhere(reward):
    """A float is the rational it is; gains are exactly zero where nothing can be gained."""
    game = changed(
        RandomPOSG(1),
        horizon=2,
        transition=lambda *_: uniform((0, 1)),
        is_terminal=lambda _: False,
        reward=lambda *_: (reward, reward),
    )
    profile = seeded_policies(game, seed=0)
    assert policy_nash_conv(game, profile) == 0
    assert policy_nash_conv(conversions.posg_to_aec(game).target, profile) == 0
    paid = gt.expected_returns(game, profile).tolist()
    assert gt.expected_returns(conversions.posg_to_tabular(game).target, profile).tolist() == paid
    assert best_response_returns(game, profile).tolist() == paid
    assert all(type(value) is Fraction for value in paid)


WRONG_KINDS = [
    (gt.posg_to_extensive, RandomOrderTeam(), "needs a POSG, but got .*aec_to_posg"),
    (
        conversions.posg_to_aec,
        RandomOrderTeam(),
        "posg_to_aec: needs a POSG, but got .*aec_to_posg",
    ),
    (
        conversions.posg_to_aec,
        one_card_poker(),
        r"needs a POSG, but got .* with aec_to_posg\(extensive_to_aec\(game\).target\).target\.",
    ),
    (
        conversions.aec_to_posg,
        one_card_poker(),
        r"needs an AEC game, but got .* with extensive_to_aec\(game\)",
    ),
    (
        conversions.posg_to_aec,
        prisoners_dilemma(),
        r"needs a POSG, but got .* with normal_to_posg\(game\).target\.",
    ),
    (
        conversions.aec_to_posg,
        prisoners_dilemma(),
        r"needs an AEC game, but .* with posg_to_aec\(normal_to_posg\(game\).target\).target\.",
    ),
    (conversions.posg_to_aec, 3, r"needs a POSG, but got 3 \(type int\), which lacks title"),
    (conversions.aec_to_posg, PLAIN, "needs an AEC game, but got .*posg_to_aec"),
    (gt.aec_to_extensive, PLAIN, "needs an AEC game, but got .*posg_to_aec"),
    (conversions.clock_leak, PLAIN, "clock_leak: needs an AEC game"),
    (gt.posg_to_extensive, conversions.posg_to_aec(PLAIN), "but got a Conversion. Give its target"),
    (gt.posg_to_extensive, RepeatedGame, "but got the class RepeatedGame. Make one: call it"),
    (
        lambda game: gt.expected_returns(game, ()),
        one_card_poker(),
        "needs a POSG or an AEC game, but",
    ),
]


@pytest.mark.parametrize(("function", "game", "message"), WRONG_KINDS)
def test_games_of_another_kind_are_refused_with_a_way_over(function, game, message):
    with pytest.raises(gt.UnsupportedGame, match=message):
        function(game)


def test_profiles_must_have_a_policy_a_player():
    policy = seeded_policies(PLAIN, seed=0)[0]
    for profile in ((), (policy,), (policy, policy, policy)):
        with pytest.raises(
            gt.InvalidStrategy, match="needs a policy for each of 2 players, but the"
        ):
            gt.expected_returns(PLAIN, profile)


def test_policies_must_answer_with_distributions():
    with pytest.raises(
        gt.InvalidStrategy, match=r"needs a Distribution at .* but has 'a' \(type str"
    ):
        gt.expected_returns(PLAIN, (gt.policy_from(lambda _: "a"),) * 2)
    with pytest.raises(
        gt.InvalidStrategy, match="reactive: needs a distribution after observation"
    ):
        gt.expected_returns(PLAIN, (reactive({}),) * 2)
    with pytest.raises(gt.InvalidStrategy, match="but has none. Add it to the table"):
        gt.expected_returns(PLAIN, ({}, {}))


def test_a_bug_in_a_policy_is_shown_as_it_is():
    with pytest.raises(KeyError, match="my own bug"):
        gt.expected_returns(PLAIN, (gt.policy_from(lambda _: {}["my own bug"]),) * 2)


def test_distributions_hold_fractions():
    with pytest.raises(gt.InvalidGame, match="needs weights that are Fractions, but 'x' has 0.5"):
        Distribution((("x", 0.5), ("y", 0.5)))
    assert type(Distribution((("x", 1),)).items[0][1]) is Fraction


def test_play_that_surely_ends_needs_no_horizon():
    game = conversions.aec_to_posg(RandomOrderTeam()).target
    conversion = gt.posg_to_extensive(game)
    assert conversion.source is game
    assert conversion.target == gt.posg_to_extensive(game, horizon=3).target


def test_null_may_be_an_action():
    game = changed(RandomPOSG(1), horizon=1, legal_actions=lambda *_: (NULL, "b"))
    table = conversions.posg_to_aec(conversions.posg_to_tabular(game).target).target
    profile = gt.uniform_policies(game)
    rules = conversions.posg_to_aec(game).target
    assert (
        gt.expected_returns(table, profile).tolist() == gt.expected_returns(rules, profile).tolist()
    )


def test_plays_that_branch_without_end_are_refused():
    answers = {"is_terminal": lambda _: False, "transition": lambda *_: uniform((0, 1))}
    endless = changed(RandomPOSG(1), **answers)
    with pytest.raises(gt.UnsupportedGame, match="or play does not end. Give a shorter horizon"):
        gt.expected_returns(endless, seeded_policies(endless, seed=0), max_plays=5_000)


@pytest.mark.parametrize("has", [(), ("root",), ("expand",), ("root", "expand")])
def test_rules_of_trees_have_a_root_and_a_way_on(has):
    assert is_tree_rules(SimpleNamespace(**dict.fromkeys(has))) == (len(has) == 2)
