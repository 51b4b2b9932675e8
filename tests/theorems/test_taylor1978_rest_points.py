"""Taylor and Jonker 1978: where the replicator dynamics rests.

A point rests if and only if each player's actions in use all earn the same. So interior rest points
are the interior equilibria, every equilibrium rests, and there are other rest points on the
boundary. In zero-sum games with an interior equilibrium ``q`` the sum of ``q log x`` over both
players never changes (Hofbauer and Sigmund 1998, section 11.2). The flow is computed in floats: a
step of 0.1 / span moves a rest point by less than 1e-12, and the constant drifts by less than 1e-6.

Why it matters (dynamics): Resting of the replicator dynamics is necessary for equilibrium and not
sufficient: a picture of a flow proves nothing.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.testing import normal_form_games
from solvers import vertex_enumeration
from solvers.dynamics import replicator
from tests.sample_sizes import examples

theorem = pytest.mark.theorem(
    source="Taylor and Jonker 1978; Hofbauer and Sigmund 1998, section 11.2",
    statement="the replicator dynamics rests exactly where actions in use earn the same; in "
    "zero-sum games with an interior equilibrium it keeps a constant of motion",
)


def moved(game, profile):
    play = replicator(game, initial=profile, steps=1)
    return max(np.abs(own[-1] - own[0]).max() for own in play.trajectories)


@theorem
@given(normal_form_games(num_players=(2, 2), max_actions=3))
def test_every_equilibrium_rests(game):
    for solution in vertex_enumeration(game).equilibria:
        assert moved(game, solution.profile) < 1e-12


@theorem
@given(normal_form_games(num_players=(1, 3), max_actions=3))
def test_interior_points_rest_only_in_equilibrium(game):
    """The uniform point rests if and only if nobody gains by deviating from it."""
    uniform = gt.uniform_profile(game)
    epsilon = gt.certify_nash(game, uniform).epsilon
    if epsilon:
        assert moved(game, uniform) > 1e-5
    else:
        assert moved(game, uniform) < 1e-12


@theorem
def test_twin_boundary_points_rest_without_being_equilibria():
    game = gt.load_game("prisoners_dilemma")
    cooperation = gt.pure_profile(game, (0, 0))
    assert gt.certify_nash(game, cooperation).epsilon > 0
    assert moved(game, cooperation) == 0


@theorem
@examples(15)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 9), st.integers(0, 1000))
def test_zero_sum_orbits_keep_their_constant(a, b, c, seed):
    """Rock-paper-scissors with any stakes; its equilibrium is in proportion to them."""
    game = gt.NormalFormGame.zero_sum([[0, -c, b], [c, 0, -a], [-b, a, 0]])
    rng = np.random.default_rng(seed)
    start = gt.MixedProfile(tuple(rng.dirichlet(np.full(3, 4.0)) for _ in range(2)))
    equilibrium = np.array([a, b, c]) / (a + b + c)
    play = replicator(game, initial=start, steps=400)
    constant = sum(np.log(own) @ equilibrium for own in play.trajectories)
    assert np.abs(constant - constant[0]).max() < 1e-6
    assert moved(game, start) > 0


@theorem
def test_twin_general_sum_orbits_do_not():
    game = gt.load_game("shapley_cycle")
    start = gt.MixedProfile((np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.2, 0.6])))
    play = replicator(game, initial=start, steps=400)
    constant = sum(np.log(own).mean(axis=1) for own in play.trajectories)
    assert np.abs(constant - constant[0]).max() > 0.5
