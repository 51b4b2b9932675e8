"""Bayesian commitment: two methods and two independent checks agree exactly; limits are honest."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.conversions import harsanyi_transform
from gametheory_core.strategies import supports
from solvers import Budget, bayesian_stackelberg, strong_stackelberg
from solvers.stackelberg import BayesianMethod
from tests.solvers.stackelberg.leader_games import bayesian_games, polytope_vertices

METHODS = pytest.mark.parametrize("method", list(BayesianMethod))
DEEP = pytest.mark.parametrize("budget", [Budget(iterations=n) for n in range(0, 14, 3)])
# Table 1 of Paruchuri et al. 2008: committing to (2/3, 1/3) earns 11/3.
TABLE = ([[2, 4], [1, 3]], [[1, 0], [0, 2]])


def earned(solution):
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.payoffs[0] == solution.certificate.leader_payoff
    assert all(len(support) == 1 for support in supports(solution.profile)[1:])
    return solution.payoffs[0]


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
    assert earned(bayesian_stackelberg(game, method=method)) == value_by_vertices(game)


@given(bayesian_games(most_types=4, largest=4))
def test_methods_agree_with_the_harsanyi_transform(game):
    one, other = (earned(bayesian_stackelberg(game, method=method)) for method in BayesianMethod)
    target = harsanyi_transform(game).target
    assert one == other == strong_stackelberg(target).payoffs[0]


@METHODS
@pytest.mark.parametrize("sizes", [(8, 3, 3), (4, 8, 6), (1, 20, 20), (3, 2, 9)])
def test_methods_agree_on_larger_games(method, sizes):
    game = random_game(1, *sizes)
    reference = bayesian_stackelberg(game, method=BayesianMethod.MULTIPLE_LINEAR_PROGRAMS)
    assert earned(bayesian_stackelberg(game, method=method)) == earned(reference)


@METHODS
def test_one_type_is_strong_stackelberg(method):
    game = gt.BayesianGame.from_payoffs([TABLE[0]], [TABLE[1]], prior=[1])
    solution = bayesian_stackelberg(game, method=method)
    assert earned(solution) == Fraction(11, 3) == strong_stackelberg(game.games[0]).payoffs[0]
    assert solution.profile.strategies[0].tolist() == [Fraction(2, 3), Fraction(1, 3)]


@METHODS
def test_commitment_compromises_between_types(method):
    """Deterring each type alone earns 0 of it; the mixture that deters both is another one."""
    game = gt.BayesianGame.from_payoffs(
        [[[0, -3], [0, -3]], [[0, -3], [0, -3]]],
        [[[0, -1], [0, 1]], [[0, 2], [0, -1]]],
        prior=["1/2", "1/2"],
    )
    solution = bayesian_stackelberg(game, method=method)
    assert earned(solution) == Fraction(-3, 2)
    milder = gt.BayesianGame.from_payoffs(
        [one.exact_payoffs[0] for one in game.games],
        [game.games[0].exact_payoffs[1], [[0, 1], [0, -2]]],
        prior=game.prior,
    )
    solution = bayesian_stackelberg(milder, method=method)
    assert earned(solution) == 0
    assert 0 < solution.profile.strategies[0][0] < 1


@METHODS
@pytest.mark.parametrize(
    ("own", "others", "prior", "value"),
    [
        ([[[3]]], [[[-2]]], [1], 3),
        ([[[3]], [[5]]], [[[0]], [[0]]], ["1/4", "3/4"], Fraction(9, 2)),
        ([[[1, 2, 3]], [[1, 2, 3]]], [[[0, 5, 4]], [[0, 5, 5]]], ["1/3", "2/3"], Fraction(8, 3)),
        ([[[0, 0]] * 3, [[0, 0]] * 3], [[[0, 0]] * 3, [[0, 0]] * 3], ["1/2", "1/2"], 0),
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
@DEEP
def test_budget_ends_with_a_certified_bound(method, budget):
    game = random_game(0, 6, 4, 4)
    best = earned(bayesian_stackelberg(game))
    with pytest.raises(
        gt.NotConverged, match=r"the budget ended after \d+ linear programs"
    ) as error:
        bayesian_stackelberg(game, method=method, budget=budget)
    certificate = error.value.best.certificate
    certificate.verify()
    assert certificate.leader_payoff <= best <= certificate.upper_bound
    assert certificate.epsilon > 0


@METHODS
def test_no_time_still_gives_a_certified_bound(method):
    game = random_game(0, 3, 3, 3)
    with pytest.raises(gt.NotConverged, match="and none gets more than") as error:
        bayesian_stackelberg(game, method=method, budget=Budget(seconds=0.0))
    error.value.best.certificate.verify()
    assert error.value.best.run.iterations == 0


def test_tight_relaxation_needs_a_smaller_tree():
    game = random_game(4, 7, 5, 5)
    trees = {m: bayesian_stackelberg(game, method=m).certificate.nodes for m in BayesianMethod}
    assert len(trees[BayesianMethod.DOBSS]) < len(trees[BayesianMethod.MULTIPLE_LINEAR_PROGRAMS])


@METHODS
def test_patrol_of_the_catalogue(method):
    solution = bayesian_stackelberg(gt.load_game("house_patrol"), method=method)
    assert earned(solution) == Fraction(-14, 37)


@pytest.mark.parametrize("game", [gt.load_game("chicken"), None, "house_patrol"])
def test_other_games_are_refused(game):
    with pytest.raises(
        (gt.InvalidArgument, gt.UnsupportedGame), match="needs a Bayesian ?[gG]ame, but got"
    ):
        bayesian_stackelberg(game)


def test_larger_budgets_never_weaken_the_bound():
    """What the budget leaves open below a branch keeps the bound of the branch."""
    game = random_game(0, 6, 4, 4)
    bounds = []
    for iterations in range(12):
        with pytest.raises(gt.NotConverged, match="and none gets more than") as error:
            bayesian_stackelberg(game, budget=Budget(iterations=iterations))
        bounds.append(error.value.best.certificate.upper_bound)
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] < bounds[0]
