"""Commitment in trees: equal to the reduced normal form, exact, and honest about what lacks."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import load, random_tree
from gametheory_core.testing import PayoffKind, extensive_form_games
from solvers import extensive_correlated_commitment, extensive_stackelberg, strong_stackelberg
from solvers.stackelberg import extensive_commitment
from tests.solvers.stackelberg.leader_games import bounds_within, earned
from tests.solvers.trees.trees import with_payoffs

LEADERS = st.sampled_from([0, 1])
BRANCHING = [(9, 0), (62, 1)]  # random trees of five moves in which recommendations help


def value_by_normal_form(game, leader):
    return strong_stackelberg(gt.extensive_to_normal(game).target, leader=leader).payoffs[leader]


def branching_tree(seed):
    return random_tree(rng=np.random.default_rng(seed), depth=5)


@given(
    extensive_form_games(num_players=(2, 2), max_depth=5, max_moves=14, kinds=tuple(PayoffKind)),
    LEADERS,
)
def test_value_is_that_of_the_reduced_normal_form(game, leader):
    found = earned(extensive_stackelberg(game, leader=leader), leader)
    assert found == value_by_normal_form(game, leader)


@pytest.mark.parametrize(("seed", "leader"), BRANCHING)
def test_value_is_right_where_cases_are_needed(seed, leader):
    solution = extensive_stackelberg(branching_tree(seed), leader=leader)
    assert len(solution.certificate.cases) > 1
    assert earned(solution, leader) == value_by_normal_form(branching_tree(seed), leader)


@pytest.mark.parametrize("seed", [2, 4, 6, 10, 14, 32, 37, 51])
def test_value_is_right_in_deeper_trees_full_of_ties(seed):
    game = random_tree(rng=np.random.default_rng(seed), depth=6, payoff_range=(-2, 2))
    normal = gt.extensive_to_normal(game, max_profiles=30_000).target
    expected = strong_stackelberg(normal).payoffs[0]
    assert earned(extensive_stackelberg(game), 0) == expected


@pytest.mark.parametrize("solver", [extensive_stackelberg, extensive_correlated_commitment])
def test_one_node_pays_what_it_pays(solver):
    game = gt.from_sketch(gt.Terminal([3, 4]), players=("A", "B"))
    assert earned(solver(game, leader=1), 1) == 4


@pytest.mark.parametrize("factor", ["1e-12", "1e12", "1e40", "1/3"])
def test_scale_of_payoffs_does_not_matter(factor):
    game = branching_tree(9)
    scaled = with_payoffs(game, game.exact_terminal_payoffs * Fraction(factor))
    value = extensive_stackelberg(game).payoffs[0]
    assert earned(extensive_stackelberg(scaled), 0) == value * Fraction(factor)


def test_poker_commitment_earns_the_value_of_the_game():
    poker = load("kuhn_poker")
    assert earned(extensive_stackelberg(poker), 0) == Fraction(-1, 18)
    assert earned(extensive_stackelberg(poker, leader=1), 1) == Fraction(1, 18)


@pytest.mark.parametrize(
    ("solver", "limits", "value"),
    [
        (extensive_stackelberg, 6, Fraction(16, 15)),
        (extensive_correlated_commitment, 4, Fraction(92, 75)),
    ],
)
def test_ended_budget_leaves_a_certified_interval(solver, limits, value):
    bounds_within(partial(solver, branching_tree(9)), value, limits)


def test_large_trees_are_refused_with_an_estimate(monkeypatch):
    monkeypatch.setattr(extensive_commitment, "MOST_NUMBERS", 100)
    with pytest.raises(gt.UnsupportedGame, match=r"at most 100 columns and rows, but .* pairs of"):
        extensive_stackelberg(branching_tree(9))
