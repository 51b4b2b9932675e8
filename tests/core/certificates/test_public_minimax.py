"""Certificates over ranges: those of the tree, where a game has one; forgeries fail."""

import pickle
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import (
    CertificateRejected,
    InvalidArgument,
    InvalidStrategy,
    UnsupportedGame,
    certify_minimax,
)
from gametheory_core.catalog import (
    kuhn_poker_ranges,
    leduc_poker_by_ranks_ranges,
    leduc_poker_ranges,
    liars_dice_ranges,
)
from gametheory_core.certificates.public_minimax import certify_public_minimax
from gametheory_core.conversions.public_extensive import plans_to_profile, public_to_extensive
from gametheory_core.evaluation import public_payoffs
from gametheory_core.games import (
    Deal,
    Paid,
    PublicDraw,
    PublicMove,
    Showdown,
    public_layout,
    public_state_game,
)
from gametheory_core.strategies import PublicProfile, public_plans
from tests.public_games import Listed, random_plans, random_public_game
from tests.sample_sizes import examples

NAMED = (
    kuhn_poker_ranges(cards=3),
    kuhn_poker_ranges(cards=7),
    leduc_poker_ranges(),
    leduc_poker_by_ranks_ranges(ranks=2, suits=3, raises=1),
    leduc_poker_ranges(ranks=4, suits=1, raises=1),
    liars_dice_ranges(sides=3),
    liars_dice_ranges(sides=2, dice=2),
)


def assert_is_the_tree_s(game, plans):
    tree = public_to_extensive(game)
    found = certify_public_minimax(game, plans)
    wanted = certify_minimax(tree, plans_to_profile(game, tree, plans))
    assert (found.lower, found.upper) == (wanted.lower, wanted.upper)
    assert found.payoffs == wanted.payoffs
    found.verify()


@pytest.mark.parametrize("game", NAMED, ids=repr)
def test_bounds_are_exactly_those_of_the_tree(game):
    assert_is_the_tree_s(game, random_plans(game, 1))


def test_hands_of_two_cards_that_block_each_other_are_a_term_a_card():
    """As in hold'em, with a deck of six and one public card: pairs without a common card."""
    cards = range(6)
    hands = list(combinations(cards, 2))
    holds = np.array([[card in hand for hand in hands] for card in cards], dtype=int)
    first = np.concatenate([np.ones((1, len(hands)), dtype=int), -holds])
    second = np.concatenate([np.ones((1, len(hands)), dtype=int), holds])
    same = np.ones(len(hands), dtype=int)
    deal = Deal(2 * first, second, 2 * same)  # two cards are left for the table
    disjoint = [[2 * (not set(one) & set(other)) for other in hands] for one in hands]
    assert deal.rows(0, len(hands)).tolist() == disjoint
    nodes, draws = {}, {}
    for card in cards:
        away = 1 - holds[card]
        strengths = tuple((sum(hand) * (card + 1)) % 7 for hand in hands)
        draws[f"{card}"] = Deal(first * away, second * away, same * away), f"{card}"
        nodes[f"{card}"] = PublicMove(0, {"bet": f"{card}b", "check": f"{card}k"})
        nodes[f"{card}b"] = PublicMove(1, {"call": f"{card}c", "fold": f"{card}f"})
        nodes[f"{card}k"] = Showdown((strengths, strengths), 1, 0, -1)
        nodes[f"{card}c"] = Showdown((strengths, strengths), 3, 0, -3)
        nodes[f"{card}f"] = Paid(1)
    nodes[""] = PublicDraw(draws)
    names = tuple(map(str, hands))
    game = public_state_game(Listed(deal, nodes, (names, names), root=""))
    assert game.num_nodes == 1 + 90 + 90 * 2 * 5
    assert_is_the_tree_s(game, random_plans(game, 2))


@examples(40)
@given(seed=st.integers(0, 10**6))
def test_bounds_are_exactly_those_of_the_tree_on_drawn_games(seed):
    game = random_public_game(seed)
    assert_is_the_tree_s(game, random_plans(game, seed))


@pytest.mark.parametrize("seed", range(6))
def test_bounds_do_not_depend_on_the_integers_or_on_blocks(seed, monkeypatch):
    game, whole = random_public_game(seed), 2**40
    small = random_plans(game, seed, whole=whole)
    wanted = certify_public_minimax(game, small)
    first, second = (plan.astype(object) * 3**40 for plan in small.plans)
    large = PublicProfile((first, second))  # which no machine integer holds
    assert public_payoffs.size_bound(game, whole * 3**40) > 2**63
    monkeypatch.setattr(public_payoffs, "BLOCK_ENTRIES", 3)
    monkeypatch.setattr(public_plans, "BLOCK_ENTRIES", 3)
    found = certify_public_minimax(game, large)
    assert (found.lower, found.upper) == (wanted.lower, wanted.upper)


