"""DeepJamQLearning on a small grid with red, blue and green: how fair it gets, by stage.

``python docs/examples/leaders_on_a_grid.py 170 3`` is the table of ``docs/jam-q-learning.md``: 170
iterations of 100 episodes, seeds 0 to 2, 4 by 4 cells, 30 steps (about a minute of CPU a run);
``... 400 1`` is its longer run. Without arguments a few iterations are made.
"""

import sys

import numpy as np
import torch

from gametheory_core.mediation import MINIMUM, MediatorIncentives, MediatorStage
from learners import Exponential, train
from learners.deep import Activation, CopyEvery, NetworkShape, NextValue, ValueLoss, ValueOptions
from learners.mediation import DeepJamQLearning, ResourceGrid, Updates
from learners.mediation.led_batch import greedy_returns

EPISODES = 100
VALUES = ValueOptions(
    shape=NetworkShape((128, 128), activation=Activation.RELU),
    next_value=NextValue.LARGEST,
    loss=ValueLoss.SQUARED,
    slow_copy=CopyEvery(200),
    step_size=5e-4,
)


def grid(stage, *, episodes, seed, players=2, size=4):
    """Return a batch of episodes."""
    incentives = MediatorIncentives(MINIMUM, stage)
    return ResourceGrid(
        size=size,
        steps=30,
        players=players,
        incentives=incentives,
        episodes=episodes,
        rng=np.random.default_rng(seed),
    )


def lowest_return(stage, *, iterations, seed, **options):
    """Return the mean over 500 episodes of the lowest return, without exploring."""
    learner = DeepJamQLearning(
        grid(stage, episodes=EPISODES, seed=seed, **options),
        updates=Updates.SIMULTANEOUS,
        exploration=Exponential(0.5, 0.01, steps=int(0.9 * EPISODES * iterations)),
        leading_discount=0.98,
        values=VALUES,
        capacity=50_000,
        rng=np.random.default_rng(seed + 100),
    )
    train(learner, iterations=iterations, keep_every=iterations)
    played = greedy_returns(learner, grid(stage, episodes=500, seed=seed + 1000, **options))
    return float(played.min(axis=1).mean())


def main():
    torch.set_num_threads(1)
    iterations, seeds = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (1, 1)
    for stage in MediatorStage:
        found = [lowest_return(stage, iterations=iterations, seed=seed) for seed in range(seeds)]
        values = ", ".join(f"{value:.2f}" for value in found)
        print(f"{stage.name.lower()}: {values}; mean {np.mean(found):.2f} of 8")


if __name__ == "__main__":
    main()
