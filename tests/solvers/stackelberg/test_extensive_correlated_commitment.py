"""Correlated commitment in trees: optimal by an independent program over plans, exact."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import load, random_tree
from gametheory_core.conversions import count_plans, player_plans
from gametheory_core.conversions.extensive_normal import NOT_REACHED
from gametheory_core.strategies import player_sequences
from gametheory_core.testing import extensive_form_games
from solvers import extensive_correlated_commitment, extensive_stackelberg
from solvers.stackelberg.extensive_problem import commitment_problem, num_deviations
from tests.solvers.stackelberg.leader_games import earned

LEADERS = st.sampled_from([0, 1])


def strict_tree(seed=9):
    return random_tree(rng=np.random.default_rng(seed), depth=5)


def value_over_plans(game, leader):
    """A lottery over pairs of plans; who is told an action may go on by any plan from there."""
    from scipy.optimize import linprog

    follower = 1 - leader
    plans = [player_plans(game, i).actions.tolist() for i in range(2)]
    own = player_sequences(game, follower)

    def paid(first, second):
        pair = (first, second) if leader == 0 else (second, first)
        actions = [max(a, 0) for plan in pair for a in plan]
        return gt.expected_payoffs(game, gt.pure_behavior(game, actions)).astype(float)

    joint = list(product(plans[leader], plans[follower]))
    table = {(tuple(x), tuple(r)): paid(x, r) for x, r in joint}
    below = [
        [j for j in range(len(own.infosets)) if k in (j, *above(own, j))]
        for k in range(len(own.infosets))
    ]
    rows = []
    for k, from_here in enumerate(below):
        for told in range(int(own.first_sequence[k + 1] - own.first_sequence[k])):
            for other in plans[follower]:
                row = []
                for x, r in joint:
                    gain = 0.0
                    if r[k] == told and other[k] != NOT_REACHED:
                        left = [other[j] if j in from_here else a for j, a in enumerate(r)]
                        gain = paid(x, left)[follower] - table[tuple(x), tuple(r)][follower]
                    row.append(gain)
                rows.append(row)
    values = [-table[tuple(x), tuple(r)][leader] for x, r in joint]
    found = linprog(
        values,
        A_ub=rows or None,
        b_ub=[0.0] * len(rows) or None,
        A_eq=[[1.0] * len(joint)],
        b_eq=[1.0],
    )
    assert found.status == 0
    return -found.fun


def above(own, k):
    """The player's information sets above one of them."""
    ends = [-1, *np.repeat(np.arange(len(own.infosets)), np.diff(own.first_sequence))]
    found = []
    while (parent := int(own.parent_sequence[k])) > 0:
        k = int(ends[parent])
        found.append(k)
    return found


@given(extensive_form_games(num_players=(2, 2), max_moves=7), LEADERS)
def test_value_is_that_of_a_program_over_plans(game, leader):
    assume(count_plans(game, 0) * count_plans(game, 1) <= 36)
    found = earned(extensive_correlated_commitment(game, leader=leader), leader)
    assert float(found) == pytest.approx(value_over_plans(game, leader), abs=1e-6)


@given(extensive_form_games(num_players=(2, 2), max_depth=5, max_moves=12, has_chance=False))
def test_trees_without_chance_are_always_solved(game):
    earned(extensive_correlated_commitment(game), 0)


@given(extensive_form_games(zero_sum=True, max_depth=5, max_moves=12), LEADERS)
def test_nothing_is_recommended_in_zero_sum_trees(game, leader):
    solution = extensive_correlated_commitment(game, leader=leader)
    assert earned(solution, leader) == earned(extensive_stackelberg(game, leader=leader), leader)
    assert solution.profile.weights == (1,)
    assert solution.run.iterations <= 1


def test_recommendations_can_help():
    solution = extensive_correlated_commitment(strict_tree())
    assert earned(solution, 0) == Fraction(92, 75)
    assert len(solution.profile.weights) > 1
    assert solution.payoffs[0] > extensive_stackelberg(strict_tree()).payoffs[0] == Fraction(16, 15)


@given(extensive_form_games(num_players=(2, 2), max_depth=5, max_moves=12), LEADERS)
def test_deviations_are_counted_where_they_begin(game, leader):
    """For each action one may be told, the actions to take instead, there and later on."""
    problem = commitment_problem(game, leader=leader)
    own = player_sequences(game, 1 - leader)
    sizes = np.diff(own.first_sequence).tolist()
    pairs = [(k, j) for j in range(len(sizes)) for k in (j, *above(own, j))]
    assert num_deviations(problem) == sum(sizes[k] * sizes[j] for k, j in pairs)


def test_poker_commitment_earns_the_value_of_the_game():
    assert earned(extensive_correlated_commitment(load("kuhn_poker")), 0) == Fraction(-1, 18)


@pytest.fixture
def _no_lottery(monkeypatch):
    def refuse(*_args, **_options):
        raise gt.UnsupportedGame("no lottery")

    monkeypatch.setattr("solvers.stackelberg.extensive_commitment.lottery_of_plan", refuse)


@pytest.mark.usefixtures("_no_lottery")
def test_plans_that_are_no_lottery_leave_a_certified_interval():
    """With chance moves the program may promise what no lottery keeps."""
    with pytest.raises(gt.NotConverged, match="with chance moves") as caught:
        extensive_correlated_commitment(strict_tree())
    found = caught.value.best.certificate
    found.verify()
    assert found.upper_bound == Fraction(92, 75) > found.leader_payoff


@pytest.mark.usefixtures("_no_lottery")
def test_a_plain_commitment_that_meets_the_bound_needs_no_lottery():
    """In a zero-sum game recommendations do not help, whatever becomes of the program's plan."""
    solution = extensive_correlated_commitment(load("kuhn_poker"))
    assert earned(solution, 0) == Fraction(-1, 18)
    assert solution.profile.weights == (1,)
