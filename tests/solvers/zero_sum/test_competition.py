"""Commitment and mediators in strictly competitive matrices, by minimax strategies."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.certificates import CorrelatedKind, LinearObjective
from gametheory_core.testing import zero_sum_games
from solvers import (
    Budget,
    Objective,
    correlated_commitment,
    correlated_equilibrium,
    minimax,
    strong_stackelberg,
)
from solvers.correlated import correlated_payoff_vertices, normal_form
from solvers.stackelberg import commitment
from tests.sample_sizes import examples

NUMBERS = st.fractions(-3, 3, max_denominator=3)
LEADERS = st.sampled_from([0, 1])


@st.composite
def opposed_matrices(draw):
    """Player 1 gets a constant less a positive multiple of what player 0 gets."""
    own = draw(zero_sum_games(max_actions=4)).exact_payoffs[0]
    rate = draw(st.sampled_from([Fraction(1), Fraction(3), Fraction(2, 5)]))
    return gt.NormalFormGame.bimatrix(own, draw(NUMBERS) - rate * own)


def minimax_payoffs(game):
    """What both guarantee, each from a game about the own payoff alone."""
    return tuple(
        minimax(gt.NormalFormGame.zero_sum(own)).certificate.game_value
        for own in (game.exact_payoffs[0], game.exact_payoffs[1].T)
    )


def in_general(solve):
    """Solve as if interests were not opposed."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (commitment, normal_form):
            patch.setattr(module, "is_strictly_competitive", lambda _game: False)
        return solve()


@given(opposed_matrices(), LEADERS)
def test_commitments_earn_the_minimax_payoff(game, leader):
    for solver in (strong_stackelberg, correlated_commitment):
        solve = partial(solver, game, leader=leader)
        found = solve()
        found.certificate.verify()
        assert found.certificate.epsilon == 0
        assert found.payoffs == in_general(solve).payoffs == minimax_payoffs(game)


@examples(60)
@given(
    opposed_matrices(), st.sampled_from(CorrelatedKind), st.lists(NUMBERS, min_size=2, max_size=2)
)
def test_mediators_find_no_more(game, kind, weights):
    objective = LinearObjective(tuple(weights))
    solve = partial(correlated_equilibrium, game, kind=kind, objective=objective)
    found = solve()
    found.certificate.verify()
    assert found.certificate.epsilon == found.certificate.optimality_gap == 0
    assert found.payoffs == in_general(solve).payoffs == minimax_payoffs(game)


@pytest.mark.parametrize("kind", CorrelatedKind)
@pytest.mark.parametrize("objective", Objective)
@pytest.mark.parametrize("player", [0, 1])
def test_prices_are_in_the_units_of_their_player(kind, objective, player):
    own = np.array([[0, 2], [3, 1]])
    game = gt.NormalFormGame.bimatrix(own, 5 - 3 * own)
    seat = player if objective.value.endswith("payoff") else None
    found = correlated_equilibrium(game, kind=kind, objective=objective, player=seat)
    found.certificate.verify()
    assert found.certificate.optimality.value == found.certificate.optimality.upper_bound
    assert found.payoffs == (Fraction(3, 2), Fraction(1, 2))


SOLVERS = [
    *(partial(strong_stackelberg, leader=leader) for leader in (0, 1)),
    *(partial(correlated_equilibrium, kind=kind) for kind in CorrelatedKind),
    *(partial(correlated_commitment, leader=leader) for leader in (0, 1)),
]


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_large_matrix_takes_one_program_of_its_size(solver):
    """The programs over joint actions take minutes here."""
    rng = np.random.default_rng(1)
    game = gt.NormalFormGame.zero_sum(rng.integers(-100, 101, (70, 70)).tolist())
    found = solver(game)
    found.certificate.verify()
    assert found.certificate.epsilon == 0
    assert found.payoffs[0] == minimax(game).certificate.game_value


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_budget_that_ends_leaves_what_is_certified(solver):
    """Nothing, where lotteries have to be obeyed."""
    rng = np.random.default_rng(2)
    game = gt.NormalFormGame.zero_sum(rng.integers(-9, 10, (12, 12)).tolist())
    for budget in (Budget(iterations=0), Budget(seconds=0)):
        with pytest.raises(gt.NotConverged, match="the budget ended after 0") as caught:
            solver(game, budget=budget)
        best = caught.value.best
        if solver.func is correlated_commitment:
            assert best is None
            continue
        best.certificate.verify()
        assert best.certificate.epsilon > 0


@pytest.mark.parametrize("kind", CorrelatedKind)
def test_all_equilibria_pay_one_point(kind):
    rng = np.random.default_rng(3)
    own = rng.integers(-9, 10, (40, 40))
    game = gt.NormalFormGame.bimatrix(own, 1 - 2 * own)
    polygon = correlated_payoff_vertices(game, kind=kind)
    polygon.certificate.verify()
    assert polygon.vertices == (minimax_payoffs(game),)
    with pytest.raises(gt.NotConverged, match="the budget ended"):
        correlated_payoff_vertices(game, kind=kind, budget=Budget(iterations=0))


def test_floors_and_tolerances_are_kept_by_the_general_program():
    pennies = gt.NormalFormGame.zero_sum([[1, -1], [-1, 1]])
    assert correlated_equilibrium(pennies, payoff_floors={0: 0}).certificate.floors
    assert correlated_equilibrium(pennies, tolerance=1e-6).certificate.epsilon <= 1e-6
    with pytest.raises(gt.errors.InfeasibleProgram, match="no correlated equilibrium pays more"):
        correlated_equilibrium(pennies, payoff_floors={0: 1})


def test_objectives_of_outcomes_are_kept_by_the_general_program():
    """All equilibria pay the same, and a mediator may yet prefer one of them."""
    game = gt.NormalFormGame.zero_sum([[0, 0], [0, 0]])
    often = LinearObjective.of_outcomes(game, [[0, 0], [0, 1]])
    assert correlated_equilibrium(game, objective=often).profile.joint_actions == ((1, 1),)
    with pytest.raises(gt.InvalidArgument, match="2 payoff weights"):
        correlated_equilibrium(game, objective=LinearObjective((Fraction(1),)))


def test_with_general_sums_both_earn_more_twin():
    game = gt.NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1]])
    assert strong_stackelberg(game).payoffs[0] == Fraction(7, 2) > minimax_payoffs(game)[0]
    chicken = gt.NormalFormGame.symmetric([[6, 2], [7, 0]])
    assert correlated_equilibrium(chicken).payoffs[0] > minimax_payoffs(chicken)[0]
