"""Commitment: as good as brute force, exact on degenerate and extreme games, honest in limits."""

import time
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, NotConverged
from gametheory_core.strategies import supports
from solvers import Budget, strong_stackelberg, weak_stackelberg
from tests.sample_sizes import many
from tests.solvers.stackelberg.leader_games import bounds_within, earned
from tests.solvers.stackelberg.region_vertices import (
    bimatrix_games,
    from_the_leaders_side,
    strong_value,
    worst_payoff,
)

LEADERS = st.sampled_from([0, 1])
BOTH = pytest.mark.parametrize("solver", [strong_stackelberg, weak_stackelberg])
# Committing to a row earns 2 or 3; mixing half and half keeps the second column best and
# earns 7/2 (Conitzer and Sandholm 2006, section 1).
TEXTBOOK = NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1]])
# Only at the first row does the middle column tie with the others; a friendly follower picks it.
NEVER_STRICT = NormalFormGame.bimatrix([[0, 5, 0], [0, 5, 1]], [[1, 1, 1], [1, 0, 2]])


@many
@given(bimatrix_games(), LEADERS)
def test_strong_solution_equals_brute_force(game, leader):
    solution = strong_stackelberg(game, leader=leader)
    assert earned(solution, leader) == strong_value(game, leader)
    assert len(supports(solution.profile)[1 - leader]) == 1


@many
@given(bimatrix_games(largest=5), LEADERS, st.data())
def test_weak_value_is_approached_and_never_exceeded(game, leader, data):
    solution = weak_stackelberg(game, leader=leader)
    value = earned(solution, leader)
    own, others = from_the_leaders_side(game, leader)
    limit = solution.profile.strategies[leader]
    interior = np.array(solution.certificate.interior, dtype=object)
    step = Fraction(1, 10**9)
    near = worst_payoff(own, others, (1 - step) * limit + step * interior)
    span = own.max() - own.min()
    assert abs(near - value) <= step * span
    assert solution.certificate.is_attained == (worst_payoff(own, others, limit) == value)
    weights = data.draw(st.lists(st.integers(0, 6), min_size=len(own), max_size=len(own)))
    weights = np.array([w + (not any(weights)) for w in weights], dtype=object)
    assert worst_payoff(own, others, weights / Fraction(sum(weights.tolist()))) <= value


@given(bimatrix_games(largest=5), LEADERS)
def test_the_worst_of_answers_that_are_alike_counts(game, leader):
    """The follower's answers stand twice or more; the leader tells them apart."""
    columns = [[0, 1, 0], [0, 0, 0, 1]]
    own, others = from_the_leaders_side(game, leader)
    for chosen in columns:
        answers = [b % own.shape[1] for b in chosen]
        shifted = [column + k * (k - 2) for k, column in enumerate(own.T[answers])]
        tables = [np.array(shifted, dtype=object).T, others[:, answers]]
        pair = tables if leader == 0 else [tables[1].T, tables[0].T]
        copied = NormalFormGame.bimatrix(*pair)
        value = earned(weak_stackelberg(copied, leader=leader), leader)
        assert value <= earned(strong_stackelberg(copied, leader=leader), leader)
        pure = [worst_payoff(*tables, row) for row in np.eye(len(own), dtype=int).astype(object)]
        assert value >= min(pure)


@given(bimatrix_games(), LEADERS)
def test_weak_value_is_at_most_the_strong_one(game, leader):
    weak = earned(weak_stackelberg(game, leader=leader), leader)
    assert weak <= earned(strong_stackelberg(game, leader=leader), leader)


def test_supremum_that_no_commitment_attains():
    solution = weak_stackelberg(TEXTBOOK)
    assert earned(solution, 0) == Fraction(7, 2)
    assert not solution.certificate.is_attained


def test_action_that_is_never_strictly_best_does_not_count():
    assert earned(strong_stackelberg(NEVER_STRICT), 0) == 5
    solution = weak_stackelberg(NEVER_STRICT)
    assert earned(solution, 0) == 1
    assert solution.certificate.weights[1] == (0, 0, 0)


def test_equal_actions_are_hedged_against_together():
    """Two equal columns: the leader mixes as in matching pennies, though the follower is idle."""
    game = NormalFormGame.bimatrix([[1, -1], [-1, 1]], [[0, 0], [0, 0]])
    solution = weak_stackelberg(game)
    assert earned(solution, 0) == 0
    assert solution.profile.strategies[0].tolist() == [Fraction(1, 2), Fraction(1, 2)]


@BOTH
@pytest.mark.parametrize(
    ("rows", "columns", "value"),
    [
        (np.array([[0.1, 0.4], [0.2, 0.3]]), np.array([[1.0, 0.0], [0.0, 1.0]]), None),
        ([[10**400, 0], [0, 10**399]], [[1, 0], [0, 10**400]], 10**400),
        ([["1/3", "1e-300"], [0, "-1e300"]], [["1e-300", 0], [0, "1e300"]], Fraction(1, 3)),
        ([[10**30, 10**30 + 2], [10**30 - 1, 10**30 + 1]], [[1, 0], [0, 1]], None),
    ],
)
def test_extreme_games(solver, rows, columns, value):
    game = NormalFormGame.bimatrix(rows, columns)
    found = earned(solver(game), 0)
    assert found == (strong_value(game, 0) if value is None else value)


@BOTH
@pytest.mark.parametrize("size", [8, 25])
def test_degenerate_games_need_few_programs(solver, size):
    """Solved exactly, all of them; the exact simplex method is not called for every answer."""
    rng = np.random.default_rng(5)
    game = NormalFormGame.bimatrix(*rng.integers(-1, 2, (2, size, size)).tolist())
    solution = solver(game)
    earned(solution, 0)
    assert solution.run.iterations <= 3 * size


@BOTH
def test_budget_ends_with_a_certified_bound(solver):
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 20, 20))
    game = NormalFormGame.bimatrix(a, b - a)
    bounds_within(partial(solver, game), earned(solver(game)), 6)


@BOTH
def test_time_limit_holds_for_large_tables(solver):
    """What comes before and after the search is linear in the size of the table."""
    rng = np.random.default_rng(5)
    game = NormalFormGame.from_payoffs(rng.random((2, 400, 400)))
    started = time.process_time()
    with pytest.raises(NotConverged, match="the budget ended after 0 linear programs") as error:
        solver(game, budget=Budget(seconds=0.0))
    assert time.process_time() - started < 4  # about 1; cubic time took 7
    assert error.value.best.certificate.epsilon > 0
