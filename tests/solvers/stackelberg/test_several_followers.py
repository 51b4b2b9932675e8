"""Commitment to several followers, in pure equilibrium or obedient: optimal, exact, and honest."""

import time
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, NotConverged, UnsupportedGame
from gametheory_core.errors import InfeasibleProgram
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import Budget, correlated_commitment, pure_followers_stackelberg, strong_stackelberg
from solvers.correlated import incentive_program
from tests.solvers.stackelberg.leader_games import bounds_within, earned, games_of_three
from tests.solvers.stackelberg.region_vertices import bimatrix_games, polytope_vertices

LEADERS = st.sampled_from([0, 1, 2])
BOTH = pytest.mark.parametrize("solver", [pure_followers_stackelberg, correlated_commitment])
# The followers play matching pennies, whatever the leader does.
PENNIES = NormalFormGame.from_payoffs(
    [[[[1, 2], [3, 4]]], [[[1, -1], [-1, 1]]], [[[-1, 1], [1, -1]]]]
)


def random_game(seed, *shape):
    rng = np.random.default_rng(seed)
    return NormalFormGame.from_payoffs(rng.integers(-50, 51, (len(shape), *shape)).tolist())


@BOTH
@pytest.mark.parametrize("scale", ["1e-300", "1e-9", "1/3", "1e9", "1e300"])
def test_units_of_payoffs_do_not_matter(solver, scale):
    game = random_game(1, 3, 3, 3)
    factors = np.array([Fraction(scale), 1, Fraction(1) / Fraction(scale)], dtype=object)
    scaled = NormalFormGame.from_payoffs(game.exact_payoffs * factors[:, None, None, None])
    assert earned(solver(scaled)) == earned(solver(game)) * Fraction(scale)


@BOTH
def test_player_alone_takes_the_best_action(solver):
    assert earned(solver(NormalFormGame.from_payoffs([[3, 5, 4]]))) == 5


@given(normal_form_games(num_players=(1, 4), kinds=tuple(PayoffKind)))
def test_any_number_of_players_obeys(game):
    leader = game.num_players - 1
    earned(correlated_commitment(game, leader=leader), leader)


def value_by_vertices(game, leader):
    """The best vertex of the commitments that make a joint action stable; None if there is none."""
    tables = [np.moveaxis(payoffs, leader, 0) for payoffs in game.exact_payoffs]
    followers = [i for i in range(game.num_players) if i != leader]
    best = None
    for joint in product(*(range(game.num_actions[j]) for j in followers)):
        normals = [
            tables[j][(slice(None), *joint)]
            - tables[j][(slice(None), *joint[:k], c, *joint[k + 1 :])]
            for k, j in enumerate(followers)
            for c in range(game.num_actions[j])
            if c != joint[k]
        ]
        own = tables[leader][(slice(None), *joint)]
        values = [vertex @ own for vertex in polytope_vertices(normals, len(own))]
        best = max([*values, *([] if best is None else [best])], default=None)
    return best


@given(games_of_three(), LEADERS)
def test_pure_answers_are_the_best_of_all_vertices(game, leader):
    expected = value_by_vertices(game, leader)
    if expected is None:
        with pytest.raises(InfeasibleProgram, match="there is none: exact programs for all"):
            pure_followers_stackelberg(game, leader=leader)
    else:
        assert earned(pure_followers_stackelberg(game, leader=leader), leader) == expected


@given(bimatrix_games(), st.sampled_from([0, 1]))
def test_one_follower_is_strong_stackelberg(game, leader):
    found = earned(pure_followers_stackelberg(game, leader=leader), leader)
    assert found == strong_stackelberg(game, leader=leader).payoffs[leader]


def test_followers_without_a_pure_equilibrium_are_refused():
    with pytest.raises(InfeasibleProgram, match=r"all 4 joint actions .* correlated_commitment"):
        pure_followers_stackelberg(PENNIES)


def test_followers_are_led_to_a_pure_equilibrium_where_pure_commitments_leave_none():
    """Pure commitments make the followers play matching pennies; half and half stills them."""
    signs = np.array([[1, -1], [-1, 1]])
    own = np.array([[[1, 2], [3, 5]], [[1, 2], [3, 5]]])
    second = np.stack([signs, -signs])
    game = NormalFormGame.from_payoffs(np.stack([own, second, -second]).tolist())
    solution = pure_followers_stackelberg(game)
    assert earned(solution, 0) == 5
    assert solution.profile.strategies[0].tolist() == [Fraction(1, 2), Fraction(1, 2)]


def test_budget_of_pure_answers_ends_with_a_certified_bound():
    solve = partial(pure_followers_stackelberg, random_game(7, 8, 6, 6))
    bounds_within(solve, earned(solve()), 4)


def test_budget_may_end_before_any_commitment_is_found():
    for solver in (pure_followers_stackelberg, correlated_commitment):
        with pytest.raises(NotConverged, match="before (any|one) was found") as error:
            solver(PENNIES, budget=Budget(iterations=0))
        assert error.value.best is None


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
def test_correlated_value_is_that_of_a_dense_float_program(game, leader):
    found = earned(correlated_commitment(game, leader=leader), leader)
    assert float(found) == pytest.approx(value_by_dense_program(game, leader), abs=1e-6)


def test_leader_needs_not_obey():
    """Cooperation is dominated for both in a prisoner's dilemma; a leader may still promise it."""
    game = NormalFormGame.symmetric([[3, 0], [5, 1]])
    solution = correlated_commitment(game)
    assert earned(solution, 0) == 1
    assert solution.payoffs == (1, 1)


def test_time_limit_holds_for_many_deviations():
    game = NormalFormGame.from_payoffs(np.random.default_rng(5).random((2, 150, 150)))
    started = time.process_time()
    with pytest.raises(NotConverged, match="needs an optimal commitment, but the budget ended"):
        correlated_commitment(game, budget=Budget(seconds=0.5))
    assert time.process_time() - started < 4  # about 1; was 9


def test_too_many_deviations_of_followers_are_refused(monkeypatch):
    """Three followers' actions times twelve joint ones; the leader's do not count."""
    game = NormalFormGame.from_payoffs(np.random.default_rng(5).random((2, 4, 3)))
    monkeypatch.setattr(incentive_program, "BYTES_PER_ENTRY", 10**6)
    exactly = 24 * 10**6
    found = correlated_commitment(game, budget=Budget(memory=exactly))
    assert found.certificate.epsilon == 0
    with pytest.raises(UnsupportedGame, match="correlated_commitment: needs .* of 24 coeff"):
        correlated_commitment(game, budget=Budget(memory=exactly - 1))
