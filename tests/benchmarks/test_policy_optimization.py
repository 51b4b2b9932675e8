"""The benchmark's contenders play one game and learn the same. Nothing is timed."""

import numpy as np
import pytest

from gametheory_core import best_response_returns, uniform_policies
from gametheory_core.catalog.repeated import RepeatedGame

pytestmark = pytest.mark.peer
pytest.importorskip("stable_baselines3")

from tests.benchmarks.policy_optimization import (  # noqa: E402
    PAYOFFS,
    EvenDilemma,
    our_game,
    our_learner,
    peer_learner,
    rows,
)


def test_both_sides_play_the_same_game():
    game = our_game()
    actions = RepeatedGame.of("prisoners_dilemma").legal_actions(0, ())
    for (own, other), paid in PAYOFFS.items():
        joint = (actions[own], actions[other])
        (start, _), *_ = game.initial().items
        (after, _), *_ = game.transition(start, joint).items
        assert float(game.reward(start, joint, after)[0]) == paid
    environment = EvenDilemma()
    environment.reset(seed=1)
    cut = [environment.step(1)[2] for _ in range(game.horizon)]
    assert cut == [False] * (game.horizon - 1) + [True]


def test_contenders_learn_to_defect():
    """A defection pays 3 on average against one who plays evenly: 30 in ten rounds, exactly."""
    game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    assert best_response_returns(game, uniform_policies(game))[0] == 6
    ours, peer = our_learner(64), peer_learner(64)
    for _ in range(12):
        metrics = ours.improve()
    peer.learn(12 * 2048)
    assert metrics["return/player 1"] > 27
    shares = [
        peer.policy.get_distribution(peer.policy.obs_to_tensor(np.array([seen]))[0])
        .distribution.probs[0, 1]
        .item()
        for seen in range(5)
    ]
    assert min(shares) > 0.6


def test_rows_name_each_task_once():
    found = rows(batches=(64,), iterations=1)
    assert [row.task for row in found] == ["PPO, one environment step, 64 episodes at once"]
    assert found[0].ours > 0