@pytest.mark.parametrize("seed", range(20))
def test_no_sum_of_payoffs_exceeds_its_bound(seed):
    game = random_public_game(seed)
    layout, plans = public_layout(game), random_plans(game, seed).plans
    bound = public_payoffs.size_bound(game, 10**6)
    for player in (0, 1):
        paid = public_payoffs.sequence_payoffs(game, layout, plans[1 - player], player=player)
        best = public_payoffs.best_response_total(game, layout, paid, player=player)
        assert np.abs(paid).max() <= bound
        assert abs(best) <= bound


@pytest.mark.parametrize("name", ["lower", "upper"])
@pytest.mark.parametrize("change", [Fraction(1, 10**30), Fraction(-1, 7)])
def test_forged_bounds_are_rejected(name, change):
    game = kuhn_poker_ranges(cards=4)
    true = certify_public_minimax(game, random_plans(game, 3))
    forged = replace(true, **{name: getattr(true, name) + change})
    with pytest.raises(CertificateRejected, match=f"claims {name}"):
        forged.verify()
    with pytest.raises(CertificateRejected, match=f"a Fraction of Python integers as {name}"):
        replace(true, **{name: float(getattr(true, name))}).verify()


def test_a_forged_plan_is_rejected():
    game = kuhn_poker_ranges(cards=4)
    true = certify_public_minimax(game, random_plans(game, 3))
    plan = true.profile.plans[0].copy()
    plan[1] += 1
    with pytest.raises(CertificateRejected, match="actions that sum to what comes to them"):
        replace(true, profile=PublicProfile((plan, true.profile.plans[1]))).verify()


def test_what_a_game_and_its_deals_remember_is_not_believed():
    game = kuhn_poker_ranges(cards=4)
    true = certify_public_minimax(game, random_plans(game, 3))
    game.deals[0].__dict__["total"] *= 2
    forged = replace(true, lower=true.lower / 2, upper=true.upper / 2)
    with pytest.raises(CertificateRejected, match="claims lower"):
        forged.verify()
    game.__dict__["num_paths"] = ()
    true.verify()


def test_plans_that_wrap_around_are_refused():
    """Three actions sum to what comes, modulo 2**64."""
    nodes = {(): PublicMove(0, {"a": 1, "b": 2, "c": 3}), **{k: Paid(k) for k in (1, 2, 3)}}
    game = public_state_game(Listed(Deal([[1]], [[1]]), nodes, (("x",), ("y",))))
    nothing = np.array([6])
    fair = PublicProfile((np.array([6, 1, 2, 3]), nothing))
    assert certify_public_minimax(game, fair).lower == Fraction(14, 6)
    plan = np.array([6, 2**62 + 2**61, 2**63 - 1, 2**61 + 7])
    assert int(plan[1:].sum()) == plan[0]
    with pytest.raises(InvalidStrategy, match="sum to what comes"):
        certify_public_minimax(game, PublicProfile((plan, nothing)))
    small = np.array([100, 99, 99, 158], dtype=np.uint8)  # whose sum is 100 modulo 2**8
    with pytest.raises(InvalidStrategy, match="sum to what comes"):
        certify_public_minimax(game, PublicProfile((small, nothing)))


@pytest.mark.parametrize(
    "spoil", [lambda plan: plan[:-1], lambda plan: -plan, lambda plan: 0 * plan]
)
def test_what_is_no_plan_is_refused(spoil):
    game = kuhn_poker_ranges(cards=3)
    first, second = random_plans(game, 1).plans
    with pytest.raises(InvalidStrategy, match="a plan of 13 integers"):
        certify_public_minimax(game, PublicProfile((first, spoil(second))))


def test_other_arguments_are_refused():
    game = kuhn_poker_ranges(cards=3)
    plans = random_plans(game, 1)
    with pytest.raises(
        UnsupportedGame, match="a public-state game.*counterfactual_regret for trees"
    ):
        certify_public_minimax(public_to_extensive(game), plans)
    with pytest.raises(InvalidArgument, match="a PublicStateGame, but got 'game'"):
        certify_public_minimax("game", plans)
    with pytest.raises(InvalidArgument, match=r"Use PublicProfile\(plans\)"):
        certify_public_minimax(game, plans.plans)


def test_certificates_pickle_and_hold_what_cannot_be_changed():
    game = leduc_poker_ranges(ranks=2, suits=2, raises=1)
    certificate = certify_public_minimax(game, random_plans(game, 1))
    copied = pickle.loads(pickle.dumps(certificate))
    copied.verify()
    assert copied == certificate
    assert not copied.profile.plans[0].flags.writeable
    assert copied.epsilon == certificate.epsilon == certificate.upper - certificate.lower
    assert certificate.lower <= certificate.game_value <= certificate.upper
    assert certificate.answer is certificate.profile
    assert "lies between" in certificate.statement
