"""Policy optimization: our PPO beside Stable-Baselines3's, on the same game.

A number is the time of one environment step, playing and learning together; contenders take turns
in one run; CPU seconds on one thread, the minimum over the rounds.

The task is ten rounds of the prisoner's dilemma against somebody who plays evenly. Both sides have
two separate networks of 64 x 64, rollouts of 2,048 steps, four epochs of four minibatches, and
Adam. The peer's environment is written by hand, as short as can be.
"""

from typing import Any

import gymnasium
import numpy as np
import torch

from gametheory_core.catalog import RepeatedGame
from learners import batched
from learners.deep import PPO
from tests.benchmarks.measure import Row, interleaved

ROUNDS = 10
ROLLOUT = 2048
PEER = "Stable-Baselines3 PPO"
PAYOFFS = {(0, 0): 3.0, (0, 1): 0.0, (1, 0): 5.0, (1, 1): 1.0}
SEED = 5


def our_game() -> RepeatedGame:
    """Return the game; players see the last round."""
    return RepeatedGame.of("prisoners_dilemma", rounds=ROUNDS)


class EvenDilemma(gymnasium.Env[int, int]):
    """The same game as one player's environment."""

    observation_space = gymnasium.spaces.Discrete(5)
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        self._draws = self.np_random.integers(2, size=4096).tolist()
        self._drawn = self._made = 0
        return 0, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        own, other = int(action), self._draws[self._drawn % 4096]
        self._drawn += 1
        self._made += 1
        seen = 1 + 2 * own + other
        return seen, PAYOFFS[own, other], self._made == ROUNDS, False, {}


def our_learner(episodes: int) -> PPO:
    """Return our learner."""
    return PPO(
        batched(our_game(), episodes=episodes, seed=SEED),
        learns=[0],
        steps=ROLLOUT // episodes,
        step_size=3e-4,
        epochs=4,
        minibatches=4,
        rng=np.random.default_rng(SEED),
    )


def peer_learner(episodes: int) -> Any:
    """Return Stable-Baselines3's learner with the same hyperparameters."""
    from stable_baselines3 import PPO as Peer
    from stable_baselines3.common.vec_env import DummyVecEnv

    return Peer(
        "MlpPolicy",
        DummyVecEnv([EvenDilemma] * episodes),
        n_steps=ROLLOUT // episodes,
        batch_size=ROLLOUT // 4,
        n_epochs=4,
        gamma=1.0,
        learning_rate=3e-4,
        seed=SEED,
        device="cpu",
    )


def rows(*, batches: tuple[int, ...] = (8, 64, 512), rounds: int = 5) -> list[Row]:
    """Measure batches of different sizes."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    found: list[Row] = []
    for episodes in batches:
        ours, peer = our_learner(episodes), peer_learner(episodes)
        best = interleaved(
            {
                "ours": ours.improve,
                "peer": lambda peer=peer: peer.learn(ROLLOUT, reset_num_timesteps=False),
            },
            rounds=rounds,
        )
        task = f"PPO, one environment step, {episodes} episodes at once"
        found.append(Row(task, best["ours"] / ROLLOUT, PEER, best["peer"] / ROLLOUT))
    torch.set_num_threads(threads)
    return found
