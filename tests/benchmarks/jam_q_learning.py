"""JAM-Q-learning in compiled loops beside plain Python, and the grid beside its explicit rules.

Contenders play as many episodes, or steps, as each needs for a steady time, in turn, in one run;
CPU seconds for one episode, the minimum over the rounds. The plain learner makes the same updates
on the same numbers; for the loops the numbers are drawn as well.
"""

import numpy as np

from gametheory_core import mediation
from gametheory_core.mediation.catalog import WAIT
from learners.mediation import JamQLearning, ResourceGrid
from tests.benchmarks.measure import Row, interleaved
from tests.benchmarks.plain_jam import PlainJam

PEER = "plain Python, the same updates"
RULES = "explicit rules, one episode at a time"


def ours(game: mediation.MediatedGame, episodes: int) -> None:
    """Let all learn in turn from blocks of 100 episodes."""
    learner = JamQLearning(game, rng=np.random.default_rng(0))
    for _ in range(episodes // 100):
        learner.improve()


def plainly(game: mediation.MediatedGame, numbers: list) -> None:
    """Let all learn in turn from episodes on given numbers."""
    learner = JamQLearning(game, rng=np.random.default_rng(0))
    plain = PlainJam(game, learner.incentives, step_size=0.2)
    for k, own in enumerate(numbers):
        plain.episode(0.1, own, k // 100 % (game.num_players + 1))


def on_grid(grid: ResourceGrid, steps: int) -> None:
    """Move at random, all episodes at once, leaders drawn."""
    rng = np.random.default_rng(0)
    grid.reset()
    for _ in range(steps):
        grid.pick(rng.integers(2, size=grid.num_episodes))
        grid.step(rng.integers(4, size=(grid.num_episodes, 2)))


def by_rules(rules: mediation.ResourceGridRules, steps: int) -> None:
    """Move at random, one episode."""
    rng = np.random.default_rng(0)
    state = rules.initial().items[0][0]
    while not rules.is_placed(state):
        items = rules.transition(state, (WAIT,) * 3).items
        state = items[rng.integers(len(items))][0]
    state = rules.transition(state, (WAIT, WAIT, rules.players[0])).items[0][0]
    for _ in range(steps):
        labels = [rules.legal_actions(agent, state)[rng.integers(4)] for agent in range(2)]
        state = rules.transition(state, (*labels, WAIT)).items[0][0]


def rows(*, episodes: int = 20_000, rounds: int = 3) -> list[Row]:
    """Measure two matrix games, and a step of the grid."""
    found: list[Row] = []
    fewer = max(100, episodes // 20)
    for title, game in (
        ("dilemma, 2 players", mediation.mediated_prisoners_dilemma()),
        ("Chicken, 4 players", mediation.mediated_chicken(players=4)),
    ):
        draws = np.random.default_rng(0).random((fewer, game.horizon + 1, 20)).tolist()
        best = interleaved(
            {
                "ours": lambda game=game: ours(game, episodes),
                PEER: lambda game=game, draws=draws: plainly(game, draws),
            },
            rounds=rounds,
        )
        found.append(Row(f"{title}, an episode", best["ours"] / episodes, PEER, best[PEER] / fewer))
    grid = ResourceGrid(episodes=1000, steps=10_000, rng=np.random.default_rng(0))
    rules = mediation.ResourceGridRules(steps=10_000)
    steps = max(10, episodes // 1000)
    best = interleaved(
        {"ours": lambda: on_grid(grid, steps), RULES: lambda: by_rules(rules, 20 * steps)},
        rounds=rounds,
    )
    one = best["ours"] / (1000 * steps)
    return [*found, Row("grid, a step with features", one, RULES, best[RULES] / (20 * steps))]
