"""Tabular Q-learning: ours beside OpenSpiel's tabular learner, on the same games.

A number is the time of one episode in which all players learn, the game's play included; Both make
one update for each own move. OpenSpiel steps through states in Python; ours plays a batch of
episodes on a table, a thousand at once and, for fairness, one.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from learners import EpsilonGreedy, QLearning, Sees, Steps, batched
from tests.benchmarks.counterfactual_regret import tree_of
from tests.benchmarks.measure import Row, interleaved

NAMES = {"Kuhn poker": "kuhn_poker", "Leduc poker": "leduc_poker"}
PEER = "OpenSpiel tabular_qlearner"
STEP_SIZE, EPSILON, SEED = 0.1, 0.2, 5


def ours(name: str, *, episodes: int, steps: int, **options: Any) -> QLearning:
    """Return a learner of both players, an iteration being so many steps."""
    play = batched(tree_of(name), episodes=episodes, seed=SEED, sees=Sees.LAST)
    return QLearning(
        play,
        rng=np.random.default_rng(SEED),
        step_size=STEP_SIZE,
        exploration=EpsilonGreedy(EPSILON),
        iteration=Steps(steps),
        **options,
    )


class Peer:
    """OpenSpiel's environment with a Q-learner for each player."""

    def __init__(self, name: str) -> None:
        from open_spiel.python import rl_environment, rl_tools
        from open_spiel.python.algorithms import tabular_qlearner

        self.environment = rl_environment.Environment(
            name, chance_event_sampler=rl_environment.ChanceEventSampler(seed=SEED)
        )
        actions = self.environment.action_spec()["num_actions"]
        self.agents = [
            tabular_qlearner.QLearner(
                player_id=i,
                num_actions=actions,
                step_size=STEP_SIZE,
                epsilon_schedule=rl_tools.ConstantSchedule(EPSILON),
            )
            for i in range(self.environment.num_players)
        ]

    def play(self, agents: list[Any], *, is_evaluation: bool = False) -> list[float]:
        """Play an episode; return what it paid."""
        moment = self.environment.reset()
        while not moment.last():
            mover = moment.observations["current_player"]
            chosen = agents[mover].step(moment, is_evaluation=is_evaluation)
            moment = self.environment.step([chosen.action])
        for agent in agents:
            agent.step(moment, is_evaluation=is_evaluation)
        return moment.rewards


def steps_of_episode(name: str) -> float:
    """Return how many steps an episode takes on average once a learner has learned a little."""
    learner = ours(name, episodes=1000, steps=100)
    return learner.improve()["length"]


def game_rows(title: str, *, steps: int, rounds: int) -> list[Row]:
    """Measure one game."""
    name = NAMES[title]
    peer = Peer(name)
    length = steps_of_episode(name)
    batches = {1000: steps, 1: 10 * steps}
    learners = {size: ours(name, episodes=size, steps=count) for size, count in batches.items()}
    theirs = max(1, steps)
    contenders: dict[str, Callable[[], object]] = {
        PEER: lambda: [peer.play(peer.agents) for _ in range(theirs)]
    }
    for size, learner in learners.items():
        contenders[str(size)] = learner.improve
    best = interleaved(contenders, rounds=rounds)
    return [
        Row(
            f"{title}, an episode, {size:,} at once",
            best[str(size)] * length / (count * size),
            PEER,
            best[PEER] / theirs,
        )
        for size, count in batches.items()
    ]


def rows(*, steps: int = 300, rounds: int = 5) -> list[Row]:
    """Measure each game."""
    return [row for title in NAMES for row in game_rows(title, steps=steps, rounds=rounds)]
