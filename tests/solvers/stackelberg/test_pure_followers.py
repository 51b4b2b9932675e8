"""Several followers in pure equilibrium: as good as every vertex of every region, and honest."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, NotConverged
from gametheory_core.errors import InfeasibleProgram
from solvers import Budget, pure_followers_stackelberg, strong_stackelberg
from tests.solvers.stackelberg.leader_games import games_of_three, polytope_vertices
from tests.solvers.stackelberg.region_vertices import bimatrix_games

LEADERS = st.sampled_from([0, 1, 2])
# The followers play matching pennies, whatever the leader does.
PENNIES = NormalFormGame.from_payoffs(
    [[[[1, 2], [3, 4]]], [[[1, -1], [-1, 1]]], [[[-1, 1], [1, -1]]]]
)


def earned(solution, leader):
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.payoffs[leader] == solution.certificate.leader_payoff
    return solution.payoffs[leader]


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


def random_game(seed, *shape):
    rng = np.random.default_rng(seed)
    return NormalFormGame.from_payoffs(rng.integers(-50, 51, (len(shape), *shape)).tolist())


@given(games_of_three(), LEADERS)
def test_value_is_the_best_of_all_vertices(game, leader):
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


def test_ties_break_for_the_leader():
    game = NormalFormGame.from_payoffs([[[[0, 1], [2, 7]]], [[[0, 0], [0, 0]]], [[[0, 0], [0, 0]]]])
    assert earned(pure_followers_stackelberg(game), 0) == 7


def test_player_alone_takes_the_best_action():
    game = NormalFormGame.from_payoffs([[3, 5, 4]])
    assert earned(pure_followers_stackelberg(game), 0) == 5


@pytest.mark.parametrize("scale", ["1e-300", "1e-9", "1/3", "1e9", "1e300"])
def test_units_of_payoffs_do_not_matter(scale):
    game = random_game(1, 3, 3, 3)
    factors = np.array([Fraction(scale), 1, Fraction(1) / Fraction(scale)], dtype=object)
    scaled = NormalFormGame.from_payoffs(game.exact_payoffs * factors[:, None, None, None])
    plain = earned(pure_followers_stackelberg(game), 0)
    assert earned(pure_followers_stackelberg(scaled), 0) == plain * Fraction(scale)


@pytest.mark.parametrize("iterations", range(4))
def test_budget_ends_with_a_certified_bound(iterations):
    game = random_game(7, 8, 6, 6)
    best = earned(pure_followers_stackelberg(game), 0)
    with pytest.raises(NotConverged, match=r"the budget ended after \d+ linear programs") as error:
        pure_followers_stackelberg(game, budget=Budget(iterations=iterations))
    certificate = error.value.best.certificate
    certificate.verify()
    assert certificate.leader_payoff <= best <= certificate.upper_bound
    assert certificate.epsilon > 0


def test_budget_may_end_before_any_commitment_is_found():
    with pytest.raises(NotConverged, match="before any was found") as error:
        pure_followers_stackelberg(PENNIES, budget=Budget(iterations=0))
    assert error.value.best is None
