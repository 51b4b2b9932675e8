"""Our learners beside Stable-Baselines3's on CartPole: as good after a few thousand steps.

The full comparison is ``tests/benchmarks/stable_baselines.py``; this is the beginning of it, with
the same hyperparameters, seeded.
"""

from statistics import fmean

import numpy as np
import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("stable_baselines3")

from tests.benchmarks.stable_baselines import CONTENDERS, Ends, binned

pytestmark = pytest.mark.peer

RANDOM = 22.0  # what a policy that plays at random earns an episode
NOISE = 3.0  # factor within which seeds of one learner lie


def late_return(ends: Ends, *, steps: int) -> float:
    """Mean return of episodes that ended in the last quarter."""
    return fmean(paid for step, paid in ends if 0.75 * steps < step <= steps)


@pytest.mark.parametrize(
    ("algorithm", "steps", "seeds"),
    [("PPO", 5000, (1,)), ("A2C", 8000, (1, 2)), ("DQN", 4000, (1,))],
)
@pytest.mark.filterwarnings("ignore")  # the peer's own, and those of what it imports
def test_returns_are_those_of_stable_baselines_within_noise(algorithm, steps, seeds):
    """Geometric means over seeds lie within a factor of 3, and above twice what chance earns."""
    logs = {
        name: fmean(
            float(np.log(late_return(play(algorithm, seed=seed, steps=steps), steps=steps)))
            for seed in seeds
        )
        for name, play in CONTENDERS.items()
    }
    assert min(logs.values()) > np.log(2 * RANDOM)
    assert abs(logs["ours"] - logs["Stable-Baselines3"]) < np.log(NOISE)


def test_bins_hold_means_of_the_episodes_that_ended_in_them():
    ends = [(1, 4.0), (2, 8.0), (7, 20.0), (9, 99.0)]
    assert binned(ends, steps=8, bins=4) == [6.0, 6.0, 6.0, 20.0]
