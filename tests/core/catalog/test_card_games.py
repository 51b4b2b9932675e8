"""Card and dice games from rules: sizes, properties, and equilibria known from the literature."""

from fractions import Fraction

import pytest

from gametheory_core.catalog.index import load
from gametheory_core.certificates.minimax import certify_minimax
from gametheory_core.certificates.nash import certify_nash
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.extensive_form import player_infosets
from gametheory_core.games.properties import (
    has_perfect_information,
    has_perfect_recall,
    is_zero_sum,
)
from gametheory_core.strategies.behavioral import BehavioralProfile, uniform_behavior

# nodes, ends of play, information sets of each player; the last three as counted in OpenSpiel 1.6
SIZES = {
    "kuhn_poker": (55, 30, 6),
    "kuhn_poker:cards=4": (109, 60, 8),
    "leduc_poker": (9457, 5520, 468),
    "liars_dice": (8181, 4080, 512),
    "goofspiel": (1077, 576, 81),
}


@pytest.mark.parametrize(("name", "sizes"), SIZES.items(), ids=list(SIZES))
def test_size(name, sizes):
    game = load(name)
    own = {len(player_infosets(game, player)) for player in range(2)}
    assert (game.num_nodes, len(game.terminals), *own) == sizes


@pytest.mark.parametrize(
    "name", [*SIZES, "leduc_poker:ranks=2,suits=3,raises=1", "leduc_poker:ranks=2,suits=5,raises=0"]
)
def test_game_is_zero_sum_with_hidden_information_and_recall(name):
    game = load(name)
    assert is_zero_sum(game)
    assert has_perfect_recall(game)
    assert not has_perfect_information(game)
    labels = [(s.player, s.label) for s in game.infosets[: game.num_decision_infosets]]
    assert all(label for _, label in labels)
    assert len(set(labels)) == len(labels)


def kuhn_profile(game, alpha):
    """Kuhn 1950: probabilities of the second action (bet or call) by information set label."""
    third = Fraction(1, 3)
    bets = {
        (0, "J"): alpha,
        (0, "Q"): 0,
        (0, "K"): 3 * alpha,
        (0, "J, check, bet"): 0,
        (0, "Q, check, bet"): alpha + third,
        (0, "K, check, bet"): 1,
        (1, "J, check"): third,
        (1, "Q, check"): 0,
        (1, "K, check"): 1,
        (1, "J, bet"): 0,
        (1, "Q, bet"): third,
        (1, "K, bet"): 1,
    }
    infosets = game.infosets[: game.num_decision_infosets]
    assert {(s.player, s.label) for s in infosets} == set(bets)
    second = [Fraction(bets[s.player, s.label]) for s in infosets]
    return BehavioralProfile(tuple([1 - p, p] for p in second))


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 6), Fraction(1, 3)])
def test_kuhn_poker_has_kuhns_equilibria(alpha):
    game = load("kuhn_poker")
    profile = kuhn_profile(game, alpha)
    assert certify_nash(game, profile).epsilon == 0
    assert certify_minimax(game, profile).game_value == Fraction(-1, 18)


def test_kuhns_family_needs_the_factor_three():
    """Betting kings less than three times as often as jacks can be exploited."""
    game = load("kuhn_poker")
    profile = list(kuhn_profile(game, Fraction(1, 6)).probabilities)
    labels = [(s.player, s.label) for s in game.infosets[: game.num_decision_infosets]]
    profile[labels.index((0, "K"))] = [Fraction(3, 4), Fraction(1, 4)]
    assert certify_nash(game, BehavioralProfile(tuple(profile))).epsilon > 0


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_goofspiel_treats_players_alike(cards):
    """Uniform play is worth 0, and deviating from it gains both players the same."""
    game = load(f"goofspiel:cards={cards}")
    profile = uniform_behavior(game)
    assert expected_payoffs(game, profile).tolist() == [0, 0]
    first, second = certify_nash(game, profile).deviation_gains
    assert first == second
    labels = [
        [game.infosets[s].label for s in player_infosets(game, player)] for player in range(2)
    ]
    assert sorted(labels[0]) == sorted(labels[1])


def test_goofspiel_of_two_cards_is_won_by_the_high_card():
    """Two points outweigh one, so that bidding the high card first is the equilibrium."""
    game = load("goofspiel:cards=2")
    high = BehavioralProfile(([Fraction(0), Fraction(1)], [Fraction(0), Fraction(1)]))
    low = BehavioralProfile(([Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]))
    assert certify_nash(game, high).epsilon == 0
    assert expected_payoffs(game, low).tolist() == [-1, 1]


def test_goofspiel_of_one_card_is_over_at_once():
    assert load("goofspiel:cards=1").num_nodes == 1


def test_one_sided_dice_make_every_claim_true():
    """Whoever calls loses. Uniform: 1/2 by bidding 2x1 at once, then -1/4 if topped, 1/4 if not."""
    game = load("liars_dice:sides=1")
    half = Fraction(1, 2)
    assert expected_payoffs(game, uniform_behavior(game)).tolist() == [half, -half]
