"""Equilibria of polymatrix games, by a path and by one linear program."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import (
    InvalidStrategy,
    NotConverged,
    UnsupportedGame,
    compact,
    load_game,
    pure_profile,
    uniform_profile,
)
from gametheory_core.strategies import MixedProfile
from gametheory_core.testing import PayoffKind, mixed_profiles, zero_sum_games
from solvers import Budget, solve
from solvers.compact import polymatrix_lcp, zero_sum_polymatrix
from solvers.compact.learned_priors import GRAIN, learned_prior
from solvers.compact.polymatrix_path import LONGEST_IN_INTEGERS
from solvers.compact.polymatrix_tableau import tables_of
from tests.solvers.compact.compact_cases import random_polymatrix


@given(compact.polymatrix_games(kinds=tuple(PayoffKind)))
def test_the_path_ends_at_an_equilibrium(game):
    solution = polymatrix_lcp(game)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0


@given(st.data())
def test_the_path_ends_from_any_prior(data):
    game = data.draw(compact.polymatrix_games())
    prior = data.draw(mixed_profiles(game))
    assert polymatrix_lcp(game, prior=prior).certificate.epsilon == 0


@given(compact.polymatrix_games(kinds=(PayoffKind.DEGENERATE,), num_players=(3, 5)))
def test_floats_end_at_equilibria_too(game):
    """The road of long paths, taken from the first pivot on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solvers.compact.polymatrix_path.LONGEST_IN_INTEGERS", -1)
        assert polymatrix_lcp(game).certificate.epsilon == 0
    assert LONGEST_IN_INTEGERS > 0


def test_a_pure_prior_of_best_replies_is_the_answer():
    game = compact.PolymatrixGame.from_edges({(0, 1): ([[1, 0], [0, 1]], [[1, 0], [0, 1]])})
    for joint in ((0, 0), (1, 1)):
        prior = pure_profile(game, joint)
        assert polymatrix_lcp(game, prior=prior).profile == prior


def test_a_prior_of_another_game_is_refused():
    other = uniform_profile(load_game("ring_of_pennies:players=4"))
    with pytest.raises(InvalidStrategy, match="prior"):
        polymatrix_lcp(load_game("ring_of_pennies:players=3"), prior=other)


def test_a_hundred_players_with_paths_of_many_thousand_pivots():
    """From the uniform prior alone this path takes 409,431 pivots."""
    game = random_polymatrix(100, 5, 10, seed=1)
    solution = polymatrix_lcp(game)
    assert solution.certificate.epsilon == 0
    assert solution.run.iterations < 30_000


@pytest.mark.parametrize("zero_sum", [False, True])
def test_a_hundred_players_on_a_sparse_graph(zero_sum):
    game = random_polymatrix(100, 3, 4, seed=1, zero_sum=zero_sum)
    solution = solve(game).solutions[0]
    assert solution.certificate.epsilon == 0
    assert solve(game).algorithm == ("zero_sum_polymatrix" if zero_sum else "polymatrix_lcp")


@given(compact.zero_sum_polymatrix_games(kinds=tuple(PayoffKind)[:2]))
def test_the_program_finds_an_equilibrium(game):
    solution = zero_sum_polymatrix(game)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    joint = (0,) * game.num_players
    assert sum(solution.payoffs) == sum(compact.pure_payoffs(game, joint))


@given(zero_sum_games())
def test_two_players_get_the_value_of_the_game(game):
    solution = zero_sum_polymatrix(compact.normal_to_polymatrix(game))
    assert solution.payoffs == tuple(solve(game, "minimax").solutions[0].payoffs)


def test_a_general_sum_is_refused_with_two_joint_actions():
    game = random_polymatrix(100, 2, 3, seed=3)
    with pytest.raises(UnsupportedGame, match="polymatrix_lcp") as caught:
        zero_sum_polymatrix(game)
    first, second = caught.value.witness[:100], caught.value.witness[100:]
    assert sum(compact.pure_payoffs(game, first)) != sum(compact.pure_payoffs(game, second))


def test_a_budget_of_no_pivots_returns_the_prior():
    game = load_game("security_ring")
    with pytest.raises(NotConverged, match="the prior's weight") as caught:
        polymatrix_lcp(game, budget=Budget(iterations=0))
    assert caught.value.best.profile == uniform_profile(game)


@pytest.mark.parametrize("pivots", [3, 100, 300, 1100, 2500])
def test_a_budget_that_ends_on_the_way_returns_a_certified_point(pivots):
    game = random_polymatrix(40, 3, 39, seed=2)
    try:
        found = polymatrix_lcp(game, budget=Budget(iterations=pivots))
    except NotConverged as error:
        found = error.best
    found.certificate.verify()
    assert found.run.iterations <= pivots


def test_learned_priors_are_profiles_of_short_numbers_and_near_equilibrium():
    game = random_polymatrix(20, 3, 19, seed=5)
    learned = learned_prior(tables_of(game), rounds=500)
    parts = {p.denominator for own in learned.strategies for p in own}
    assert all(GRAIN % denominator == 0 for denominator in parts)
    even = compact.certify_compact(game, uniform_profile(game)).epsilon
    assert compact.certify_compact(game, learned).epsilon < even / 3


@given(compact.polymatrix_games())
def test_learned_priors_are_profiles_of_any_game(game):
    learned = learned_prior(tables_of(game), rounds=5)
    assert isinstance(learned, MixedProfile)
    compact.certify_compact(game, learned)


def test_those_who_are_paid_nothing_learn_to_do_anything():
    nothing = [[0, 0], [0, 0]]
    game = compact.PolymatrixGame.from_edges({(0, 1): ([[1, 0], [0, 2]], nothing)})
    learned = learned_prior(tables_of(game), rounds=50)
    assert learned.strategies[1].tolist() == [Fraction(1, 2)] * 2
    assert learned.strategies[0][1] > Fraction(9, 10)


def test_payoffs_without_bound_are_no_matter():
    huge = Fraction(10**60, 7)
    game = compact.PolymatrixGame.from_edges(
        {(0, 1): ([[huge, 0], [0, 1]], [[-huge, 0], [0, -1]]), (1, 2): ([[1, 2]] * 2, [[3, 4]] * 2)}
    )
    assert polymatrix_lcp(game).certificate.epsilon == 0
    learned_prior(tables_of(game), rounds=5)
