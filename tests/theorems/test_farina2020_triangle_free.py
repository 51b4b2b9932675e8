"""Farina and Sandholm 2020: triangle-free trees have consistent correlation plans only.

With chance moves too, as long as no four information sets of two players form a triangle, the best
plan that adds up is a lottery. On generated trees, against lotteries over all pairs of reduced
plans, in rationals. Twin: where two players see bits of their own, there is a triangle, and plans
that add up promise more than lotteries keep.

Why it matters (correlation): It says for which trees with chance the best correlated equilibrium is
a linear program of the size of the tree.
"""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core.certificates import BoundProof
from gametheory_core.conversions import count_plans
from gametheory_core.evaluation import ExtensiveCorrelation
from gametheory_core.games import CHANCE, is_strictly_competitive
from gametheory_core.strategies import sequence_pairs
from gametheory_core.testing import extensive_form_games
from solvers import extensive_form_correlated_equilibrium
from solvers.correlated.extensive_form import find_triangle
from tests.plan_pairs import best_welfare, deviations, game_of_bits, program_value

theorem = pytest.mark.theorem(
    source="Farina and Sandholm 2020",
    statement="In triangle-free trees, the correlation plans of two players are those that add up.",
)
KIND = ExtensiveCorrelation.EXTENSIVE


@theorem
@given(st.data())
def test_the_best_consistent_plan_is_the_best_lottery_with_chance(data):
    tree = data.draw(extensive_form_games(num_players=(2, 2), max_moves=9))
    assume(CHANCE in tree.node_player)
    assume(not is_strictly_competitive(tree))
    assume(find_triangle(sequence_pairs(tree)) is None)
    assume(count_plans(tree, 0) * count_plans(tree, 1) * len(deviations(tree, KIND)) <= 20_000)
    solution = extensive_form_correlated_equilibrium(tree)
    solution.certificate.verify()
    assert solution.certificate.optimality.proof is BoundProof.CONSISTENCY
    assert solution.certificate.epsilon == solution.certificate.optimality_gap == 0
    assert sum(solution.payoffs) == best_welfare(tree, KIND)


@theorem
@given(extensive_form_games(num_players=(2, 2), max_moves=9, has_chance=False))
def test_trees_without_chance_have_no_triangles(tree):
    assert find_triangle(sequence_pairs(tree)) is None


@theorem
def test_with_a_triangle_plans_that_add_up_promise_too_much():
    tree = game_of_bits()
    found = find_triangle(sequence_pairs(tree))
    assert found is not None
    assert sorted(found.infosets) == [0, 1, 2, 3]
    assert program_value(tree, KIND, by_profiles=False) > best_welfare(tree, KIND)
    solution = extensive_form_correlated_equilibrium(tree)
    assert solution.certificate.optimality.proof is BoundProof.ENUMERATION
    assert sum(solution.payoffs) == best_welfare(tree, KIND)
