"""Bad input is refused in our own words: no error of Python or numpy comes out of the core."""

import importlib
import math
from fractions import Fraction

import pytest

import gametheory_core as gt
from gametheory_core import conversions
from gametheory_core.arguments import require_integer, require_number, shown
from gametheory_core.certificates import LinearObjective, certify_coarse_correlated
from gametheory_core.evaluation import external_regret, internal_regret, payoff_rows, swap_regret
from gametheory_core.evaluation.deviations import reply_correspondence
from gametheory_core.games.kinds import require_posg
from gametheory_core.strategies import correlated_payoffs, product_distribution, supports

GAME = gt.load_game("chicken")
TREE = gt.load_game("kuhn_poker")
BAYESIAN = gt.load_game("house_patrol")
SECURITY = gt.load_game("guarded_targets")
PLAY = product_distribution(gt.uniform_profile(GAME))
NO_RECORDS = (None, "x", 5, True, [[1, 2], [3, 4]], {}, object(), math.nan)
NO_PLAYERS = ("x", 1.0, -1, 2, True, None, [0])


def needing(library, room, name):
    """A function of a room that needs another library; where there is none, the test is skipped."""

    def call(*arguments, **options):
        pytest.importorskip(library)
        function = getattr(importlib.import_module(f"gametheory_core.{room}"), name)
        return function(*arguments, **options)

    return call


draw_payoffs = needing("matplotlib", "figures", "draw_payoffs")
draw_best_responses = needing("matplotlib", "figures", "draw_best_responses")
draw_simplex = needing("matplotlib", "figures", "draw_simplex")
best_response_graph = needing("networkx", "adapters", "best_response_graph")

# arguments that are right, and for each position or name what is wrong
CALLS = [
    (payoff_rows, (GAME,), {0: (*NO_RECORDS, TREE, BAYESIAN, SECURITY)}),
    (
        conversions.harsanyi_transform,
        (BAYESIAN,),
        {0: (*NO_RECORDS, TREE, GAME), "max_profiles": ("x", 1.5)},
    ),
    (
        conversions.security_to_bayesian,
        (SECURITY,),
        {0: (*NO_RECORDS, TREE), "max_coverages": ("x", 0)},
    ),
    (
        conversions.security_to_normal,
        (SECURITY,),
        {0: (*NO_RECORDS, TREE, GAME), "max_coverages": (None,)},
    ),
    (
        conversions.restrict_actions,
        (GAME, [(0, 1), (1,)]),
        {
            0: (*NO_RECORDS, TREE),
            1: (None, 5, "x", [5, 6], [(0,), ("a",)], [(0,), (True,)], [(0,)]),
        },
    ),
    (gt.uniform_profile, (GAME,), {0: (*NO_RECORDS, TREE, SECURITY)}),
    (
        gt.pure_profile,
        (GAME, (0, 1)),
        {0: (*NO_RECORDS, TREE), 1: (None, 5, "xy", (0,), ("a", 0), (0, 1.5), (0, 9), (True, 0))},
    ),
    (supports, (gt.uniform_profile(GAME),), {0: (*NO_RECORDS, GAME)}),
    (product_distribution, (gt.uniform_profile(GAME),), {0: (*NO_RECORDS, GAME)}),
    (correlated_payoffs, (GAME, PLAY), {0: (*NO_RECORDS, TREE), 1: (*NO_RECORDS, GAME)}),
    (
        gt.certify_nash,
        (GAME, gt.uniform_profile(GAME)),
        {0: (*NO_RECORDS, BAYESIAN), 1: NO_RECORDS},
    ),
    (
        gt.certify_minimax,
        (gt.load_game("matching_pennies"), gt.uniform_profile(GAME)),
        {0: (*NO_RECORDS, BAYESIAN, GAME), 1: NO_RECORDS},
    ),
    *(
        (
            certify,
            (GAME, PLAY),
            {
                0: (*NO_RECORDS, TREE),
                1: (*NO_RECORDS, gt.uniform_profile(GAME)),
                "objective": ("x", 5, True, LinearObjective((Fraction(1),))),
                "prices": (None, 5, "x", [1]),
                "floors": (None, 5, "x", [1]),
            },
        )
        for certify in (gt.certify_correlated, certify_coarse_correlated)
    ),
    (LinearObjective.welfare, (GAME,), {0: NO_RECORDS}),
    (
        LinearObjective.of_outcomes,
        (GAME, [[1, 0], [0, 1]]),
        {0: NO_RECORDS, 1: (None, 5, "x", [1], [[1, 2], [3, "a"]])},
    ),
    (draw_simplex, (), {0: (None, 5, [None], [[1, 2]]), "actions": (5, (1, 2, 3), "abcd")}),
    (draw_best_responses, (GAME,), {0: (*NO_RECORDS, TREE), "equilibria": (None, 5, [None], "x")}),
    (draw_payoffs, (GAME,), {0: (*NO_RECORDS, TREE), "player": NO_PLAYERS}),
    (
        best_response_graph,
        (GAME,),
        {0: (*NO_RECORDS, TREE), "replies": ("x", None, 5), "max_joint_actions": ("x", None, 1.5)},
    ),
    (
        gt.BayesianGame.from_payoffs,
        ([[[1]]], [[[1]]]),
        {0: (None, 5, {1: 2}), 1: (None, 5), "follower_actions": (5,), "prior": (None, 5, "x")},
    ),
]
REGRETS = (external_regret, internal_regret, swap_regret)
OF_PLAYER = (*((regret, (GAME, PLAY)) for regret in REGRETS), (reply_correspondence, (GAME,)))


