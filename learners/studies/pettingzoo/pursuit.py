"""Figure 10: pursuers who are paid before the evader moves, or after it, learn by Q-learning.

Whatever they learned from, they are judged by the game that pays before, exactly.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from gametheory_core.catalog.grids import Grid, Pursuit, RewardTime
from gametheory_core.distributions import Distribution
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies.policies import PolicyProfile
from learners.batches import batched
from learners.streams import named_stream
from learners.studies.curves import Axes, Curve, Level, curve_files, grid_curve
from learners.studies.registry import Files, Request
from learners.tabular import QLearning

SIDE, CYCLES = 3, 4
EPISODES = 64  # at once
UPDATES, LOOKS = 400, 20  # iterations of 100 steps of all episodes; how often they are judged
SEEDS = 10
AXES = Axes(y="return", x_label="iterations", y_label="return, paid before")
WORDS = {
    RewardTime.BEFORE_EVADER: "paid before the evader moves",
    RewardTime.AFTER_EVADER: "paid after it moves, too",
}


def team_value(game: Pursuit, choose: Callable[[int, Grid, dict[str, float]], float]) -> float:
    """Return what each pursuer is paid on average.

    Args:
        choose: (player, state, what each action leads to) -> what the choice is worth.

    >>> game = Pursuit(RewardTime.BEFORE_EVADER, 2, 1)
    >>> team_value(game, lambda player, state, worths: max(worths.values()))
    5.0
    """

    def after(mover: int, state: Grid, action: Any, then: Grid) -> float:
        reward = float(game.reward(state, mover, action, then).items[0][0][0])
        ((follower, _),) = game.next_player(state, mover, action, then).items
        return reward + value(follower, then)

    @cache
    def value(mover: int, state: Grid) -> float:
        if game.is_terminal(state):
            return 0.0
        if mover == CHANCE:
            return _mean(game.chance(state), lambda then: after(CHANCE, state, None, then))
        moves = game.legal_actions(mover, state)
        worths = {a: after(mover, state, a, game.move(mover, state, a)) for a in moves}
        return choose(mover, state, worths)

    return value(CHANCE, game.initial_state)


def _mean(law: Distribution[Any], worth: Callable[[Any], float]) -> float:
    return sum(float(share) * worth(outcome) for outcome, share in law.items)


def optimum(game: Pursuit) -> float:
    """Return what the best team is paid."""
    return team_value(game, lambda _player, _state, worths: max(worths.values()))


def judged(game: Pursuit, policies: PolicyProfile) -> float:
    """Return what each pursuer is paid if all follow policies that look at the state alone."""
    return team_value(
        game, lambda player, state, worths: _mean(policies[player][(state,)], worths.__getitem__)
    )


def learned(reward_time: RewardTime, *, updates: int, seed: int) -> list[float]:
    """Return what greedy pursuers are worth along training, paid before, ``LOOKS`` numbers."""
    play: Any = batched(Pursuit(reward_time, SIDE, CYCLES), episodes=EPISODES, seed=seed)
    learner = QLearning(play, rng=named_stream(seed, "pursuit"))
    common = Pursuit(RewardTime.BEFORE_EVADER, SIDE, CYCLES)
    found: list[float] = []
    for _ in range(LOOKS):
        for _ in range(max(1, updates // LOOKS)):
            learner.improve()
        found.append(judged(common, learner.policies()))
    return found


def make_figure(request: Request) -> Files:
    """Make figure 10."""
    seeds = request.seeds or range(SEEDS)
    updates = request.scaled(UPDATES, least=LOOKS)
    best = optimum(Pursuit(RewardTime.BEFORE_EVADER, SIDE, CYCLES))
    at = updates // LOOKS * np.arange(1.0, LOOKS + 1)
    curves: list[Curve] = []
    for number, (reward_time, words) in enumerate(WORDS.items()):
        runs: list[list[float]] = []
        for done, seed in enumerate(seeds):
            request.on_progress(f"figure 10: {words}", number * len(seeds) + done, 2 * len(seeds))
            runs.append(learned(reward_time, updates=updates, seed=seed))
        curves.append(grid_curve("pursuit", words, at, np.array(runs)))
    return curve_files("figure-10", curves, AXES, levels=[Level("pursuit", "best team", best)])
