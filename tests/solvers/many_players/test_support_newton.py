"""The certified finish: exact where equations are linear, as accurate as asked for elsewhere."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import InvalidArgument, NormalFormGame, uniform_profile
from gametheory_core.catalog import load
from gametheory_core.evaluation import action_payoffs
from gametheory_core.strategies import supports
from solvers import logit_homotopy, polynomial_support_enumeration
from solvers.many_players.logit_branch import playable
from solvers.many_players.support_newton import (
    accepted_gain,
    certified_finish,
    exact_on_supports,
    indifference,
    newton_on_supports,
    simple_fractions,
)
from tests.planted_games import planted

IRRATIONAL = load("irrational_equilibrium")
ALL = ((0, 1), (0, 1), (0, 1))
NEAR = np.array([0.62, 0.38, 0.48, 0.52, 0.38, 0.62])


@pytest.mark.parametrize("digits", [12, 30, 100])
def test_irrational_equilibrium_is_refined_as_far_as_asked(digits):
    tolerance = Fraction(1, 10**digits)
    found = certified_finish(IRRATIONAL, playable(IRRATIONAL), NEAR, ALL, tolerance=tolerance)
    found.verify()
    assert 0 < found.epsilon <= tolerance
    p = found.profile.strategies[1][0]  # a root of 12 p^2 + 13 p - 9
    assert abs(12 * p**2 + 13 * p - 9) <= 100 * tolerance


def test_irrational_mixtures_of_three_actions_are_refined_too():
    """Three rounded probabilities rarely sum to one."""
    payoffs = [
        [[[0, 3], [3, 2]], [[2, 4], [0, 3]], [[1, 0], [2, 4]]],
        [[[3, 3], [3, 3]], [[2, 0], [4, 2]], [[2, 1], [0, 4]]],
        [[[3, 3], [2, 4]], [[2, 2], [2, 1]], [[0, 2], [4, 0]]],
    ]
    game = NormalFormGame.from_payoffs(np.array(payoffs))
    near = np.array([0.38, 0.24, 0.38, 0.57, 0.43, 0.86, 0.14])
    tolerance = Fraction(1, 10**100)
    supports = ((0, 1, 2), (0, 1), (0, 1))
    found = certified_finish(game, playable(game), near, supports, tolerance=tolerance)
    found.verify()
    assert 0 < found.epsilon <= tolerance


def test_simple_fractions_are_found_exactly():
    game = load("nine_equilibria")
    near = np.array([0.5, 0.5, 1 / 3, 2 / 3, 0.25, 0.75]) + 1e-4 * np.array([1, -1, 1, -1, -1, 1])
    found = certified_finish(game, playable(game), near, ALL, tolerance=Fraction(1, 10**6))
    assert found.epsilon == 0
    assert found.profile.strategies[1].tolist() == [Fraction(1, 3), Fraction(2, 3)]


def test_two_who_mix_among_three_players_are_solved_exactly():
    rng = np.random.default_rng(8)
    for _ in range(200):
        game = NormalFormGame.from_payoffs(rng.standard_normal((3, 3, 2, 3)))
        exact = exact_on_supports(game, ((0, 2), (1,), (0, 1)))
        if exact is not None:
            break
    assert supports(exact) == ((0, 2), (1,), (0, 1))
    for player, own in ((0, (0, 2)), (2, (0, 1))):
        values = action_payoffs(game, exact, player=player)
        assert values[own[0]] == values[own[1]]


def test_equilibria_in_which_two_mix_are_finished_exactly_whatever_their_numbers():
    rng = np.random.default_rng(9)
    own = ((0, 2), (1,), (0, 1))
    for _ in range(20):
        game, profile = planted(rng, (3, 2, 3), own, exponent=3)
        near = np.concatenate(profile.to_float().strategies)
        found = certified_finish(game, playable(game), near, own, tolerance=Fraction(1))
        assert found.profile == profile
        assert found.epsilon == 0


def test_supports_without_a_positive_solution_are_refused():
    game = load("prisoners_dilemma")
    assert exact_on_supports(game, ((0, 1), (0, 1))) is None
    assert (
        certified_finish(
            game, playable(game), np.full(4, 0.5), ((0, 1), (0, 1)), tolerance=Fraction(1)
        )
        is None
    )


def test_indifference_tells_none_one_and_many_apart():
    pair = ((0, 1), (0, 1))
    pennies, same = load("matching_pennies"), load("indifference")
    assert indifference(pennies, pair, player=0, opponent=1).only == [Fraction(1, 2)] * 2
    assert indifference(same, pair, player=0, opponent=1).only is None
    apart = NormalFormGame.bimatrix([[1, 1], [0, 0]], [[0, 0], [0, 0]])
    assert not indifference(apart, pair, player=0, opponent=1).is_consistent


def test_newton_says_so_where_it_fails():
    flat = NormalFormGame.bimatrix([[1, 1], [0, 0]], [[1, 1], [0, 0]])
    assert newton_on_supports(playable(flat).layout, np.full(4, 0.5), ((0, 1), (0, 1))) is None


def test_fractions_that_only_look_simple_are_left_alone():
    third = np.array([1 / 3, 2 / 3])
    assert simple_fractions((third,), within=1e-12).strategies[0][0] == Fraction(1, 3)
    assert simple_fractions((third + np.array([1e-9, -1e-9]),), within=1e-12) is None
    assert simple_fractions((np.array([0.5, 0.25]),), within=1e-12) is None  # sum below 1


@pytest.mark.parametrize("tolerance", [0, -1.0, float("nan"), float("inf")])
@pytest.mark.parametrize("solver", [logit_homotopy, polynomial_support_enumeration])
def test_useless_tolerances_are_refused(solver, tolerance):
    with pytest.raises(InvalidArgument, match="needs a finite tolerance above 0"):
        solver(load("chicken"), tolerance=tolerance)


def test_default_tolerance_scales_with_payoffs():
    assert accepted_gain(None, Fraction(10**9)) == Fraction(1, 1000)
    assert accepted_gain(0.5, Fraction(10**9)) == Fraction(1, 2)


def test_pure_supports_need_no_equations():
    game = load("indifference")
    found = certified_finish(
        game, playable(game), np.full(4, 0.5), ((0,), (1,)), tolerance=Fraction(1)
    )
    assert supports(found.profile) == ((0,), (1,))
    assert found.profile != uniform_profile(game)
