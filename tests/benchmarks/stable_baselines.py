"""Learning curves of our learners beside Stable-Baselines3's, on CartPole-v1.

``python -m tests.benchmarks.stable_baselines FILE SEEDS`` adds a line of JSON to the file for each
seed, algorithm and contender: what episodes paid that ended in each twentieth of the run, counted
in steps of all environments together. Environment, hyperparameters and number of steps are the
same on both sides; what was found is drawn by ``docs/examples/cartpole_curves.py``.

PPO: 8 environments, 32 steps, 20 epochs of one batch. A2C: 8 environments, 5 steps, Adam on both
sides. DQN: 1 environment, 128 updates after each 256 steps, target network renewed each time, even
play for 1000 steps. First weights are drawn alike: orthogonal, those of DQN uniform.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch

from learners import AtHorizon, Linear, deep
from learners.adapters import from_gymnasium

ENVIRONMENT = "CartPole-v1"
STEPS = {"PPO": 20_000, "A2C": 20_000, "DQN": 12_000}
BINS = 20
WIDTH = {"PPO": 64, "A2C": 64, "DQN": 64}
WARM_UP = 1000  # steps of even play before DQN learns


@dataclass
class Diary:
    """Steps made in all environments together, and when each episode ended with which return."""

    steps: int = 0
    ends: list[tuple[int, float]] = field(default_factory=list)


@dataclass(frozen=True)
class EvenFirst:
    """Even play until learning begins, and then what another schedule says."""

    steps: int
    then: Linear

    def at(self, step: int) -> float:
        """Return the probability of an even draw after so many steps."""
        return 1.0 if step < self.steps else self.then.at(step)


class Recorded(gymnasium.Wrapper[Any, Any, Any, Any]):
    """An environment that writes its episodes into a diary."""

    def __init__(self, env: Any, diary: Diary) -> None:
        super().__init__(env)
        self._diary = diary
        self._paid = 0.0

    def reset(self, **options: Any) -> Any:
        self._paid = 0.0
        return super().reset(**options)

    def step(self, action: Any) -> Any:
        turn = super().step(action)
        self._diary.steps += 1
        self._paid += float(turn[1])
        if turn[2] or turn[3]:
            self._diary.ends.append((self._diary.steps, self._paid))
        return turn


Ends = list[tuple[int, float]]  # steps made when an episode ended, and its return
Make = Callable[[], Any]  # makes an environment


def _maker(diary: Diary) -> Make:
    return lambda: Recorded(gymnasium.make(ENVIRONMENT), diary)


def our_learner(algorithm: str, make: Make, *, seed: int, steps: int, **options: Any) -> Any:
    """Return our learner with the hyperparameters that both sides have, but for ``options``."""
    rng = np.random.default_rng(seed)
    count = 1 if algorithm == "DQN" else 8
    batch = from_gymnasium(make, episodes=count, seed=seed)
    shape = deep.NetworkShape((WIDTH[algorithm],) * 2)
    shared: dict[str, Any] = {"at_horizon": AtHorizon.CONTINUES, "rng": rng, **options}
    if algorithm == "PPO":
        shared.setdefault("minibatches", 1)
        return deep.PPO(
            batch,
            network=shape,
            steps=32,
            step_size=1e-3,
            discount=0.98,
            trace=0.8,
            epochs=20,
            value_weight=1.0,
            **shared,
        )
    if algorithm == "A2C":
        return deep.ActorCritic(
            batch, network=shape, steps=5, step_size=1e-3, discount=0.99, value_weight=1.0, **shared
        )
    later = Linear(1.0, 0.04, steps=int(0.16 * steps))
    shared.setdefault("exploration", EvenFirst(WARM_UP, later))
    return deep.DQN(
        batch,
        values=deep.ValueOptions(
            shape=deep.NetworkShape(shape.hidden, activation=deep.Activation.RELU),
            next_value=deep.NextValue.LARGEST,
            loss=deep.ValueLoss.HUBER,
            slow_copy=deep.CopyEvery(128),
            step_size=2.3e-3,
        ),
        discount=0.99,
        steps=256,
        updates=128,
        batch_size=64,
        warm_up=WARM_UP,
        capacity=100_000,
        **shared,
    )


def their_learner(algorithm: str, make: Make, *, seed: int, steps: int, **options: Any) -> Any:
    """Return Stable-Baselines3's learner with the same hyperparameters, but for ``options``."""
    from stable_baselines3 import A2C, DQN, PPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    del steps
    count = 1 if algorithm == "DQN" else 8
    envs = DummyVecEnv([make] * count)
    layers = [WIDTH[algorithm]] * 2
    shared: dict[str, Any] = {"seed": seed, "device": "cpu", **options}
    if algorithm == "PPO":
        shared.setdefault("batch_size", 256)
        return PPO(
            "MlpPolicy",
            envs,
            n_steps=32,
            learning_rate=1e-3,
            gamma=0.98,
            gae_lambda=0.8,
            n_epochs=20,
            policy_kwargs={"net_arch": layers},
            **shared,
        )
    if algorithm == "A2C":
        return A2C(
            "MlpPolicy",
            envs,
            n_steps=5,
            learning_rate=1e-3,
            gamma=0.99,
            use_rms_prop=False,
            policy_kwargs={"net_arch": layers, "optimizer_kwargs": {"eps": 1e-5}},
            **shared,
        )
    return DQN(
        "MlpPolicy",
        envs,
        learning_rate=2.3e-3,
        gamma=0.99,
        batch_size=64,
        buffer_size=100_000,
        learning_starts=WARM_UP,
        target_update_interval=10,
        train_freq=256,
        gradient_steps=128,
        exploration_fraction=0.16,
        exploration_final_eps=0.04,
        policy_kwargs={"net_arch": layers},
        **shared,
    )


def our_ends(algorithm: str, *, seed: int, steps: int) -> Ends:
    """Let our learner make so many steps; return how its episodes ended."""
    diary = Diary()
    learner = our_learner(algorithm, _maker(diary), seed=seed, steps=steps)
    while diary.steps < steps:
        learner.improve()
    return diary.ends


def their_ends(algorithm: str, *, seed: int, steps: int) -> Ends:
    """Let Stable-Baselines3 make so many steps; return how its episodes ended."""
    diary = Diary()
    their_learner(algorithm, _maker(diary), seed=seed, steps=steps).learn(steps)
    return diary.ends


CONTENDERS = {"ours": our_ends, "Stable-Baselines3": their_ends}


def binned(ends: Ends, *, steps: int, bins: int) -> list[float]:
    """Return the mean return of episodes that ended in each part of the run, or the part before."""
    found: list[float] = []
    for k in range(bins):
        low, high = steps * k / bins, steps * (k + 1) / bins
        paid = [value for step, value in ends if low < step <= high]
        found.append(round(sum(paid) / len(paid), 2) if paid else found[-1])
    return found


def run(file: Path, seeds: list[int]) -> None:
    """Add what both sides did to a file, seed by seed, so that it can be stopped anywhere."""
    torch.set_num_threads(1)
    for seed in seeds:
        for algorithm, steps in STEPS.items():
            for name, play in CONTENDERS.items():
                ends = play(algorithm, seed=seed, steps=steps)
                returns = binned(ends, steps=steps, bins=BINS)
                line = {"algorithm": algorithm, "by": name, "seed": seed, "steps": steps}
                with file.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(line | {"returns": returns}) + "\n")


if __name__ == "__main__":
    run(Path(sys.argv[1]), [int(seed) for seed in sys.argv[2:]])
