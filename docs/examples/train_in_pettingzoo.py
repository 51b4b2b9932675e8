"""Learn tic-tac-toe in PettingZoo's own environment, against a player who moves at random.

``player_1`` begins. Evenly random play earns it 0.29 a game (wins less losses); after a few seconds
of learning it must earn more than 0.7, in games that it has not learned from yet.
"""

import numpy as np
import torch
from pettingzoo.classic import tictactoe_v3

from learners import train
from learners.adapters import from_pettingzoo
from learners.deep import PPO, NetworkShape

torch.set_num_threads(1)
batch = from_pettingzoo(tictactoe_v3.raw_env, episodes=32, seed=1)
learner = PPO(
    batch,
    learns=(0,),
    network=NetworkShape((128,)),
    steps=16,
    step_size=2e-3,
    minibatches=2,
    rng=np.random.default_rng(1),
)
learned = train(learner, iterations=50)
first, last = (
    np.mean([metrics["return/player_1"] for metrics in part])
    for part in (learned.metrics[:3], learned.metrics[-3:])
)
print(f"{batch.players[0]} earned {first:.2f} a game at first and {last:.2f} at last")
if last < 0.7:
    raise SystemExit("it should have earned more than 0.7")
