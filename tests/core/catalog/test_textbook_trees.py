"""Small trees: what the cited sources say of them, checked without a solver."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import BehavioralProfile, certify_nash, expected_payoffs, games, pure_behavior
from gametheory_core.catalog import load
from gametheory_core.certificates import certify_subgame_perfect


def behavior(game, choices):
    """Build a profile from {information set label: probability of its first action}."""
    infosets = game.infosets[: game.num_decision_infosets]
    assert {infoset.label for infoset in infosets} == set(choices)
    first = [Fraction(choices[infoset.label]) for infoset in infosets]
    return BehavioralProfile(tuple([p, 1 - p] for p in first))


def test_one_card_poker_has_myersons_equilibrium():
    """Myerson 1991, on his simple card game: raise 1/3 of the black cards, meet 2/3, value 1/3."""
    game = load("one_card_poker")
    assert games.is_zero_sum(game)
    assert games.has_perfect_recall(game)
    profile = behavior(game, {"red": 1, "black": "1/3", "raised": "2/3"})
    assert certify_nash(game, profile).epsilon == 0
    assert expected_payoffs(game, profile).tolist() == [Fraction(1, 3), Fraction(-1, 3)]
    always = behavior(game, {"red": 1, "black": 1, "raised": "2/3"})
    assert certify_nash(game, always).epsilon > 0


@pytest.mark.parametrize(
    ("choices", "is_equilibrium"),
    [
        ({"start": 0, "passed on": 0, "asked": 0}, True),  # C, c, R: the perfect kind
        ({"start": 0, "passed on": 0, "asked": "1/4"}, True),
        ({"start": 0, "passed on": 0, "asked": "1/3"}, False),
        ({"start": 1, "passed on": 0, "asked": 1}, True),  # D, c, L: destroyed by trembles
        ({"start": 1, "passed on": "1/2", "asked": 1}, True),
        ({"start": 1, "passed on": 1, "asked": 1}, False),
    ],
)
def test_selten_horse_has_two_kinds_of_equilibria(choices, is_equilibrium):
    """Selten 1975: C, c with L at most 1/4; D, L with d at most 2/3."""
    game = load("selten_horse")
    assert (certify_nash(game, behavior(game, choices)).epsilon == 0) == is_equilibrium


@pytest.mark.parametrize("meal", ["beer", "quiche"])
def test_beer_quiche_pools_on_either_meal(meal):
    """Cho and Kreps 1987: both types take one meal, and the other one would mean a duel."""
    game = load("beer_quiche")
    beer = int(meal == "beer")
    profile = behavior(game, {"strong": beer, "weak": beer, "beer": 1 - beer, "quiche": beer})
    assert certify_nash(game, profile).epsilon == 0
    separating = behavior(game, {"strong": 1, "weak": 0, "beer": 0, "quiche": 1})
    assert certify_nash(game, separating).epsilon > 0


def test_driver_is_absent_minded_and_best_goes_on_with_two_thirds():
    """Piccione and Rubinstein 1997: 4 p (1 - p) + p^2 is largest, 4/3, at p = 2/3."""
    game = load("absent_minded_driver")
    verdict = games.is_absent_minded(game)
    assert verdict
    assert verdict.witness == (0, 2)
    assert not games.has_perfect_recall(game)
    worth = [
        expected_payoffs(game, behavior(game, {"an exit": 1 - Fraction(k, 12)}))[0]
        for k in range(13)
    ]
    assert int(np.argmax(worth)) == 8
    assert worth[8] == Fraction(4, 3)


def test_forgotten_bit_is_worth_one_half_to_every_strategy():
    """Without memory no strategy names a fair bit more than half the time; with memory, always."""
    game = load("forgetful_bit")
    verdict = games.has_perfect_recall(game)
    assert not verdict
    assert "forgotten" in verdict.reason
    assert not games.is_absent_minded(game)
    assert game.num_decision_infosets == 3
    for guess in (0, 1):
        assert expected_payoffs(game, pure_behavior(game, (0, 0, guess)))[0] == Fraction(1, 2)
    wins_of_a_rememberer = sum(
        max(game.exact_terminal_payoffs[:, 0][2 * bit : 2 * bit + 2]) for bit in range(2)
    )
    assert Fraction(wins_of_a_rememberer, 2) == 1


@pytest.mark.parametrize("rounds", [1, 2, 5, 300])
def test_centipede_is_taken_at_once_though_passing_pays_both(rounds):
    game = load(f"centipede:rounds={rounds}")
    assert games.has_perfect_information(game)
    assert game.num_nodes == 2 * rounds + 1
    take = pure_behavior(game, [0] * rounds)
    certificate = certify_subgame_perfect(game, take)
    assert certificate.epsilon == 0
    assert expected_payoffs(game, take).tolist() == [2, 0]
    passing = expected_payoffs(game, pure_behavior(game, [1] * rounds))
    assert (passing[0] > 2 and passing[1] > 0) == (rounds > 1)


@pytest.mark.parametrize("name", ["one_card_poker", "selten_horse", "beer_quiche"])
def test_trees_with_hidden_moves_have_perfect_recall_only(name):
    game = load(name)
    assert not games.has_perfect_information(game)
    assert games.has_perfect_recall(game)
