"""Cells: exact at their corners, and never dropped while they hold a solution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import MixedProfile, NormalFormGame
from gametheory_core.catalog import load
from gametheory_core.evaluation import action_payoffs
from solvers.many_players.logit_branch import normalized_payoffs
from solvers.many_players.support_cells import (
    Linearized,
    enlarged,
    halved,
    has_no_solution,
    has_one_solution_at_most,
    joined,
    linearized,
    whole_cell,
    without_dominated,
)

SUPPORTS = ((0, 2), (0, 1, 2), (1, 2))


def planted_game(seed):
    """A game and a profile that mixes three supports and solves their equations exactly.

    Each payoff table is a random one, less what makes supported actions differ at the profile.
    """
    rng = np.random.default_rng(seed)
    payoffs = rng.uniform(0, 1, (3, 3, 3, 3))
    strategies = [np.zeros(3) for _ in range(3)]
    for strategy, own in zip(strategies, SUPPORTS, strict=True):
        strategy[list(own)] = rng.dirichlet(np.ones(len(own)))
    profile = MixedProfile(tuple(strategies))
    game = NormalFormGame.from_payoffs(payoffs)
    for player, own in enumerate(SUPPORTS):
        values = action_payoffs(game, profile, player=player)
        for action in own:
            index = (player, *(action if i == player else slice(None) for i in range(3)))
            payoffs[index] -= values[action]
    worse = [sorted({0, 1, 2} - set(own)) for own in SUPPORTS]
    for player, actions in enumerate(worse):
        for action in actions:
            index = (player, *(action if i == player else slice(None) for i in range(3)))
            payoffs[index] -= 10
    return NormalFormGame.from_payoffs(payoffs), profile


def holds(cells, profile):
    """Mark the cells that hold a profile, up to rounding."""
    inside = np.ones(len(cells), dtype=bool)
    for corners, own, strategy in zip(
        cells.corners, cells.supports, profile.strategies, strict=True
    ):
        target = strategy[list(own)]
        for k, corner in enumerate(corners):
            inside[k] &= np.linalg.solve(corner.T, target).min() > -1e-9
    return inside


@given(st.integers(0, 2**32 - 1))
def test_cells_with_an_equilibrium_are_never_dropped(seed):
    game, profile = planted_game(seed)
    cells = whole_cell(normalized_payoffs(game).payoffs, SUPPORTS)
    for _ in range(12):
        held = holds(cells, profile)
        assert held.any()
        assert holds(without_dominated(cells), profile).sum() == held.sum()
        assert not (has_no_solution(linearized(cells)) & held).any()
        halves, flat = halved(cells.where(held))
        cells = halves if flat is None else joined([halves, flat])


@given(st.integers(0, 2**32 - 1))
def test_tensors_say_what_actions_earn_at_corners(seed):
    rng = np.random.default_rng(seed)
    game = NormalFormGame.from_payoffs(rng.uniform(0, 1, (3, 3, 3, 3)))
    normalized = normalized_payoffs(game)
    cells = whole_cell(normalized.payoffs, SUPPORTS)
    for _ in range(5):
        cells = halved(cells)[0]
        cells = cells.where(rng.integers(len(cells), size=4))
    for checked in (cells, enlarged(cells)):
        for player, tensor in enumerate(checked.tensors):
            mixed = tensor[0]
            for other in (2, 1, 0):
                if other != player:
                    mixed = mixed.mean(axis=1 + other)
            middle = [
                np.bincount(own, corners[0].mean(axis=0), minlength=3)
                for own, corners in zip(SUPPORTS, checked.corners, strict=True)
            ]
            expected = action_payoffs(game, MixedProfile(tuple(middle)), player=player)
            shift = game.payoffs[player].min()
            np.testing.assert_allclose(
                mixed.ravel() * float(normalized.span), expected - shift, atol=1e-12
            )


@given(st.integers(0, 2**32 - 1))
def test_slopes_are_differences_between_corners(seed):
    rng = np.random.default_rng(seed)
    cells = whole_cell(rng.uniform(0, 1, (3, 2, 2, 2)), ((0, 1),) * 3)
    system = linearized(cells)
    values = system.values[0].reshape(3, 2, 2, 2)
    slopes = system.slopes[0].reshape(2, 2, 2, 3, 3)
    for corner in np.ndindex(2, 2, 2):
        for j in range(3):
            first = tuple(0 if i == j else c for i, c in enumerate(corner))
            last = tuple(1 if i == j else c for i, c in enumerate(corner))
            np.testing.assert_allclose(
                slopes[(*corner, slice(None), j)],
                values[(slice(None), *first)] - values[(slice(None), *last)],
                atol=1e-15,
            )


def test_cell_with_two_solutions_is_not_called_injective():
    game = load("nine_equilibria")
    cells = whole_cell(normalized_payoffs(game).payoffs, ((0, 1),) * 3)
    system = linearized(cells)
    assert not has_one_solution_at_most(system).any()
    assert not has_no_solution(system).any()


def test_linear_equations_are_injective_at_once():
    cells = whole_cell(normalized_payoffs(load("matching_pennies")).payoffs, ((0, 1), (0, 1)))
    assert has_one_solution_at_most(linearized(cells)).tolist() == [True]


def test_singular_equations_decide_nothing():
    cells = whole_cell(np.zeros((3, 2, 2, 2)), ((0, 1),) * 3)
    system = linearized(cells)
    assert not system.is_usable.any()
    assert not has_no_solution(system).any()
    assert not has_one_solution_at_most(system).any()
    halves, flat = halved(cells)
    assert len(halves) == 0
    assert len(flat) == 1


@pytest.mark.parametrize("size", [1, 2, 3])
def test_halves_cover_the_cell(size):
    rng = np.random.default_rng(size)
    cells = whole_cell(rng.uniform(0, 1, (3, 3, 3, 3)), SUPPORTS)
    for _ in range(size):
        cells = halved(cells)[0]
    volume = sum(
        np.prod([abs(np.linalg.det(corners[k])) for corners in cells.corners])
        for k in range(len(cells))
    )
    assert volume == pytest.approx(1.0)


@given(st.integers(0, 2**32 - 1))
def test_cells_called_injective_are_so_at_every_corner(seed):
    rng = np.random.default_rng(seed)
    cells = whole_cell(rng.uniform(0, 1, (3, 2, 2, 2)), ((0, 1),) * 3)
    for _ in range(4):
        system = linearized(cells)
        called = has_one_solution_at_most(system)
        for inverse, slopes in zip(system.inverses[called], system.slopes[called], strict=True):
            for slope in slopes:
                left = np.eye(3) - inverse @ slope
                assert max(sum(map(abs, row)) for row in left.tolist()) < 1
        cells = halved(cells)[0]


@pytest.mark.parametrize(("value", "expected"), [(1e-11, True), (1e-13, False), (0.0, False)])
@pytest.mark.parametrize("sign", [1, -1])
def test_signs_within_rounding_prove_nothing(value, expected, sign):
    """Of one sign at all corners, but by less than averages may be rounded."""
    system = Linearized(
        values=np.full((1, 1, 2), sign * value),
        slopes=np.ones((1, 2, 1, 1)),
        inverses=np.ones((1, 1, 1)),
        is_usable=np.array([True]),
    )
    assert has_no_solution(system).tolist() == [expected]
