"""Quasi-perfect and sequential equilibria: known games, strange ones, and what is refused."""

import re
from fractions import Fraction
from time import process_time

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.catalog import load, random_tree
from solvers import (
    Budget,
    backward_induction,
    quasi_perfect,
    sequence_form_lp,
    sequential_equilibrium,
)

NEVER = gt.from_sketch(
    gt.Chance(
        {
            "x": (0, gt.Decision(0, "never", {"a": gt.Terminal([1, -1])})),
            "y": (1, gt.Terminal([0, 0])),
        }
    ),
    players=("Ann", "Bob"),
)


@pytest.mark.parametrize(
    "name",
    [
        "guess_the_ace",
        "one_card_poker",
        "kuhn_poker",
        "kuhn_poker:cards=5",
        "liars_dice:sides=2",
        "goofspiel:cards=3",
        "leduc_poker:ranks=2,suits=2,raises=1",
    ],
)
def test_known_games_have_the_value_of_ordinary_solutions(name):
    game = load(name)
    solution = quasi_perfect(game)
    solution.certificate.verify()
    assert gt.certify_minimax(game, solution.profile).epsilon == 0
    assert solution.payoffs == sequence_form_lp(game).payoffs


@pytest.mark.parametrize("seed", range(4))
def test_random_trees_of_a_hundred_sequences(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng=rng, depth=9, max_actions=3, zero_sum=True)
    solution = quasi_perfect(tree)
    solution.certificate.verify()
    assert gt.certify_minimax(tree, solution.profile).epsilon == 0


def test_huge_prizes_for_rare_slips_are_not_chased():
    slip = gt.Decision(
        1, "Bob", {"careful": gt.Terminal([0, 0]), "slip": gt.Terminal([10**40, -(10**40)])}
    )
    tree = gt.from_sketch(
        gt.Decision(0, "Ann", {"sure": gt.Terminal(["1/3", "-1/3"]), "hope": slip}),
        players=("Ann", "Bob"),
    )
    solution = quasi_perfect(tree)
    solution.certificate.verify()
    assert solution.profile == gt.pure_behavior(tree, (0, 0))


def test_small_prizes_for_rare_slips_break_ties():
    """Ann is indifferent but for Bob's slips; tiny payoffs are as good as large ones."""
    tiny = Fraction(1, 10**30)
    slip = gt.Decision(
        1, "Bob", {"careful": gt.Terminal([0, 0]), "slip": gt.Terminal([tiny, -tiny])}
    )
    tree = gt.from_sketch(
        gt.Decision(0, "Ann", {"leave": gt.Terminal([0, 0]), "stay": slip}), players=("Ann", "Bob")
    )
    assert quasi_perfect(tree).profile == gt.pure_behavior(tree, (1, 0))


def test_constant_sums_inner_payoffs_and_idle_players():
    choice = gt.Decision(
        0, "Ann", {"a": gt.Terminal([1, 1]), "b": gt.Terminal([0, 2])}, payoffs=[3, 0]
    )
    only = gt.Decision(0, "only one way", {"on": choice}, payoffs=["1/3", "2/3"])
    tree = gt.from_sketch(only, players=("Ann", "Bob"))
    solution = quasi_perfect(tree)
    solution.certificate.verify()
    assert solution.payoffs == (Fraction(13, 3), Fraction(5, 3))


def test_one_node_will_do():
    tree = gt.from_sketch(gt.Terminal([2, -2]), players=("Ann", "Bob"))
    solution = quasi_perfect(tree)
    solution.certificate.verify()
    assert solution.payoffs == (2, -2)


@pytest.mark.parametrize("pivots", [0, 3])
def test_nothing_less_is_returned_where_the_budget_ends(pivots):
    with pytest.raises(gt.NotConverged, match="the budget ended after [0-9]+ pivots") as caught:
        quasi_perfect(load("kuhn_poker"), budget=Budget(iterations=pivots))
    assert caught.value.best is None


