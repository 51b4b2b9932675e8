"""Stackelberg learning on the twelve iterated games: what it reaches, at what cost.

After the table come the remarks: the acceptance run, seeds 0 to 4 on each game, judged exactly. The
table compares times, CPU seconds on one core: a follower's first phase beside the same updates in
plain Python, and the leader's episodes beside the same problem as a Gymnasium environment, stepped
at random.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from statistics import median

import numpy as np

from gametheory_core import load_game
from gametheory_core.leaders import LeaderView, leader_problem, leader_view
from learners import leaders, train
from learners.leaders.encounters import Encounter, Follower
from learners.leaders.meta_stackelberg import FollowerOptions, follower_on
from learners.training import Metrics
from solvers.leaders import contextual_queries
from tests.benchmarks.measure import Row, interleaved

GAMES = (
    "prisoners_dilemma",
    "stag_hunt",
    "assurance",
    "coordination",
    "mixedharmony",
    "harmony",
    "noconflict",
    "deadlock",
    "prisoners_delight",
    "hero",
    "battle",
    "chicken",
)
SEEDS = range(5)
MOST_STEPS = 48_000
INNER = ((30, 75), (100, 24))  # episodes for each leader, iterations: 465,000 and 484,800 steps


def view_of(name: str) -> LeaderView:
    """Return the view of an iterated game of ten rounds."""
    return leader_view(load_game(f"iterated_{name}:rounds=10"))


@dataclass(frozen=True)
class Run:
    """One run, judged."""

    returned: Fraction
    regret: Fraction | None
    regret_time_aware: Fraction
    is_solved: bool
    settled: float | None
    steps: int


def settled(metrics: Iterable[Metrics], value: Fraction | None) -> float | None:
    """Return from which step on the greedy pair stays a stationary equilibrium, if it does."""
    found = None
    for own in reversed(tuple(metrics)):
        if own.get("greedy return/leader") != value or own.get("regret/follower") != 0:
            break
        found = own["environment steps"]
    return found


def run(name: str, seed: int, follower: FollowerOptions, iterations: int | None = None) -> Run:
    """Learn with the default leader, and judge what was learned."""
    view = view_of(name)
    learner = leaders.MetaStackelberg(view, follower=follower, rng=np.random.default_rng(seed))
    learned = train(learner, iterations=iterations or learner.iterations)
    values = leaders.stackelberg_values(view)
    gap = leaders.stackelberg_gap(view, learner, values=values)
    judged = gap.judged
    return Run(
        judged.returns[0],
        judged.regret_stationary,
        judged.regret_time_aware,
        gap.gap_stationary == 0 and judged.regret_stationary == 0,
        settled(learned.metrics, values.stationary),
        learner.environment_steps,
    )


def acceptance(*, games: Iterable[str] = GAMES, seeds: Iterable[int] = SEEDS) -> str:
    """Return a table of what the default configuration and inner loops reach, game by game."""
    lines = [
        "| game | value | return | regret | with a clock | settled after | inner loop, 30 | 100 |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    own = tuple(seeds)
    for name in games:
        value = leaders.stackelberg_values(view_of(name)).stationary
        meta = [run(name, seed, leaders.ContextualQOptions()) for seed in own]
        cells = [
            name.replace("_", " "),
            str(value),
            _range(r.returned for r in meta),
            _range(r.regret or 0 for r in meta),
            _range(r.regret_time_aware for r in meta),
            _settled(meta),
            *(
                _settled(
                    [
                        run(name, seed, leaders.InnerLoopQOptions(episodes=episodes), n)
                        for seed in own
                    ]
                )
                for episodes, n in INNER
            ),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _range(values: Iterable[Fraction | int]) -> str:
    found = sorted(set(values))
    return str(found[0]) if len(found) == 1 else f"{found[0]} to {found[-1]}"


def _settled(runs: list[Run]) -> str:
    """Write the median and the most steps to a solution that stays; or how many found one."""
    found = [r.settled for r in runs if r.settled is not None]
    if len(found) < len(runs):
        return f"{len(found)} of {len(runs)}"
    return f"{median(found):,.0f}, at most {max(found):,.0f}"


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
    values = [[0.0, 0.0] for _ in range(32 * 5)]
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
            row[chosen] += options.step_size * (target - row[chosen])
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
    """Return the table of the acceptance run, and its time."""
    return f"{acceptance()}\n\n60 runs: {sixty_runs():.1f} s of CPU time"
