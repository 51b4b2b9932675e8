"""Stackelberg learning on the twelve iterated games: what it costs.

What it reaches is recorded: see ``docs/meta-rl.md``. The table compares times, CPU seconds on one
core: a follower's first phase beside the same updates in plain Python, and the leader's episodes
beside the same problem as a Gymnasium environment, stepped at random.
"""

import time
from collections.abc import Callable

import numpy as np

from gametheory_core import load_game
from gametheory_core.leaders import LeaderView, leader_problem, leader_view
from learners import leaders, train
from learners.leaders.encounters import Encounter, Follower
from learners.leaders.meta_stackelberg import follower_on
from solvers.leaders import contextual_queries
from tests.benchmarks.measure import Row, interleaved
from tests.learners.leaders.led_games import GAMES

SEEDS = range(5)


def view_of(name: str) -> LeaderView:
    """Return the view of an iterated game of ten rounds."""
    return leader_view(load_game(f"iterated_{name}:rounds=10"))


def sixty_runs() -> float:
    """Return the CPU seconds of the acceptance runs, compiled before."""
    views = [view_of(name) for name in GAMES]
    train(leaders.MetaStackelberg(views[0], rng=np.random.default_rng(0)), iterations=32)
    before = time.process_time()
    for view in views:
        for seed in SEEDS:
            learner = leaders.MetaStackelberg(view, rng=np.random.default_rng(seed))
            train(learner, iterations=learner.iterations)
    return time.process_time() - before


def plain_contextual_q(view: LeaderView, *, episodes: int, seed: int) -> list[list[float]]:
    """Learn phase 1 step by step in plain Python, by the same rule and draws; return the values."""
    rng, options = np.random.default_rng(seed), leaders.ContextualQOptions()
    plans = np.stack([rng.integers(2, size=episodes) for _ in range(5)], axis=1).tolist()
    draws = rng.random((episodes, 1 + 4 * view.horizon)).tolist()
    seen, rewards = view.leader_observation.tolist(), view.tables.rewards.tolist()
    after = view.tables.successor.tolist()
    middle = (view.tables.rewards[..., 1].min() + view.tables.rewards[..., 1].max()) / 2
    values = [[middle * (1 / (1 - options.discount))] * 2 for _ in range(32 * 5)]
    for plan, numbers in zip(plans, draws, strict=True):
        context = 5 * sum(bit << (4 - o) for o, bit in enumerate(plan))
        state = 0
        for at in range(1, len(numbers), 4):
            row, action = values[context + seen[state]], plan[seen[state]]
            if numbers[at + 1] < options.exploration:
                chosen = int(2 * numbers[at + 2])
            else:
                chosen = 0 if row[0] >= row[1] else 1
            earned = rewards[state][action][chosen][1]
            state = after[state][action][chosen][0]
            target = earned + options.discount * max(values[context + seen[state]])
            row[chosen] += target - row[chosen]  # rounded as a step of size 1 is
    return values


def compiled_contextual_q(view: LeaderView, *, episodes: int, seed: int) -> Follower:
    """Learn phase 1 with the library; return the follower."""
    follower = follower_on(leaders.Stage(view), leaders.ContextualQOptions(episodes=episodes))
    follower.prepare(np.random.default_rng(seed))
    return follower


def leader_episodes(view: LeaderView, episodes: int) -> Callable[[], Encounter]:
    """Return what plays so many of the leader's episodes at random, queries included."""
    stage = leaders.Stage(view)
    follower = follower_on(stage, leaders.ExactResponseOptions())
    meeting = leaders.Meeting(stage, follower, leaders.Answers.FRESH, leaders.Queries.VISIBLE)
    policy = np.full((1, 5, 2), 0.5)
    rng = np.random.default_rng(0)
    return lambda: meeting.hold(policy, np.zeros(episodes, dtype=np.int64), rng)


def gymnasium_episodes(view: LeaderView, episodes: int) -> Callable[[], list[float]]:
    """Return what plays so many episodes of the same problem as a Gymnasium environment."""
    from gametheory_core.adapters import to_gymnasium

    environment = to_gymnasium(leader_problem(view, contextual_queries(view)).target)
    actions = np.random.default_rng(0).integers(2, size=(episodes, 5 + view.horizon)).tolist()

    def play() -> list[float]:
        environment.reset(seed=1)
        returns: list[float] = []
        for own in actions:
            returns.append(sum(float(environment.step(action)[1]) for action in own))
            environment.reset()
        return returns

    return play


def rows(*, episodes: int = 3000, rounds: int = 3) -> list[Row]:
    """Measure both phases on the prisoner's dilemma, per episode."""
    view = view_of("prisoners_dilemma")
    few = max(1, episodes // 10)
    first = interleaved(
        {
            "ours": lambda: compiled_contextual_q(view, episodes=episodes, seed=1),
            "plain": lambda: plain_contextual_q(view, episodes=few, seed=1),
        },
        rounds=rounds,
    )
    second = interleaved(
        {"ours": leader_episodes(view, episodes), "gym": gymnasium_episodes(view, few)},
        rounds=rounds,
    )
    return [
        Row(
            "phase 1, an episode of contextual Q-learning",
            first["ours"] / episodes,
            "the same updates in plain Python",
            first["plain"] / few,
        ),
        Row(
            "phase 2, an episode of 15 steps",
            second["ours"] / episodes,
            "leader_problem as a Gymnasium environment",
            second["gym"] / few,
        ),
    ]


def remarks() -> str:
    """Return the time of sixty runs."""
    return f"60 runs: {sixty_runs():.1f} s of CPU time"
