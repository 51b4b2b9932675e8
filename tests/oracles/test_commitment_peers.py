"""Commitment of every kind: the same payoffs as OpenSpiel, cvxpy and scipy find in floats."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import BayesianGame, NormalFormGame
from gametheory_core.conversions import harsanyi_transform, security_to_bayesian
from solvers import bayesian_stackelberg, correlated_commitment, security_stackelberg
from solvers.stackelberg import BayesianMethod
from tests.benchmarks.security import by_target, random_security

pytestmark = pytest.mark.peer

rng = np.random.default_rng(61)


def random_bayesian(types, leader, follower, spread):
    own, others = rng.integers(-spread, spread + 1, (2, types, leader, follower)).tolist()
    return BayesianGame.from_payoffs(own, others, prior=[Fraction(1, types)] * types)


BAYESIAN = [random_bayesian(*sizes) for sizes in ((2, 3, 3, 9), (3, 2, 3, 1), (3, 4, 2, 50))]


@pytest.mark.parametrize("game", BAYESIAN, ids=repr)
@pytest.mark.parametrize("method", list(BayesianMethod))
def test_bayesian_payoff_is_open_spiels_of_the_harsanyi_transform(game, method):
    pyspiel = pytest.importorskip("pyspiel")
    peer = pytest.importorskip("open_spiel.python.algorithms.stackelberg_lp", exc_type=ImportError)
    target = harsanyi_transform(game).target
    theirs = peer.solve_stackelberg(pyspiel.create_matrix_game(*target.payoffs.tolist()))
    ours = bayesian_stackelberg(game, method=method)
    assert float(ours.payoffs[0]) == pytest.approx(theirs[2], abs=1e-4)


@pytest.mark.parametrize(("targets", "resources"), [(4, 1), (5, 2)])
def test_security_payoff_is_open_spiels_of_the_expanded_game(targets, resources):
    pyspiel = pytest.importorskip("pyspiel")
    peer = pytest.importorskip("open_spiel.python.algorithms.stackelberg_lp", exc_type=ImportError)
    game = random_security(targets, resources)
    expanded = security_to_bayesian(game).games[0]
    theirs = peer.solve_stackelberg(pyspiel.create_matrix_game(*expanded.payoffs.tolist()))
    assert float(security_stackelberg(game).payoffs[0]) == pytest.approx(theirs[2], abs=1e-4)


@pytest.mark.parametrize(("targets", "resources"), [(10, 3), (25, 24), (40, 5)])
def test_security_payoff_is_that_of_a_float_program_for_each_target(targets, resources):
    game = random_security(targets, resources)
    assert float(security_stackelberg(game).payoffs[0]) == pytest.approx(by_target(game), abs=1e-6)


@pytest.mark.parametrize("leader", [0, 1, 2])
def test_correlated_payoff_is_cvxpys(leader):
    cvxpy = pytest.importorskip("cvxpy")
    game = NormalFormGame.from_payoffs(rng.integers(-20, 21, (3, 3, 4, 2)).tolist())
    weights = cvxpy.Variable(game.payoffs[0].size, nonneg=True)
    obeyed = [cvxpy.sum(weights) == 1]
    for j in range(3):
        rows = np.moveaxis(game.payoffs[j], j, 0)
        places = np.moveaxis(np.arange(24).reshape(3, 4, 2), j, 0)
        obeyed += [
            (rows[b] - rows[a]).ravel() @ weights[places[a].ravel()] <= 0
            for a in range(len(rows) if j != leader else 0)
            for b in range(len(rows))
            if a != b
        ]
    program = cvxpy.Problem(cvxpy.Maximize(game.payoffs[leader].ravel() @ weights), obeyed)
    program.solve(solver=cvxpy.CLARABEL)
    ours = correlated_commitment(game, leader=leader)
    assert float(ours.payoffs[leader]) == pytest.approx(program.value, abs=1e-5)
