"""Bayesian commitment: two methods and two independent checks agree exactly; limits are honest."""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.conversions import harsanyi_transform
from gametheory_core.strategies import supports
from solvers import Budget, bayesian_stackelberg, strong_stackelberg
from solvers.solution import Meter
from solvers.stackelberg import BayesianMethod
from solvers.stackelberg.bayesian import proposed_responses
from solvers.stackelberg.bayesian_problem import bayesian_problem, best_pure_commitment
from solvers.stackelberg.response_search import settle_responses
from tests.solvers.stackelberg.leader_games import bayesian_games, bounds_within, earned
from tests.solvers.stackelberg.region_vertices import polytope_vertices

METHODS = pytest.mark.parametrize("method", list(BayesianMethod))
# Table 1 of Paruchuri et al. 2008: committing to (2/3, 1/3) earns 11/3.
TABLE = ([[2, 4], [1, 3]], [[1, 0], [0, 2]])


def random_game(seed, types, actions, answers):
    rng = np.random.default_rng(seed)
    own, others = rng.integers(-100, 101, (2, types, actions, answers)).tolist()
    return gt.BayesianGame.from_payoffs(own, others, prior=[Fraction(1, types)] * types)


def value_by_vertices(game):
    """Try every response function: the best vertex of the commitments answered like that."""
    best = None
    size = len(game.leader_actions)
    for answers in product(*map(range, game.num_actions[1:])):
        pairs = list(zip(game.games, answers, strict=True))
        normals = [
            one.exact_payoffs[1][:, b] - one.exact_payoffs[1][:, c]
            for one, b in pairs
            for c in range(one.num_actions[1])
            if c != b
        ]
        own = sum(
            p * one.exact_payoffs[0][:, b] for p, (one, b) in zip(game.prior, pairs, strict=True)
        )
        values = [vertex @ own for vertex in polytope_vertices(normals, size)]
        best = max([*values, *([] if best is None else [best])], default=None)
    return best


@given(bayesian_games(), st.sampled_from(BayesianMethod))
def test_value_is_the_best_of_all_vertices(game, method):
    solution = bayesian_stackelberg(game, method=method)
    assert earned(solution) == value_by_vertices(game)
    assert all(len(support) == 1 for support in supports(solution.profile)[1:])


@given(bayesian_games(most_types=4, largest=4))
def test_methods_agree_with_the_harsanyi_transform(game):
    one, other = (earned(bayesian_stackelberg(game, method=method)) for method in BayesianMethod)
    target = harsanyi_transform(game).target
    assert one == other == strong_stackelberg(target).payoffs[0]


@pytest.mark.parametrize("sizes", [(8, 3, 3), (4, 8, 6), (1, 20, 20), (3, 2, 9)])
def test_methods_agree_on_larger_games(sizes):
    game = random_game(1, *sizes)
    one, other = (earned(bayesian_stackelberg(game, method=method)) for method in BayesianMethod)
    assert one == other


@METHODS
def test_one_type_is_strong_stackelberg(method):
    game = gt.BayesianGame.from_payoffs([TABLE[0]], [TABLE[1]], prior=[1])
    solution = bayesian_stackelberg(game, method=method)
    assert earned(solution) == Fraction(11, 3) == strong_stackelberg(game.games[0]).payoffs[0]
    assert solution.profile.strategies[0].tolist() == [Fraction(2, 3), Fraction(1, 3)]


@METHODS
@pytest.mark.parametrize(
    ("own", "others", "prior", "value"),
    [
        ([[["1e9", 0], [0, "1e-9"]]], [[["1e-9", 0], [0, "1e9"]]], [1], 10**9),
        ([[["1/3", "1e-300"], [0, "-1e300"]]], [[["1e-300", 0], [0, "1e300"]]], [1], None),
        ([[[10**400, 0], [0, 10**399]]], [[[1, 0], [0, 10**400]]], [1], 10**400),
    ],
)
def test_small_and_extreme_games(method, own, others, prior, value):
    game = gt.BayesianGame.from_payoffs(own, others, prior=prior)
    expected = value_by_vertices(game)
    assert earned(bayesian_stackelberg(game, method=method)) == expected
    assert value is None or expected == value


@METHODS
def test_float_payoffs_mean_their_exact_values(method):
    tables = np.random.default_rng(3).standard_normal((2, 3, 4, 3))
    given_floats = gt.BayesianGame.from_payoffs(*tables, prior=np.full(3, 1 / 3))
    exact = gt.BayesianGame(
        given_floats.types,
        given_floats.prior,
        tuple(gt.NormalFormGame.from_payoffs(one.exact_payoffs) for one in given_floats.games),
    )
    payoffs = [bayesian_stackelberg(game, method=method).payoffs for game in (given_floats, exact)]
    assert payoffs[0] == payoffs[1]


@METHODS
def test_budgets_end_with_certified_bounds_that_larger_ones_never_weaken(method):
    """What the budget leaves open below a branch keeps the bound of the branch."""
    game = random_game(0, 6, 4, 4)
    solve = partial(bayesian_stackelberg, game, method=method)
    bounds = bounds_within(solve, earned(solve()), 12)
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] < bounds[0] or method is BayesianMethod.MULTIPLE_LINEAR_PROGRAMS


def test_tight_relaxation_needs_a_smaller_tree():
    game = random_game(4, 7, 5, 5)
    trees = {m: bayesian_stackelberg(game, method=m).certificate.nodes for m in BayesianMethod}
    assert len(trees[BayesianMethod.DOBSS]) < len(trees[BayesianMethod.MULTIPLE_LINEAR_PROGRAMS])


@pytest.mark.parametrize("seed", range(6))
def test_proposal_is_optimal(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(2, 5, 4)
    own, others = ([rng.integers(-50, 51, (4, n)).tolist() for n in counts] for _ in range(2))
    game = gt.BayesianGame.from_payoffs(own, others, prior=[Fraction(1, 4)] * 4)
    problem = bayesian_problem(game)
    start = best_pure_commitment(problem)
    best = bayesian_stackelberg(game, method=BayesianMethod.MULTIPLE_LINEAR_PROGRAMS).payoffs[0]
    meter = Meter(Budget(), "linear programs")
    proposal = proposed_responses(problem, start, meter=meter)
    assert proposal is not None or start.value == best
    if proposal is not None:
        found, _ = settle_responses(
            problem, proposal, start, meter=Meter(Budget(), "linear programs")
        )
        assert found.value == best


@pytest.mark.parametrize(("own", "iterations"), [([[3, 3]], None), ([[2, 4], [1, 3]], 0)])
def test_nothing_is_proposed_where_nothing_is_better_or_without_time(own, iterations):
    others = [[0, 1]] if iterations is None else [[1, 0], [0, 1]]
    problem = bayesian_problem(gt.BayesianGame.from_payoffs([own], [others], prior=[1]))
    meter = Meter(Budget(iterations=iterations), "linear programs")
    assert proposed_responses(problem, best_pure_commitment(problem), meter=meter) is None
