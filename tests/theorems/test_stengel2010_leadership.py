"""Von Stengel and Zamir 2010: the leader's payoffs form an interval, generically a point.

The interval runs from the weak to the strong Stackelberg payoff. (1) It is a point if no two of
the follower's actions are equal and each is strictly the best response to some mixed strategy, or
to none a best response at all. (2) Its lower end is at least the leader's *lowest* Nash payoff.
(3) The weak payoff is what commitments approach when the follower breaks ties against the leader,
so that classes of equal actions that are nowhere strictly best do not count. (4) Its upper end is
at least the leader's payoff in any correlated equilibrium. Checked in rationals on games of up to
4 x 4 actions; regions are enumerated by their vertices.

Why it matters (commitment): It says when the tie-breaking of the follower matters, and what a
leader is sure of if it does.
"""

from fractions import Fraction
from functools import partial

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, load_game
from gametheory_core.certificates import CorrelatedKind, LinearObjective
from solvers import correlated_equilibrium, strong_stackelberg, vertex_enumeration, weak_stackelberg
from tests.sample_sizes import many
from tests.solvers.stackelberg.region_vertices import (
    bimatrix_games,
    from_the_leaders_side,
    interior_point,
    is_somewhere_strictly_best,
    region_vertices,
)

SOURCE = "von Stengel and Zamir 2010"
point = pytest.mark.theorem(
    source=SOURCE, statement="Weak and strong Stackelberg payoffs agree in generic games."
)
lowest = pytest.mark.theorem(
    source=SOURCE, statement="The weak Stackelberg payoff is at least the lowest Nash payoff."
)
full = pytest.mark.theorem(
    source=SOURCE, statement="Only classes that are somewhere strictly best bound the weak payoff."
)
upper = pytest.mark.theorem(
    source=SOURCE,
    statement="The strong Stackelberg payoff is at least any correlated equilibrium payoff.",
)
LEADERS = st.sampled_from([0, 1])


def payoffs(game, leader):
    """Verified weak and strong payoffs of the leader."""
    solutions = [solver(game, leader=leader) for solver in (weak_stackelberg, strong_stackelberg)]
    for solution in solutions:
        solution.certificate.verify()
    return tuple(solution.payoffs[leader] for solution in solutions)


def has_no_two_equal_actions(follower):
    return len({tuple(column) for column in follower.T.tolist()}) == follower.shape[1]


def has_full_or_empty_regions(follower):
    return all(
        interior_point(follower, b) is None or is_somewhere_strictly_best(follower, b)
        for b in range(follower.shape[1])
    )


@point
@many
@given(bimatrix_games(), LEADERS)
def test_interval_is_a_point_in_generic_games(game, leader):
    _, follower = from_the_leaders_side(game, leader)
    assume(has_no_two_equal_actions(follower))
    assume(has_full_or_empty_regions(follower))
    weak, strong = payoffs(game, leader)
    assert weak == strong


@point
def test_equal_actions_twin():
    game = NormalFormGame.bimatrix([[2, 0]], [[1, 1]])
    assert has_full_or_empty_regions(game.exact_payoffs[1])
    assert not has_no_two_equal_actions(game.exact_payoffs[1])
    assert payoffs(game, 0) == (0, 2)


@point
def test_thin_region_twin():
    """The first action is a best response to the first row alone, never strictly."""
    game = NormalFormGame.bimatrix([[5, 0], [5, 1]], [[1, 1], [0, 2]])
    assert has_no_two_equal_actions(game.exact_payoffs[1])
    assert not has_full_or_empty_regions(game.exact_payoffs[1])
    assert payoffs(game, 0) == (1, 5)


@lowest
@given(bimatrix_games(), LEADERS)
def test_weak_payoff_is_at_least_the_lowest_nash_payoff(game, leader):
    weak, _ = payoffs(game, leader)
    found = vertex_enumeration(game).equilibria
    assert weak >= min(solution.payoffs[leader] for solution in found)


@lowest
def test_highest_nash_payoff_twin():
    """In degenerate games the weak payoff may stay below other Nash payoffs."""
    game = NormalFormGame.bimatrix([[2, 0]], [[1, 1]])
    found = vertex_enumeration(game).equilibria
    assert sorted(solution.payoffs[0] for solution in found) == [0, 2]
    assert payoffs(game, 0)[0] == 0


@full
@given(bimatrix_games(), LEADERS)
def test_weak_payoff_of_games_without_equal_actions_is_the_best_of_full_regions(game, leader):
    own, follower = from_the_leaders_side(game, leader)
    assume(has_no_two_equal_actions(follower))
    best = max(
        vertex @ own[:, b]
        for b in range(own.shape[1])
        if is_somewhere_strictly_best(follower, b)
        for vertex in region_vertices(follower, b)
    )
    assert payoffs(game, leader)[0] == best


@full
def test_region_touching_a_face_twin():
    """A region may fill a face of the simplex and still be thin: on the face the action ties."""
    game = NormalFormGame.bimatrix(
        [[7, 0], [7, 1], [7, 2]], [[1, 1], [1, 1], [0, 1]], actions=(("a", "b", "c"), ("x", "y"))
    )
    follower = game.exact_payoffs[1]
    assert len(region_vertices(follower, 0)) == 2
    assert not is_somewhere_strictly_best(follower, 0)
    assert payoffs(game, 0) == (2, 7)


@full
def test_boundary_point_can_show_that_a_region_is_full():
    """Strictly best at a pure commitment is strictly best nearby."""
    game = NormalFormGame.bimatrix([[7, 0], [0, 1]], [[1, 0], [0, 1]])
    assert is_somewhere_strictly_best(game.exact_payoffs[1], 0)
    assert payoffs(game, 0) == (7, 7)


def best_for(leader, game, solver):
    """The leader's largest payoff in an equilibrium of a kind, proved."""
    solution = solver(game, objective=LinearObjective.payoff(game, player=leader))
    solution.certificate.verify()
    assert solution.certificate.optimality_gap == 0
    return solution.payoffs[leader]


@upper
@given(bimatrix_games(), LEADERS)
def test_strong_payoff_is_at_least_every_correlated_one(game, leader):
    _, strong = payoffs(game, leader)
    assert strong >= best_for(leader, game, correlated_equilibrium)


@upper
def test_hostile_follower_twin_earns_less_than_a_correlated_equilibrium():
    game = NormalFormGame.bimatrix([[2, 0]], [[1, 1]])
    assert payoffs(game, 0)[0] == 0
    assert best_for(0, game, correlated_equilibrium) == 2


@upper
def test_coarse_equilibrium_twin_can_pay_more_than_commitment():
    """Players must be free to disobey what they are told: coarse equilibria do not allow it."""
    game = NormalFormGame.bimatrix(
        [[2, 1, 2], [0, 1, 0], [3, 0, 0]], [[0, 2, 0], [3, 0, 3], [0, 0, 1]]
    )
    assert payoffs(game, 0)[1] == Fraction(6, 5)
    assert best_for(0, game, correlated_equilibrium) <= Fraction(6, 5)
    assert best_for(
        0, game, partial(correlated_equilibrium, kind=CorrelatedKind.COARSE)
    ) == Fraction(7, 3)


@upper
def test_commitment_can_beat_all_correlated_equilibria():
    game = load_game("commitment_example")
    assert best_for(0, game, correlated_equilibrium) == 2
    assert payoffs(game, 0) == (Fraction(7, 2), Fraction(7, 2))
