"""Conversions of rules do what they claim, and those that claim too much are caught."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import load_game
from gametheory_core.conversions.aec_extensive import aec_to_extensive
from gametheory_core.conversions.aec_posg import aec_to_posg
from gametheory_core.conversions.conversion import Conversion, Identity, Preserved
from gametheory_core.conversions.dispatch import add_dispatch
from gametheory_core.conversions.extensive_normal import extensive_to_normal
from gametheory_core.conversions.from_tables import aec_from_tables
from gametheory_core.conversions.posg_aec import posg_to_aec
from gametheory_core.conversions.posg_aec_factored import posg_to_aec_factored
from gametheory_core.conversions.posg_extensive import posg_to_extensive
from gametheory_core.conversions.static_games import (
    extensive_to_aec,
    normal_to_extensive,
    normal_to_posg,
    posg_to_normal,
)
from gametheory_core.conversions.tabular import aec_to_tabular, posg_to_tabular
from gametheory_core.distributions import Distribution, point_mass, push_forward
from gametheory_core.errors import LawBroken, UnsupportedGame
from gametheory_core.games.listings import list_posg
from gametheory_core.games.rules import IDLE, NULL, stop_aec, stop_posg
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies.policies import policy_from
from gametheory_core.testing.generators import extensive_form_games, normal_form_games
from gametheory_core.testing.laws import check_conversion
from gametheory_core.testing.rule_generators import aecs, posgs
from tests.laws.changed_rules import Changed
from tests.sample_sizes import examples

SEEDS = st.integers(0, 2**16)
FEW = examples(8)
EVERYTHING = frozenset(Preserved)


def obeys(conversion, seed, num_profiles=1):
    check_conversion(conversion, rng=np.random.default_rng(seed), num_profiles=num_profiles)


POSG_WAYS = {
    "AEC": posg_to_aec,
    "AEC tables": lambda game: posg_to_aec(posg_to_tabular(game).target),
    "tables": posg_to_tabular,
    "tree": posg_to_extensive,
    "AEC and back": lambda game: posg_to_aec(game).then(aec_to_posg(posg_to_aec(game).target)),
}
AEC_WAYS = {
    "POSG": aec_to_posg,
    "POSG of tables": lambda game: aec_to_posg(aec_to_tabular(game).target),
    "tables": aec_to_tabular,
    "tree": aec_to_extensive,
}


@pytest.mark.parametrize("convert", POSG_WAYS.values(), ids=POSG_WAYS)
def test_posgs_keep_everything(convert):
    @FEW
    @given(posgs(), SEEDS)
    def keeps_everything(game, seed):
        conversion = convert(game)
        assert conversion.preserves == EVERYTHING
        obeys(conversion, seed)

    keeps_everything()


@pytest.mark.parametrize("convert", AEC_WAYS.values(), ids=AEC_WAYS)
def test_aec_games_keep_what_is_claimed(convert):
    @FEW
    @given(aecs(), SEEDS)
    def keeps_what_is_claimed(game, seed):
        conversion = convert(game)
        assert Preserved.OUTCOMES_TO_TARGET in conversion.preserves
        obeys(conversion, seed)

    keeps_what_is_claimed()


PERHAPS_OVER = list_posg(
    players=["Ann"],
    actions=[["a", "b"]],
    initial={"over": "1/2", "open": "1/2"},
    transitions={("open", (own,)): {"open": 1} for own in "ab"},
    rewards={("open", ("a",), "open"): (1,)},
    terminal=["over"],
    horizon=1,
)


@pytest.mark.parametrize("convert", POSG_WAYS.values(), ids=POSG_WAYS)
def test_posgs_that_stop_at_once_keep_everything(convert):
    obeys(convert(PERHAPS_OVER), 0)
    obeys(convert(replace(PERHAPS_OVER, horizon=0)), 0)


@pytest.mark.parametrize("convert", AEC_WAYS.values(), ids=AEC_WAYS)
def test_aec_games_that_stop_at_once_keep_everything(convert):
    obeys(convert(stop_aec(load_game("random_order_team"), moves=0)), 0)


@FEW
@given(posgs(factored=True), SEEDS)
def test_factored_posgs_keep_everything(game, seed):
    obeys(posg_to_aec_factored(game), seed)


@FEW
@given(extensive_form_games(max_moves=5), normal_form_games(max_actions=2), SEEDS)
def test_trees_and_matrices_keep_everything_as_rules(tree, table, seed):
    for conversion in (extensive_to_aec(tree), normal_to_posg(table), normal_to_extensive(table)):
        assert conversion.preserves == EVERYTHING
        obeys(conversion, seed)


@FEW
@given(posgs(num_players=(1, 2), max_horizon=1), SEEDS)
def test_posgs_keep_everything_as_matrices(game, seed):
    obeys(posg_to_normal(game), seed)
    tree = posg_to_extensive(game)
    obeys(tree.then(extensive_to_normal(tree.target)), seed)


def test_dispatch_steps_keep_everything():
    obeys(add_dispatch(load_game("random_order_team")), 0, num_profiles=3)


# Planted claims that are false

DILEMMA = load_game("repeated_prisoners_dilemma:rounds=1")
TEAM = load_game("random_order_team")


def mirrored(profile):
    """Let the first player do the other thing."""
    other = {"cooperate": "defect", "defect": "cooperate"}
    first, *rest = profile
    return (policy_from(lambda seen: push_forward(first[seen], other.__getitem__)), *rest)


class Ways:
    """A correspondence with its directions given one by one; those not given change nothing."""

    def __init__(self, to_target=None, to_source=None, outcome_to_source=None):
        self.to_target = to_target or Identity().to_target
        self.to_source = to_source or Identity().to_source
        self.outcome_to_source = outcome_to_source or Identity().outcome_to_source


def breaks(conversion, claim):
    with pytest.raises(LawBroken, match=claim.value):
        obeys(conversion, 0, num_profiles=10)


def swindle(ways, claim, *, target=DILEMMA):
    return Conversion(DILEMMA, target, ways, frozenset({claim}))


TO_TARGET = (Preserved.PAYOFFS_TO_TARGET, Preserved.OUTCOMES_TO_TARGET)
TO_SOURCE = (Preserved.PAYOFFS_TO_SOURCE, Preserved.OUTCOMES_TO_SOURCE)
BOTH_WAYS = (Preserved.BEST_RESPONSES, Preserved.NASH)


def test_the_honest_correspondence_of_a_game_with_itself_passes():
    assert DILEMMA.legal_actions(0, NULL) == ("cooperate", "defect")
    obeys(Conversion(DILEMMA, DILEMMA, Ways(), EVERYTHING), 0, num_profiles=10)


@pytest.mark.parametrize("claim", [*TO_TARGET, *BOTH_WAYS])
def test_a_wrong_way_to_the_target_is_caught(claim):
    breaks(swindle(Ways(to_target=mirrored), claim), claim)


@pytest.mark.parametrize("claim", [*TO_SOURCE, *BOTH_WAYS])
def test_a_wrong_way_to_the_source_is_caught(claim):
    breaks(swindle(Ways(to_source=mirrored), claim), claim)


@pytest.mark.parametrize("claim", TO_SOURCE)
def test_a_wrong_way_to_the_target_breaks_no_claim_about_the_other(claim):
    obeys(swindle(Ways(to_target=mirrored), claim), 0)


@pytest.mark.parametrize("claim", TO_TARGET)
def test_a_wrong_way_to_the_source_breaks_no_claim_about_the_other(claim):
    obeys(swindle(Ways(to_source=mirrored), claim), 0)


def test_a_wrong_conversion_that_claims_nothing_passes():
    obeys(Conversion(DILEMMA, DILEMMA, Ways(mirrored, mirrored), frozenset()), 0)


def unpaid(play):
    """Forget what was paid."""
    nothing = tuple(step._replace(rewards=(0, 0)) for step in play.steps)
    return point_mass(play._replace(steps=nothing))


@pytest.mark.parametrize("claim", [Preserved.OUTCOMES_TO_TARGET, Preserved.OUTCOMES_TO_SOURCE])
def test_a_wrong_way_of_plays_is_caught(claim):
    breaks(swindle(Ways(outcome_to_source=unpaid), claim), claim)


def test_a_wrong_way_of_plays_breaks_no_claim_about_payoffs_or_equilibria():
    honest = EVERYTHING - {Preserved.OUTCOMES_TO_TARGET, Preserved.OUTCOMES_TO_SOURCE}
    obeys(Conversion(DILEMMA, DILEMMA, Ways(outcome_to_source=unpaid), honest), 0)


def richer(state, joint, after):
    """Pay more for cooperating together, so that it becomes an equilibrium."""
    more = 20 * (joint == ("cooperate", "cooperate"))
    return tuple(reward + more for reward in DILEMMA.reward(state, joint, after))


@pytest.mark.parametrize("claim", list(Preserved))
def test_another_game_is_caught(claim):
    breaks(swindle(Ways(), claim, target=Changed(DILEMMA, reward=richer)), claim)


def test_equilibria_are_compared_at_pure_profiles():
    wrong = swindle(Ways(to_target=mirrored), Preserved.NASH)
    with pytest.raises(LawBroken, match=Preserved.NASH.value):
        obeys(wrong, 0, num_profiles=0)


def test_equilibria_are_compared_where_all_is_equally_likely():
    pennies = load_game("repeated_matching_pennies:rounds=1")

    def dearer(state, joint, after):
        """Pay more for two heads: no game has a pure equilibrium, and the mixed ones differ."""
        paid = pennies.reward(state, joint, after)
        return tuple(r * 3 for r in paid) if joint == ("heads", "heads") else paid

    assert pennies.legal_actions(0, NULL) == ("heads", "tails")
    target = Changed(pennies, reward=dearer)
    with pytest.raises(LawBroken, match=Preserved.NASH.value):
        obeys(Conversion(pennies, target, Ways(), frozenset({Preserved.NASH})), 0, num_profiles=0)


CLOCKS = (*TO_SOURCE, *BOTH_WAYS)


@pytest.mark.parametrize("claim", CLOCKS)
def test_a_posg_with_a_clock_that_claims_equivalence_is_caught(claim):
    breaks(replace(aec_to_posg(TEAM), preserves=frozenset({claim})), claim)


@pytest.mark.parametrize("claim", CLOCKS)
def test_a_posg_with_a_clock_is_caught_even_if_its_policies_are_carried(claim):
    def at_first(profile):
        return tuple(policy_from(lambda seen, own=own: own[IDLE, IDLE, *seen]) for own in profile)

    honest = aec_to_posg(TEAM)
    ways = Ways(honest.correspondence.to_target, at_first, honest.correspondence.outcome_to_source)
    breaks(Conversion(TEAM, honest.target, ways, frozenset({claim})), claim)


def test_the_simulation_of_a_game_whose_clock_leaks_passes():
    obeys(aec_to_posg(TEAM), 0, num_profiles=5)


@pytest.mark.parametrize("claim", [*TO_TARGET, *TO_SOURCE])
def test_discounting_by_moves_instead_of_cycles_is_caught(claim):
    game = load_game("steady_pay")
    honest = posg_to_aec(game)
    wrong = Changed(honest.target, discount=game.discount / 3)
    assert game.discount != 0
    claims = frozenset({claim})
    conversion = Conversion(game, wrong, honest.correspondence, claims)
    if claim in (Preserved.PAYOFFS_TO_TARGET, Preserved.PAYOFFS_TO_SOURCE):
        breaks(conversion, claim)
    else:
        obeys(conversion, 0)  # plays show rewards as paid, before the discount


def test_a_second_mover_who_sees_the_first_is_caught():
    game = load_game("repeated_matching_pennies:rounds=1")
    honest = posg_to_aec(game)

    def peeking(player, state):
        return point_mass(state[2][0]) if player == 1 else honest.target.observation(player, state)

    spied = Changed(honest.target, observation=peeking, legal_actions=lambda *_: ("heads", "tails"))

    def blind(profile):
        return (profile[0], policy_from(lambda seen: profile[1][NULL,]))

    ways = Ways(blind, blind, honest.correspondence.outcome_to_source)
    for claim in BOTH_WAYS:
        breaks(Conversion(game, spied, ways, frozenset({claim})), claim)


def test_an_image_that_is_no_profile_is_caught():
    nothing = Ways(to_target=lambda _: ({}, {}))
    with pytest.raises(LawBroken, match=r"the image does not fit: policy of .* has none"):
        obeys(swindle(nothing, Preserved.PAYOFFS_TO_TARGET), 0)


def test_the_witness_names_the_play_and_both_probabilities():
    with pytest.raises(LawBroken, match=r"the source ends in PosgPlay\(.*with probability .* and "):
        obeys(swindle(Ways(to_target=mirrored), Preserved.OUTCOMES_TO_TARGET), 0)


# Games without end

ENDLESS = list_posg(
    players=["Ann"],
    actions=[["stay", "go"]],
    initial={"home": 1},
    transitions={
        ("home", ("stay",)): {"home": 1},
        ("home", ("go",)): {"home": "1/2", "away": "1/2"},
    },
    rewards={("home", ("go",), "away"): (1,)},
    terminal=["away"],
)


@pytest.mark.parametrize(
    ("convert", "stop"),
    [
        (lambda: posg_to_aec(ENDLESS), r"stop_posg\(game, steps=...\)"),
        (lambda: posg_to_tabular(ENDLESS), r"stop_posg\(game, steps=...\)"),
        (
            lambda: aec_to_posg(posg_to_aec(ENDLESS).target),
            r"stop_aec\(game, moves=...\)",
        ),
    ],
    ids=["POSG", "POSG tables", "AEC"],
)
def test_games_without_end_are_refused_with_the_state_that_comes_back(convert, stop):
    message = rf"no horizon and can come back to state .*before converting it: {stop}"
    with pytest.raises(UnsupportedGame, match=message):
        obeys(convert(), 0)


def test_games_stopped_before_converting_are_checked():
    short = stop_posg(ENDLESS, steps=2)
    obeys(posg_to_aec(short), 0)
    obeys(aec_to_posg(stop_aec(posg_to_aec(short).target, moves=4)), 0)


def test_games_that_end_by_themselves_need_no_horizon_even_if_states_recur():
    passed_on = aec_from_tables(
        players=["Ann", "Bob"],
        actions=[["pass"], ["pass"]],
        initial_state="table",
        chances={"table": {"table": 1}},
        moves={(0, "table", "pass"): "table", (1, "table", "pass"): "over"},
        turns={
            ("table", CHANCE, NULL, "table"): {0: 1},
            ("table", 0, "pass", "table"): {1: 1},
        },
        terminal=["over"],
    )
    assert passed_on.horizon is None
    obeys(aec_to_posg(passed_on), 0)
    assert isinstance(passed_on.chance("table"), Distribution)
