"""Playing repeated rock-paper-scissors: ours beside PettingZoo and OpenSpiel, one step at a time.

A number is the CPU time of one joint step of two players; contenders take turns in one run, the
minimum over the rounds. Everybody plays 1000 rounds with what was played last in view. Peers get
random actions that were drawn beforehand; ``mean_returns`` and ``rollouts`` draw their own, from
policies that look at the last round; ``BatchedGame.step`` gets them too, for 4096 games at once.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from gametheory_core.adapters import parallel_env
from gametheory_core.catalog import RepeatedGame
from learners import batched, mean_returns
from learners.batches import BatchedGame, rollouts
from tests.benchmarks.measure import Row, interleaved

ROUNDS = 1000
GAME = RepeatedGame.of("rock_paper_scissors", rounds=ROUNDS)
SEED = 1
PEERS = {
    "PettingZoo rps_v2, parallel API": 500,
    "our game through PettingZoo's parallel API": 500,
    "OpenSpiel rl_environment": 2_000,
}


def lottery_tables(play: BatchedGame) -> list[np.ndarray]:
    """Return a random policy for each player, by what was played last."""
    rng = np.random.default_rng(SEED)
    return [rng.dirichlet(np.ones(3), size=n) for n in play.num_observations]


def batch_steps(play: BatchedGame, actions: np.ndarray, steps: int) -> None:
    """Make so many steps of all episodes."""
    for t in range(steps):
        play.step(actions[t % len(actions)])


def parallel_steps(env: Any, steps: int) -> float:
    """Step a parallel environment with random actions; return what the first agent earned."""
    rng = np.random.default_rng(SEED)
    actions = rng.integers(3, size=(steps, 2)).tolist()
    env.reset(seed=SEED)
    first, second = env.possible_agents
    total = 0.0
    for one, two in actions:
        if not env.agents:
            env.reset()
        _, rewards, _, _, _ = env.step({first: one, second: two})
        total += rewards[first]
    return total


def open_spiel_steps(env: Any, steps: int) -> float:
    """Step OpenSpiel's environment with random actions; return what the first player earned."""
    rng = np.random.default_rng(SEED)
    actions = rng.integers(3, size=(steps, 2)).tolist()
    moment = env.reset()
    total = 0.0
    for joint in actions:
        if moment.last():
            moment = env.reset()
        moment = env.step(joint)
        total += moment.rewards[0]
    return total


def open_spiel_env() -> Any:
    """Return the game as OpenSpiel's learners meet it."""
    from open_spiel.python import rl_environment

    stage = f"repeated_game(stage_game=matrix_rps(),num_repetitions={ROUNDS})"
    return rl_environment.Environment(stage)


def peers() -> dict[str, Callable[[], object]]:
    """Return the contenders of other libraries."""
    from pettingzoo.classic import rps_v2

    first, second, third = PEERS
    theirs = rps_v2.parallel_env(max_cycles=ROUNDS)
    ours = parallel_env(GAME)
    spiel = open_spiel_env()
    return {
        first: lambda: parallel_steps(theirs, PEERS[first]),
        second: lambda: parallel_steps(ours, PEERS[second]),
        third: lambda: open_spiel_steps(spiel, PEERS[third]),
    }


def rows(*, episodes: int = 1000, batch: int = 4096, rounds: int = 5) -> list[Row]:
    """Measure our ways of playing beside each peer, and a step beside copying its arrays."""
    play = batched(GAME, episodes=batch, seed=SEED)
    play.reset()
    tables = lottery_tables(play)
    actions = np.random.default_rng(SEED).integers(3, size=(10, batch, 2))
    kept = max(1, episodes // 10)
    held = [*vars(play.step(actions[0])).values(), *play.snapshot().values()]
    moved = [array for array in held if isinstance(array, np.ndarray)]
    ways: dict[str, tuple[int, Callable[[], object]]] = {
        "mean_returns": (
            episodes * ROUNDS,
            lambda: mean_returns(play, tables, episodes=episodes, seed=SEED),
        ),
        "rollouts, every step kept": (
            kept * ROUNDS,
            lambda: rollouts(play, tables, episodes=kept, seed=SEED),
        ),
        f"BatchedGame.step, {batch} games": (20 * batch, lambda: batch_steps(play, actions, 20)),
    }
    copied = "copying the arrays of a step"
    best = interleaved(
        {name: function for name, (_, function) in ways.items()}
        | peers()
        | {copied: lambda: [array.copy() for _ in range(100) for array in moved]},
        rounds=rounds,
    )
    found = [
        Row(name, best[name] / steps, peer, best[peer] / PEERS[peer])
        for name, (steps, _) in ways.items()
        for peer in PEERS
    ]
    name = f"BatchedGame.step, {batch} games"
    return [*found, Row(name, best[name] / (20 * batch), copied, best[copied] / (100 * batch))]


def seconds_by_threads(*, episodes: int = 20_000) -> dict[int, float]:
    """Return the seconds on the clock that a joint step takes with one thread and with two."""
    play = batched(GAME, episodes=1, seed=SEED)
    tables = lottery_tables(play)
    found = {1: float("inf"), 2: float("inf")}
    for _ in range(3):
        for threads in (1, 2):
            before = time.perf_counter()
            mean_returns(play, tables, episodes=episodes, seed=SEED, threads=threads)
            seconds = (time.perf_counter() - before) / (episodes * ROUNDS)
            found[threads] = min(found[threads], seconds)
    return found


def remarks() -> str:
    """Return the steps a second by threads."""
    found = seconds_by_threads().items()
    return "\n".join(f"{n} threads: {1e-6 / s:.0f} million steps a second" for n, s in found)
