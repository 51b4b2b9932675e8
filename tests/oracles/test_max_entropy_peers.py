"""Most entropic strategies beside convex programs (cvxpy with Clarabel) and OpenSpiel."""

import numpy as np
import pytest

from gametheory_core import NormalFormGame
from solvers import max_entropy
from tests.solvers.zero_sum.evaluation_matrices import FAMILIES

pytestmark = pytest.mark.peer


def by_clarabel(payoffs, value):
    """Maximize the entropy of the row player's optimal strategies as a convex program."""
    cvxpy = pytest.importorskip("cvxpy")
    x = cvxpy.Variable(len(payoffs))
    program = cvxpy.Problem(
        cvxpy.Maximize(cvxpy.sum(cvxpy.entr(x))), [payoffs.T @ x >= value, cvxpy.sum(x) == 1]
    )
    program.solve(solver="CLARABEL")
    return x.value


def entropy(strategy):
    positive = np.maximum(strategy.astype(float), 1e-300)
    return -float((positive * np.log(positive)).sum())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_same_strategy_as_clarabel_in_symmetric_games(name, seed):
    payoffs = FAMILIES[name](12, np.random.default_rng([seed, 12]))
    ours = max_entropy(NormalFormGame.zero_sum(payoffs)).profile.strategies[0]
    theirs = by_clarabel(payoffs, 0.0)
    assert entropy(ours) == pytest.approx(entropy(theirs), abs=1e-4)
    assert np.abs(ours.astype(float) - theirs).max() < 1e-3


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("shape", [(5, 9), (9, 5), (8, 8)])
def test_same_strategies_as_clarabel_in_other_games(shape, seed):
    rng = np.random.default_rng([seed, *shape])
    payoffs = rng.integers(0, 3, shape).astype(float)
    payoffs[0] = payoffs[1] = payoffs[2]  # so that there is a choice
    payoffs[:, 3] = payoffs[:, 4]
    solution = max_entropy(NormalFormGame.zero_sum(payoffs))
    value = float(solution.certificate.game_value)
    for ours, table, level in (
        (solution.profile.strategies[0], payoffs, value),
        (solution.profile.strategies[1], -payoffs.T, -value),
    ):
        theirs = by_clarabel(table, level - 1e-9)
        assert entropy(ours) == pytest.approx(entropy(theirs), abs=1e-4)
        assert np.abs(ours.astype(float) - theirs).max() < 1e-3


@pytest.mark.parametrize("seed", range(3))
def test_same_strategy_as_open_spiel(seed):
    pyspiel = pytest.importorskip("pyspiel")
    peer = pytest.importorskip("open_spiel.python.algorithms.nash_averaging", exc_type=ImportError)
    payoffs = FAMILIES["gaussian"](10, np.random.default_rng([seed, 10]))
    ours = max_entropy(NormalFormGame.zero_sum(payoffs)).profile.strategies[0]
    theirs = peer.nash_averaging(pyspiel.create_matrix_game(payoffs, -payoffs))[0]
    assert np.abs(ours.astype(float) - np.ravel(theirs)).max() < 5e-3
