"""The benchmark's functions run, and its contenders learn alike. Nothing is timed."""

import numpy as np
import pytest

from gametheory_core.conversions.extensive_aec import extensive_to_aec
from gametheory_core.evaluation.returns import expected_returns
from learners.training import train
from tests.benchmarks.counterfactual_regret import tree_of
from tests.benchmarks.tabular_learners import NAMES, Peer, game_rows, ours

pytestmark = pytest.mark.peer
pytest.importorskip("pyspiel")


def test_contenders_learn_to_beat_uniform_play():
    """Both first players learn against uniform ones, and come near the best response's 1/2."""
    from open_spiel.python.algorithms import random_agent

    learner = ours("kuhn_poker", episodes=10, steps=100, learns=(0,))
    train(learner, iterations=20)
    rules = extensive_to_aec(tree_of("kuhn_poker")).target
    assert float(expected_returns(rules, learner.policies())[0]) > 0.4
    peer = Peer("kuhn_poker")
    agents = [peer.agents[0], random_agent.RandomAgent(player_id=1, num_actions=2)]
    np.random.seed(3)  # noqa: NPY002 what the peer draws from
    for _ in range(3_000):
        peer.play(agents)
    paid = [peer.play(agents, is_evaluation=True)[0] for _ in range(2_000)]
    assert np.mean(paid) > 0.3


def test_rows_name_each_task_once():
    found = game_rows(next(iter(NAMES)), steps=5, rounds=1)
    assert len({row.task for row in found}) == len(found) == 2
    assert all(row.ours > 0 for row in found)
