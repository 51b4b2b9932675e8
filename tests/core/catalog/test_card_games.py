"""Games from rules: sizes, properties, values, and equilibria known from the literature."""

from fractions import Fraction

import pytest

import gametheory_core as gt
from gametheory_core import games
from gametheory_core.catalog import load
from gametheory_core.strategies import sequence_form
from solvers import sequence_form_lp

# nodes, ends of play, information sets and sequences of each player, as docs/catalog.md says
SIZES = {
    "kuhn_poker": (55, 30, [6, 6], [13, 13]),
    "kuhn_poker:cards=4": (109, 60, [8, 8], [17, 17]),
    "kuhn_poker:cards=12": (1189, 660, [24, 24], [49, 49]),
    "kuhn_poker:cards=4,players=3": (601, 312, [16] * 3, [33] * 3),  # as in Szafron et al. 2013
    "leduc_poker": (9457, 5520, [468, 468], [1093, 1093]),
    "leduc_poker_by_ranks": (1939, 1116, [144, 144], [337, 337]),
    "liars_dice": (8181, 4080, [512, 512], [1021, 1021]),
    "liars_dice:sides=2,dice=2": (8191, 4080, [384, 384], [766, 766]),
    "goofspiel": (1077, 576, [81, 81], [175, 175]),
    "goofspiel_points": (1077, 576, [81, 81], [175, 175]),
    "goofspiel_random_prizes": (418, 216, [57, 57], [118, 118]),
    "oshi_zumo": (203, 62, [60, 60], [82, 82]),
    "oshi_zumo:coins=5,size=2": (861, 256, [256, 256], [350, 350]),
    "phantom_tic_tac_toe": (153, 96, [17, 5], [41, 17]),
}


@pytest.mark.parametrize(("name", "sizes"), SIZES.items(), ids=list(SIZES))
def test_size(name, sizes):
    game = load(name)
    players = range(game.num_players)
    own = [len(games.player_infosets(game, player)) for player in players]
    sequences = [form.num_sequences for form in sequence_form(game).players]
    assert (game.num_nodes, len(game.terminals), own, sequences) == sizes


DIGESTS = {
    "kuhn_poker": "d4f2ea8e1974bba1",
    "kuhn_poker:cards=4": "8872c4d9889f1e93",
    "leduc_poker": "4d978f90c31cb1ad",
    "leduc_poker:ranks=2,suits=5,raises=0": "befca87e463ecf45",
    "leduc_poker:ranks=4,suits=2,raises=1": "5ea691604e38986a",
    "liars_dice": "31da45a857970872",
    "liars_dice:sides=2": "92388afc3dd26028",
    "goofspiel": "3477ddd0e0550609",
    "goofspiel:cards=3": "7a3e689961770ce4",
}


@pytest.mark.parametrize(("name", "start"), DIGESTS.items(), ids=list(DIGESTS))
def test_games_stay_what_stored_certificates_refer_to(name, start):
    """Labels and their order are part of a game: a digest that changes is another game."""
    assert load(name).digest.startswith(start)


VALUES = {
    "kuhn_poker:cards=2": 0,
    "leduc_poker_by_ranks": "-1454920850547486749701863871533/16995463438839962469905132501930",
    "liars_dice:sides=2,dice=2": "7/8",
    "goofspiel_points:cards=3": 0,
    "goofspiel_random_prizes": 0,
    "oshi_zumo": 0,
    "phantom_tic_tac_toe": 1,
    "phantom_tic_tac_toe:rows=1,columns=4,in_a_row=2": 1,
}


@pytest.mark.parametrize(("name", "value"), VALUES.items(), ids=list(VALUES))
def test_value(name, value):
    assert sequence_form_lp(load(name)).certificate.game_value == Fraction(value)


@pytest.mark.parametrize(
    "name", [*SIZES, "leduc_poker:ranks=2,suits=3,raises=1", "leduc_poker:ranks=2,suits=5,raises=0"]
)
def test_game_is_zero_sum_with_hidden_information_and_recall(name):
    game = load(name)
    assert games.is_zero_sum(game)
    assert games.has_perfect_recall(game)
    assert not games.has_perfect_information(game)
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
    return gt.BehavioralProfile(tuple([1 - p, p] for p in second))


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 6), Fraction(1, 3)])
def test_kuhn_poker_has_kuhns_equilibria(alpha):
    game = load("kuhn_poker")
    profile = kuhn_profile(game, alpha)
    assert gt.certify_nash(game, profile).epsilon == 0
    assert gt.certify_minimax(game, profile).game_value == Fraction(-1, 18)


def test_kuhns_family_needs_the_factor_three():
    """Betting kings less than three times as often as jacks can be exploited."""
    game = load("kuhn_poker")
    profile = list(kuhn_profile(game, Fraction(1, 6)).probabilities)
    labels = [(s.player, s.label) for s in game.infosets[: game.num_decision_infosets]]
    profile[labels.index((0, "K"))] = [Fraction(3, 4), Fraction(1, 4)]
    assert gt.certify_nash(game, gt.BehavioralProfile(tuple(profile))).epsilon > 0


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_goofspiel_treats_players_alike(cards):
    """Uniform play is worth 0, and deviating from it gains both players the same."""
    game = load(f"goofspiel:cards={cards}")
    profile = gt.uniform_behavior(game)
    assert gt.expected_payoffs(game, profile).tolist() == [0, 0]
    first, second = gt.certify_nash(game, profile).deviation_gains
    assert first == second
    labels = [
        [game.infosets[s].label for s in games.player_infosets(game, player)] for player in range(2)
    ]
    assert sorted(labels[0]) == sorted(labels[1])


def test_goofspiel_of_two_cards_is_won_by_the_high_card():
    """Two points outweigh one, so that bidding the high card first is the equilibrium."""
    game = load("goofspiel:cards=2")
    high = gt.BehavioralProfile(([Fraction(0), Fraction(1)], [Fraction(0), Fraction(1)]))
    low = gt.BehavioralProfile(([Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]))
    assert gt.certify_nash(game, high).epsilon == 0
    assert gt.expected_payoffs(game, low).tolist() == [-1, 1]


@pytest.mark.parametrize(
    ("board", "in_a_row"), [("", 2), (":rows=3", 2), (":rows=1,columns=3", 1), (":in_a_row=1", 1)]
)
def test_phantom_tic_tac_toe_needs_a_row_as_long_as_the_shorter_side(board, in_a_row):
    assert load(f"phantom_tic_tac_toe{board}").title.endswith(f", {in_a_row} in a row")


def test_usual_phantom_tic_tac_toe_is_refused_with_its_size():
    complaint = r"'Phantom tic-tac-toe, 3 x 3, 3 in a row' has at least [\d,]{10} nodes"
    with pytest.raises(gt.UnsupportedGame, match=complaint):
        load("phantom_tic_tac_toe:rows=3,columns=3")


def test_goofspiel_of_one_card_is_over_at_once():
    assert load("goofspiel:cards=1").num_nodes == 1


def test_one_sided_dice_make_every_claim_true():
    """Whoever calls loses. Uniform: 1/2 by bidding 2x1 at once, then -1/4 if topped, 1/4 if not."""
    game = load("liars_dice:sides=1")
    half = Fraction(1, 2)
    assert gt.expected_payoffs(game, gt.uniform_behavior(game)).tolist() == [half, -half]
