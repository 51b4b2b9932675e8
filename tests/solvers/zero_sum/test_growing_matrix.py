"""Matrix games that grow are solved as well as those that are not."""

import numpy as np
import pytest

from gametheory_core import NormalFormGame
from solvers import minimax
from solvers.zero_sum.growing_matrix import GrowingMatrix


def grown(payoffs):
    """Yield the answer after each row and column, in an order of chance."""
    game, sizes, rng = GrowingMatrix(), [0, 0], np.random.default_rng(3)
    while sizes != list(payoffs.shape):
        axis = int(rng.integers(2)) if min(sizes) else int(np.argmin(sizes))
        axis = axis if sizes[axis] < payoffs.shape[axis] else 1 - axis
        rows, columns = sizes
        if axis == 0:
            game.append_row(payoffs[rows, :columns])
        else:
            game.append_column(payoffs[:rows, columns])
        sizes[axis] += 1
        if min(sizes):
            yield game.payoffs, game.solve()


def families():
    rng = np.random.default_rng(0)
    noise = rng.standard_normal((40, 40))
    yield "noise", noise
    yield "antisymmetric", noise - noise.T
    yield "ties", rng.integers(-1, 2, (30, 30)).astype(float)
    yield "constant", np.ones((5, 4))
    yield "widening", np.outer(2.0 ** np.arange(20), rng.choice([-1.0, 1.0], 20))
    yield "wide", rng.standard_normal((4, 50))
    yield "tall", rng.standard_normal((50, 4))


@pytest.mark.parametrize(("payoffs"), [pytest.param(p, id=name) for name, p in families()])
def test_every_size_is_solved(payoffs):
    count = 0
    for table, found in grown(payoffs):
        x, y = found.row_strategy, found.column_strategy
        assert abs(x.sum() - 1) < 1e-12 > abs(y.sum() - 1)
        assert min(x.min(), y.min()) >= 0
        gap = (table @ y).max() - (x @ table).min()
        assert gap <= 1e-9 * (np.ptp(payoffs) or 1)
        count += 1
    assert count >= max(payoffs.shape)
    assert np.array_equal(table, payoffs)
    exact = minimax(NormalFormGame.zero_sum(payoffs), tolerance=1e-9).certificate
    assert abs(x @ payoffs @ y - float(exact.game_value)) <= 1e-8 * (np.ptp(payoffs) or 1)


def test_one_more_policy_costs_few_pivots():
    """Solving anew takes some two pivots an action; where the new action is worse, none is made."""
    payoffs = np.random.default_rng(1).standard_normal((60, 60))
    game = GrowingMatrix()
    for k in range(60):
        game.append_row(payoffs[k, :k])
        game.append_column(payoffs[: k + 1, k])
        found = game.solve()
    game.append_row(payoffs.min(axis=0) - 0.01)
    again = game.solve()
    assert again.iterations == 0
    assert np.array_equal(again.row_strategy[:60], found.row_strategy)
    game.append_column(np.append(payoffs.max(axis=1) + 0.01, 0.0))
    assert game.solve().iterations == 0