def wrong_calls():
    for function, right, wrong in CALLS:
        for place, values in wrong.items():
            for value in values:
                arguments, options = list(right), {}
                if isinstance(place, str):
                    options[place] = value
                elif place < len(right):
                    arguments[place] = value
                else:
                    arguments.append(value)
                yield function, arguments, options
    for function, right in OF_PLAYER:
        for player in NO_PLAYERS:
            yield function, right, {"player": player}
        for game in (*NO_RECORDS, TREE, BAYESIAN):
            yield function, (game, *right[1:]), {"player": 0}
    for regret in REGRETS:
        for play in NO_RECORDS:
            yield regret, (GAME, play), {"player": 0}


@pytest.mark.parametrize(("function", "arguments", "options"), list(wrong_calls()))
def test_wrong_arguments_are_refused(function, arguments, options):
    if function is gt.BayesianGame.from_payoffs:
        options = {"prior": [1], **options}
    with pytest.raises(gt.GameTheoryError, match=r"\w: (needs|entry)|needs"):
        function(*arguments, **options)


@pytest.mark.parametrize(
    ("game", "remedy"),
    [
        (TREE, r"Use extensive_to_normal\(game\)\.target"),
        (BAYESIAN, r"Use harsanyi_transform\(game\)\.target"),
        (SECURITY, r"Use security_to_normal\(game\)"),
        (gt.load_game("tiger"), "Use posg_to_extensive"),
    ],
)
def test_other_kinds_of_games_are_refused_with_the_conversion(game, remedy):
    with pytest.raises(
        gt.UnsupportedGame, match=f"payoff_rows: needs a normal-form game.*{remedy}"
    ):
        payoff_rows(game)


def test_a_kind_of_game_that_a_room_registers_says_what_to_use_instead():
    game = gt.load_game("mediated_chicken")
    with pytest.raises(gt.UnsupportedGame, match=r"needs the rules of a POSG.*Use jam_value_iter"):
        require_posg(game)


@pytest.mark.parametrize("value", ["1", 1.0, True, None, 4, -1])
def test_integers_are_within_limits_and_no_booleans(value):
    with pytest.raises(
        gt.InvalidArgument, match="f: needs k to be an integer from 0 to 3, but got"
    ):
        require_integer(value, where="f", name="k", low=0, high=3)


@pytest.mark.parametrize("value", ["1", True, None, math.nan, math.inf, 0, 1j, 1.5])
def test_numbers_are_finite_and_within_limits(value):
    with pytest.raises(
        gt.InvalidArgument, match="f: needs a finite x at most 1 and above 0|above 0"
    ):
        require_number(value, where="f", name="x", above=0, high=1)


def test_long_values_are_cut_short():
    assert len(shown(list(range(1000)))) == 80
