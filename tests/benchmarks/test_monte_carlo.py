"""The benchmark's functions run, and its contenders learn, on a tiny game. Nothing is timed."""

import pytest

from solvers.counterfactual.best_response import float_nash_conv
from solvers.counterfactual.certified_average import laid_out_average
from solvers.counterfactual.sampled_play import Sampling
from tests.benchmarks.counterfactual_regret import peer_game, tree_of
from tests.benchmarks.monte_carlo import RULES, game_rows, open_spiel_solver, ours

pytestmark = pytest.mark.peer
pyspiel = pytest.importorskip("pyspiel")


@pytest.mark.parametrize("sampling", list(Sampling))
def test_contenders_come_as_near_to_equilibrium(sampling):
    """After 5,000 iterations all leave less than a fifth of what uniform play leaves, 11/12."""
    solver = open_spiel_solver("kuhn_poker", sampling)
    for _ in range(5_000):
        solver.run_iteration()
    gains = [pyspiel.nash_conv(peer_game("kuhn_poker"), solver.average_policy())]
    for source in (tree_of("kuhn_poker"), RULES["Kuhn poker"]):
        average = laid_out_average(ours(source, sampling, 5_000))
        gains.append(float_nash_conv(average.game, average.profile))
    assert max(gains) < 0.18


def test_rows_name_each_task_once():
    found = game_rows("Kuhn poker", iterations=20, rounds=1)
    assert len({row.task for row in found}) == len(found) == 4
    assert all(row.ours > 0 for row in found)
