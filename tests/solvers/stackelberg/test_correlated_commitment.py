"""Commitment to correlated strategies: optimal by an independent program, exact, and honest."""

import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, NotConverged, UnsupportedGame
from gametheory_core.testing import normal_form_games
from solvers import Budget, correlated_commitment
from solvers.correlated import incentive_program
from tests.solvers.stackelberg.leader_games import games_of_three

LEADERS = st.sampled_from([0, 1, 2])


def earned(solution, leader):
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.payoffs[leader] == solution.certificate.leader_payoff
    return solution.payoffs[leader]


def value_by_dense_program(game, leader):
    """The same program, dense and in floats, through scipy."""
    from scipy.optimize import linprog

    payoffs, counts = game.payoffs, game.num_actions
    rows = []
    for j in range(game.num_players):
        for a in range(counts[j] if j != leader else 0):
            for b in range(counts[j]):
                gain = np.zeros(counts)
                for joint in np.ndindex(counts):
                    if joint[j] == a:
                        changed = (*joint[:j], b, *joint[j + 1 :])
                        gain[joint] = payoffs[j][changed] - payoffs[j][joint]
                rows.append(gain.ravel())
    found = linprog(
        -payoffs[leader].ravel(),
        A_ub=np.array(rows) if rows else None,
        b_ub=np.zeros(len(rows)) if rows else None,
        A_eq=np.ones((1, payoffs[0].size)),
        b_eq=[1.0],
    )
    assert found.status == 0
    return -found.fun


@given(games_of_three(), LEADERS)
def test_value_is_that_of_a_dense_float_program(game, leader):
    found = earned(correlated_commitment(game, leader=leader), leader)
    assert float(found) == pytest.approx(value_by_dense_program(game, leader), abs=1e-6)


@given(normal_form_games(num_players=(1, 4), max_actions=3))
def test_any_number_of_players(game):
    leader = game.num_players - 1
    earned(correlated_commitment(game, leader=leader), leader)


def test_leader_needs_not_obey():
    """Cooperation is dominated for both in a prisoner's dilemma; a leader may still promise it."""
    game = NormalFormGame.symmetric([[3, 0], [5, 1]])
    solution = correlated_commitment(game)
    assert earned(solution, 0) == 1
    assert solution.payoffs == (1, 1)


@pytest.mark.parametrize("scale", ["1e-300", "1e-9", "1/3", "1e9", "1e300"])
def test_units_of_payoffs_do_not_matter(scale):
    rng = np.random.default_rng(5)
    game = NormalFormGame.from_payoffs(rng.integers(-9, 10, (3, 3, 3, 3)).tolist())
    factors = np.array([Fraction(scale), 1, Fraction(1) / Fraction(scale)], dtype=object)
    scaled = NormalFormGame.from_payoffs(game.exact_payoffs * factors[:, None, None, None])
    plain = earned(correlated_commitment(game), 0)
    assert earned(correlated_commitment(scaled), 0) == plain * Fraction(scale)


def test_float_payoffs_mean_their_exact_values():
    tables = np.random.default_rng(3).standard_normal((3, 3, 4, 3))
    given_floats = NormalFormGame.from_payoffs(tables)
    exact = NormalFormGame.from_payoffs(given_floats.exact_payoffs)
    assert correlated_commitment(given_floats).payoffs == correlated_commitment(exact).payoffs


def test_player_alone_takes_the_best_action():
    assert earned(correlated_commitment(NormalFormGame.from_payoffs([[3, 5, 4]])), 0) == 5


@pytest.mark.parametrize("budget", [Budget(iterations=0), Budget(seconds=0.0)])
def test_budget_that_ends_first_is_said(budget):
    game = NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1]])
    with pytest.raises(NotConverged, match=r"the budget ended after \d+ pivots") as error:
        correlated_commitment(game, budget=budget)
    assert error.value.best is None


def test_time_limit_holds_for_many_deviations():
    game = NormalFormGame.from_payoffs(np.random.default_rng(5).random((2, 150, 150)))
    started = time.process_time()
    with pytest.raises(NotConverged, match="needs an optimal commitment, but the budget ended"):
        correlated_commitment(game, budget=Budget(seconds=0.5))
    assert time.process_time() - started < 4  # about 1; was 9


def test_too_many_deviations_of_followers_are_refused(monkeypatch):
    """Three followers' actions times twelve joint ones; the leader's do not count."""
    game = NormalFormGame.from_payoffs(np.random.default_rng(5).random((2, 4, 3)))
    monkeypatch.setattr(incentive_program, "MOST_ENTRIES", 24)
    assert correlated_commitment(game).certificate.epsilon == 0
    monkeypatch.setattr(incentive_program, "MOST_ENTRIES", 23)
    with pytest.raises(UnsupportedGame, match="correlated_commitment: needs .* at most 23 coeff"):
        correlated_commitment(game)