def deep_tree(moves):
    root = gt.Terminal([0, 0])
    for move in reversed(range(moves)):
        root = gt.Decision(
            move % 2, f"move {move}", {"stop": gt.Terminal([move, -move]), "on": root}
        )
    return gt.from_sketch(root, players=("Ann", "Bob"))


def test_time_is_looked_at_while_powers_of_epsilon_are_written():
    before = process_time()
    with pytest.raises(gt.NotConverged, match="the budget ended after 0 pivots"):
        quasi_perfect(deep_tree(2000), budget=Budget(seconds=0.5))
    assert process_time() - before < 2  # the right-hand sides alone take several seconds


def test_beliefs_of_guess_the_ace_are_those_of_the_deck():
    for cards in (3, 52):
        solution = sequential_equilibrium(load(f"guess_the_ace:cards={cards}"))
        solution.certificate.verify()
        assert solution.certificate.beliefs[1] == (Fraction(1, cards), Fraction(cards - 1, cards))
        assert solution.profile.probabilities[1].tolist() == [0, 1]


@pytest.mark.parametrize("name", ["kuhn_poker", "one_card_poker", "liars_dice:sides=3"])
def test_beliefs_are_stated_everywhere(name):
    game = load(name)
    solution = sequential_equilibrium(game)
    solution.certificate.verify()
    assert solution.run.algorithm == "sequential_equilibrium"
    assert len(solution.certificate.beliefs) == game.num_decision_infosets


def test_perfect_information_of_any_number_of_players():
    answer = gt.Decision(2, "Carl", {"l": gt.Terminal([1, 2, 3]), "r": gt.Terminal([3, 2, 1])})
    weather = gt.Chance({"sun": ("1/3", answer), "rain": ("2/3", gt.Terminal([0, 0, 0]))})
    tree = gt.from_sketch(
        gt.Decision(1, "Bob", {"go": weather, "wait": gt.Terminal([1, "1/2", 1])}),
        players=("Ann", "Bob", "Carl"),
    )
    solution = sequential_equilibrium(tree)
    solution.certificate.verify()
    assert solution.profile == backward_induction(tree).profile
    assert solution.certificate.beliefs == ((1,), (1,))
    assert solution.payoffs == (Fraction(1, 3), Fraction(2, 3), 1)


def test_a_budget_that_ends_in_backward_induction_has_a_message_of_its_own():
    message = (
        "sequential_equilibrium: needs an action and a belief at every information set, but the "
        "budget ended after 3 levels of the tree. Give a larger budget."
    )
    with pytest.raises(gt.NotConverged, match=f"^{re.escape(message)}$") as caught:
        sequential_equilibrium(load("centipede"), budget=Budget(iterations=3))
    assert caught.value.best is None


def test_time_is_looked_at_while_plans_are_multiplied():
    game = load("centipede:rounds=2000")
    before = process_time()
    with pytest.raises(gt.NotConverged, match="the budget ended after [0-9]+ levels"):
        sequential_equilibrium(game, budget=Budget(seconds=0.5))
    assert process_time() - before < 4  # the plans alone take several seconds


@pytest.mark.parametrize(
    ("solver", "game", "message"),
    [
        (quasi_perfect, deep_tree(2400), "5,000,000 coefficients, .* have 5,7.*1200 own moves"),
        (quasi_perfect, NEVER, "only chance moves of probability 0 lead to .* 'never'"),
        (sequential_equilibrium, load("forgetful_bit"), "perfect recall"),
        (sequential_equilibrium, load("centipede:rounds=4000"), "at most 5,000,000 coefficients"),
        (sequential_equilibrium, NEVER, "only chance moves of probability 0 lead to .* 'never'"),
    ],
)
def test_what_is_not_taken_is_refused_with_a_witness(solver, game, message):
    with pytest.raises(gt.UnsupportedGame, match=f"^{solver.__name__}: .*{message}"):
        solver(game)
