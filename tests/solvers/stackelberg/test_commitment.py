"""Commitment: as good as brute force, exact on degenerate and extreme games, honest in limits."""

import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, NotConverged
from gametheory_core.strategies import supports
from solvers import Budget, strong_stackelberg, weak_stackelberg
from tests.sample_sizes import many
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
# The follower always ties: for the leader 2 when friendly, 0 when hostile.
INDIFFERENT = NormalFormGame.bimatrix([[2, 0]], [[1, 1]])
# Only at the first row does the middle column tie with the others; a friendly follower picks it.
NEVER_STRICT = NormalFormGame.bimatrix([[0, 5, 0], [0, 5, 1]], [[1, 1, 1], [1, 0, 2]])


def earned(solution, leader):
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.payoffs[leader] == solution.certificate.leader_payoff
    return solution.payoffs[leader]


@many
@given(bimatrix_games(), LEADERS)
def test_strong_solution_equals_brute_force(game, leader):
    assert earned(strong_stackelberg(game, leader=leader), leader) == strong_value(game, leader)


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
def test_weak_value_is_at_most_the_strong_one(game, leader):
    weak = earned(weak_stackelberg(game, leader=leader), leader)
    assert weak <= earned(strong_stackelberg(game, leader=leader), leader)


def test_textbook_game_gains_by_mixing():
    solution = strong_stackelberg(TEXTBOOK)
    assert [s.tolist() for s in solution.profile.strategies] == [
        [Fraction(1, 2), Fraction(1, 2)],
        [0, 1],
    ]
    assert solution.payoffs == (Fraction(7, 2), Fraction(1, 2))


def test_second_player_can_lead():
    turned = NormalFormGame.from_payoffs(TEXTBOOK.exact_payoffs[::-1].transpose(0, 2, 1))
    assert strong_stackelberg(turned, leader=1).payoffs == (Fraction(1, 2), Fraction(7, 2))


def test_supremum_that_no_commitment_attains():
    solution = weak_stackelberg(TEXTBOOK)
    assert earned(solution, 0) == Fraction(7, 2)
    assert not solution.certificate.is_attained


def test_hostile_follower_takes_the_worst_of_equal_actions():
    assert earned(strong_stackelberg(INDIFFERENT), 0) == 2
    solution = weak_stackelberg(INDIFFERENT)
    assert earned(solution, 0) == 0
    assert solution.certificate.is_attained


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
    assert earned(strong_stackelberg(game), 0) == 1


@BOTH
@pytest.mark.parametrize(
    ("rows", "columns", "value"),
    [
        ([[3]], [[-2]], 3),
        ([[1, 2, 3]], [[0, 5, 4]], 2),
        ([[1], [7], [3]], [[0], [0], [9]], 7),
        ([[0, 0], [0, 0]], [[0, 0], [0, 0]], 0),
        (np.array([[0.1, 0.4], [0.2, 0.3]]), np.array([[1.0, 0.0], [0.0, 1.0]]), None),
        ([[10**400, 0], [0, 10**399]], [[1, 0], [0, 10**400]], 10**400),
        ([["1/3", "1e-300"], [0, "-1e300"]], [["1e-300", 0], [0, "1e300"]], Fraction(1, 3)),
        ([[10**30, 10**30 + 2], [10**30 - 1, 10**30 + 1]], [[1, 0], [0, 1]], None),
    ],
)
def test_small_and_extreme_games(solver, rows, columns, value):
    game = NormalFormGame.bimatrix(rows, columns)
    found = earned(solver(game), 0)
    assert found == (strong_value(game, 0) if value is None else value)


@BOTH
def test_float_payoffs_mean_their_exact_values(solver):
    rng = np.random.default_rng(3)
    given = NormalFormGame.bimatrix(*rng.standard_normal((2, 12, 9)))
    exact = NormalFormGame.from_payoffs(given.exact_payoffs)
    assert solver(given).payoffs == solver(exact).payoffs


@BOTH
def test_response_is_pure(solver):
    game = NormalFormGame.bimatrix(*np.random.default_rng(4).integers(-1, 2, (2, 9, 9)).tolist())
    assert len(supports(solver(game).profile)[1]) == 1


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
@pytest.mark.parametrize("iterations", range(6))
def test_budget_ends_with_a_certified_bound(solver, iterations):
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 20, 20))
    game = NormalFormGame.bimatrix(a, b - a)
    best = earned(solver(game), 0)
    with pytest.raises(NotConverged, match=r"the budget ended after \d+ linear programs") as error:
        solver(game, budget=Budget(iterations=iterations))
    certificate = error.value.best.certificate
    certificate.verify()
    assert certificate.leader_payoff <= best <= certificate.upper_bound
    assert certificate.epsilon > 0


@BOTH
def test_no_time_still_gives_a_certified_bound(solver):
    with pytest.raises(NotConverged, match="gets 3, and none gets more than 4") as error:
        solver(TEXTBOOK, budget=Budget(seconds=0.0))
    error.value.best.certificate.verify()


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
