"""Conversions of rules do what they claim, and those that claim too much are caught."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import conversions, testing
from gametheory_core.conversions.conversion import Identity
from gametheory_core.distributions import Distribution, point_mass, push_forward
from gametheory_core.errors import LawBroken
from gametheory_core.games import CHANCE, IDLE, NULL, list_posg, stop_aec, stop_posg
from tests.laws.changed_rules import Changed
from tests.laws.impossible_branch import IMPOSSIBLE
from tests.sample_sizes import examples

SEEDS = st.integers(0, 2**16)
FEW = examples(8)
EVERYTHING = frozenset(conversions.Preserved)


def obeys(conversion, seed, num_profiles=1):
    testing.check_conversion(conversion, rng=np.random.default_rng(seed), num_profiles=num_profiles)


POSG_WAYS = {
    "AEC": conversions.posg_to_aec,
    "AEC tables": lambda game: conversions.posg_to_aec(conversions.posg_to_tabular(game).target),
    "tables": conversions.posg_to_tabular,
    "tree": gt.posg_to_extensive,
    "AEC and back": lambda game: conversions.posg_to_aec(game).then(
        conversions.aec_to_posg(conversions.posg_to_aec(game).target)
    ),
}
AEC_WAYS = {
    "POSG": conversions.aec_to_posg,
    "POSG of tables": lambda game: conversions.aec_to_posg(conversions.aec_to_tabular(game).target),
    "tables": conversions.aec_to_tabular,
    "tree": gt.aec_to_extensive,
}


@pytest.mark.parametrize("convert", POSG_WAYS.values(), ids=POSG_WAYS)
def test_posgs_keep_everything(convert):
    @FEW
    @given(testing.posgs(), SEEDS)
    def keeps_everything(game, seed):
        conversion = convert(game)
        assert conversion.preserves == EVERYTHING
        obeys(conversion, seed)

    keeps_everything()


@pytest.mark.parametrize("convert", AEC_WAYS.values(), ids=AEC_WAYS)
def test_aec_games_keep_what_is_claimed(convert):
    @FEW
    @given(testing.aecs(), SEEDS)
    def keeps_what_is_claimed(game, seed):
        conversion = convert(game)
        assert conversions.Preserved.OUTCOMES_TO_TARGET in conversion.preserves
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
    obeys(convert(stop_aec(gt.load_game("random_order_team"), moves=0)), 0)


@FEW
@given(testing.posgs(factored=True), SEEDS)
def test_factored_posgs_keep_everything(game, seed):
    obeys(conversions.posg_to_aec_factored(game), seed)


@FEW
@example(IMPOSSIBLE, gt.load_game("chicken"), 0)
@given(testing.extensive_form_games(max_moves=5), testing.normal_form_games(max_actions=2), SEEDS)
def test_trees_and_matrices_keep_everything_as_rules(tree, table, seed):
    for conversion in (
        conversions.extensive_to_aec(tree),
        conversions.normal_to_posg(table),
        gt.normal_to_extensive(table),
    ):
        assert conversion.preserves == EVERYTHING
        obeys(conversion, seed)


@FEW
@given(testing.posgs(num_players=(1, 2), max_horizon=1), SEEDS)
def test_posgs_keep_everything_as_matrices(game, seed):
    obeys(conversions.posg_to_normal(game), seed)
    tree = gt.posg_to_extensive(game)
    obeys(tree.then(gt.extensive_to_normal(tree.target)), seed)


def test_dispatch_steps_keep_everything():
    obeys(conversions.add_dispatch(gt.load_game("random_order_team")), 0, num_profiles=3)


# Planted claims that are false

DILEMMA = gt.load_game("repeated_prisoners_dilemma:rounds=1")
TEAM = gt.load_game("random_order_team")


def mirrored(profile):
    """Let the first player do the other thing."""
    other = {"cooperate": "defect", "defect": "cooperate"}
    first, *rest = profile
    return (gt.policy_from(lambda seen: push_forward(first[seen], other.__getitem__)), *rest)


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
    return conversions.Conversion(DILEMMA, target, ways, frozenset({claim}))


TO_TARGET = (conversions.Preserved.PAYOFFS_TO_TARGET, conversions.Preserved.OUTCOMES_TO_TARGET)
TO_SOURCE = (conversions.Preserved.PAYOFFS_TO_SOURCE, conversions.Preserved.OUTCOMES_TO_SOURCE)
BOTH_WAYS = (conversions.Preserved.BEST_RESPONSES, conversions.Preserved.NASH)


def test_the_honest_correspondence_of_a_game_with_itself_passes():
    assert DILEMMA.legal_actions(0, NULL) == ("cooperate", "defect")
    obeys(conversions.Conversion(DILEMMA, DILEMMA, Ways(), EVERYTHING), 0, num_profiles=10)


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
    obeys(conversions.Conversion(DILEMMA, DILEMMA, Ways(mirrored, mirrored), frozenset()), 0)


def unpaid(play):
    """Forget what was paid."""
    nothing = tuple(step._replace(rewards=(0, 0)) for step in play.steps)
    return point_mass(play._replace(steps=nothing))


@pytest.mark.parametrize(
    "claim", [conversions.Preserved.OUTCOMES_TO_TARGET, conversions.Preserved.OUTCOMES_TO_SOURCE]
)
def test_a_wrong_way_of_plays_is_caught(claim):
    breaks(swindle(Ways(outcome_to_source=unpaid), claim), claim)


def test_a_wrong_way_of_plays_breaks_no_claim_about_payoffs_or_equilibria():
    honest = EVERYTHING - {
        conversions.Preserved.OUTCOMES_TO_TARGET,
        conversions.Preserved.OUTCOMES_TO_SOURCE,
    }
    obeys(conversions.Conversion(DILEMMA, DILEMMA, Ways(outcome_to_source=unpaid), honest), 0)


def richer(state, joint, after):
    """Pay more for cooperating together, so that it becomes an equilibrium."""
    more = 20 * (joint == ("cooperate", "cooperate"))
    return tuple(reward + more for reward in DILEMMA.reward(state, joint, after))


@pytest.mark.parametrize("claim", list(conversions.Preserved))
def test_another_game_is_caught(claim):
    breaks(swindle(Ways(), claim, target=Changed(DILEMMA, reward=richer)), claim)


def test_equilibria_are_compared_at_pure_profiles():
    wrong = swindle(Ways(to_target=mirrored), conversions.Preserved.NASH)
    with pytest.raises(LawBroken, match=conversions.Preserved.NASH.value):
        obeys(wrong, 0, num_profiles=0)


def test_equilibria_are_compared_where_all_is_equally_likely():
    pennies = gt.load_game("repeated_matching_pennies:rounds=1")

    def dearer(state, joint, after):
        """Pay more for two heads: no game has a pure equilibrium, and the mixed ones differ."""
        paid = pennies.reward(state, joint, after)
        return tuple(r * 3 for r in paid) if joint == ("heads", "heads") else paid

    assert pennies.legal_actions(0, NULL) == ("heads", "tails")
    target = Changed(pennies, reward=dearer)
    with pytest.raises(LawBroken, match=conversions.Preserved.NASH.value):
        obeys(
            conversions.Conversion(
                pennies, target, Ways(), frozenset({conversions.Preserved.NASH})
            ),
            0,
            num_profiles=0,
        )


CLOCKS = (*TO_SOURCE, *BOTH_WAYS)


@pytest.mark.parametrize("claim", CLOCKS)
def test_a_posg_with_a_clock_that_claims_equivalence_is_caught(claim):
    breaks(replace(conversions.aec_to_posg(TEAM), preserves=frozenset({claim})), claim)


@pytest.mark.parametrize("claim", CLOCKS)
def test_a_posg_with_a_clock_is_caught_even_if_its_policies_are_carried(claim):
    def at_first(profile):
        return tuple(
            gt.policy_from(lambda seen, own=own: own[IDLE, IDLE, *seen]) for own in profile
        )

    honest = conversions.aec_to_posg(TEAM)
    ways = Ways(honest.correspondence.to_target, at_first, honest.correspondence.outcome_to_source)
    breaks(conversions.Conversion(TEAM, honest.target, ways, frozenset({claim})), claim)


def test_the_simulation_of_a_game_whose_clock_leaks_passes():
    obeys(conversions.aec_to_posg(TEAM), 0, num_profiles=5)


@pytest.mark.parametrize("claim", [*TO_TARGET, *TO_SOURCE])
def test_discounting_by_moves_instead_of_cycles_is_caught(claim):
    game = gt.load_game("steady_pay")
    honest = conversions.posg_to_aec(game)
    wrong = Changed(honest.target, discount=game.discount / 3)
    assert game.discount != 0
    claims = frozenset({claim})
    conversion = conversions.Conversion(game, wrong, honest.correspondence, claims)
    if claim in (conversions.Preserved.PAYOFFS_TO_TARGET, conversions.Preserved.PAYOFFS_TO_SOURCE):
        breaks(conversion, claim)
    else:
        obeys(conversion, 0)  # plays show rewards as paid, before the discount


def test_a_second_mover_who_sees_the_first_is_caught():
    game = gt.load_game("repeated_matching_pennies:rounds=1")
    honest = conversions.posg_to_aec(game)

    def peeking(player, state):
        return point_mass(state[2][0]) if player == 1 else honest.target.observation(player, state)

    spied = Changed(honest.target, observation=peeking, legal_actions=lambda *_: ("heads", "tails"))

    def blind(profile):
        return (profile[0], gt.policy_from(lambda seen: profile[1][NULL,]))

    ways = Ways(blind, blind, honest.correspondence.outcome_to_source)
    for claim in BOTH_WAYS:
        breaks(conversions.Conversion(game, spied, ways, frozenset({claim})), claim)


def test_an_image_that_is_no_profile_is_caught():
    nothing = Ways(to_target=lambda _: ({}, {}))
    with pytest.raises(LawBroken, match=r"the image does not fit: policy of .* has none"):
        obeys(swindle(nothing, conversions.Preserved.PAYOFFS_TO_TARGET), 0)


def test_the_witness_names_the_play_and_both_probabilities():
    with pytest.raises(LawBroken, match=r"the source ends in PosgPlay\(.*with probability .* and "):
        obeys(swindle(Ways(to_target=mirrored), conversions.Preserved.OUTCOMES_TO_TARGET), 0)


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
        (lambda: conversions.posg_to_aec(ENDLESS), r"stop_posg\(game, steps=...\)"),
        (lambda: conversions.posg_to_tabular(ENDLESS), r"stop_posg\(game, steps=...\)"),
        (
            lambda: conversions.aec_to_posg(conversions.posg_to_aec(ENDLESS).target),
            r"stop_aec\(game, moves=...\)",
        ),
    ],
    ids=["POSG", "POSG tables", "AEC"],
)
def test_games_without_end_are_refused_with_the_state_that_comes_back(convert, stop):
    message = rf"no horizon and can come back to state .*before converting it: {stop}"
    with pytest.raises(gt.UnsupportedGame, match=message):
        obeys(convert(), 0)


def test_games_stopped_before_converting_are_checked():
    short = stop_posg(ENDLESS, steps=2)
    obeys(conversions.posg_to_aec(short), 0)
    obeys(conversions.aec_to_posg(stop_aec(conversions.posg_to_aec(short).target, moves=4)), 0)


def test_games_that_end_by_themselves_need_no_horizon_even_if_states_recur():
    passed_on = conversions.aec_from_tables(
        players=["Ann", "Bob"],
        actions=[["pass"], ["pass"]],
        initial_state="table",
        chances={"table": {"table": 1}},
        moves={(0, "table", "pass"): "table", (1, "table", "pass"): "over"},
        turns={("table", CHANCE, NULL, "table"): {0: 1}, ("table", 0, "pass", "table"): {1: 1}},
        terminal=["over"],
    )
    assert passed_on.horizon is None
    obeys(conversions.aec_to_posg(passed_on), 0)
    assert isinstance(passed_on.chance("table"), Distribution)
