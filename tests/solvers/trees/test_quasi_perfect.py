"""Quasi-perfect equilibria of known games, of strange ones, and what is refused."""

from fractions import Fraction
from time import process_time

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.catalog import load, random_tree
from solvers import Budget, quasi_perfect, sequence_form_lp


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


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (deep_tree(2400), "at most 5,000,000 coefficients, but these may have 5,7.*1200 own moves"),
        (
            gt.from_sketch(
                gt.Chance(
                    {
                        "x": (0, gt.Decision(0, "never", {"a": gt.Terminal([1, -1])})),
                        "y": (1, gt.Terminal([0, 0])),
                    }
                ),
                players=("Ann", "Bob"),
            ),
            "only chance moves of probability 0 lead to information set 'never'",
        ),
    ],
)
def test_what_is_not_taken_is_refused_with_a_witness(game, message):
    with pytest.raises(gt.UnsupportedGame, match=f"^quasi_perfect: .*{message}"):
        quasi_perfect(game)
