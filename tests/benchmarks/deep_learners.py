"""Learners with networks: CPU time of an environment step of training, beside Stable-Baselines3's.

Both sides play CartPole-v1 with the same networks, hyperparameters and number of updates
(``tests/benchmarks/stable_baselines.py``), on one thread; making the learner is counted.
"""

from functools import partial

import torch

from tests.benchmarks.measure import Row, interleaved
from tests.benchmarks.stable_baselines import CONTENDERS, STEPS

PEER = "Stable-Baselines3"


def rows(*, steps: int = 4096, rounds: int = 3) -> list[Row]:
    """Measure each learner; a number is the time of one environment step, learning included."""
    torch.set_num_threads(1)
    found: list[Row] = []
    for algorithm in STEPS:
        plays = {
            name: partial(play, algorithm, seed=1, steps=steps) for name, play in CONTENDERS.items()
        }
        best = interleaved(plays, rounds=rounds)
        task = f"{algorithm} on CartPole, a step"
        found.append(Row(task, best["ours"] / steps, PEER, best[PEER] / steps))
    return found
