"""Figures 5 and 6: a leader meets a follower who learns by Q-learning, in one round of a game.

In an episode the leader draws an action and keeps to it. The follower learns for some steps, by
noisy values, and then plays what is best by them: that step counts. In figure 5 the leader is also
paid while she learns; in figure 6 she keeps her values from episode to episode.
"""

from collections.abc import Mapping
from enum import Enum

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.games.normal_form import NormalFormGame
from learners.streams import named_stream
from learners.studies.curves import Axes, Curve, Level, curve_files, grid_curve
from learners.studies.oracles_followers.settings import Battle, Learning, settings
from learners.studies.registry import Files, Request
from solvers.stackelberg import strong_stackelberg

AXES = Axes(y="final", x_label="iterations", y_label="the leader's last payoff")
SMALLEST_SPREAD = 1e-12


class Variant(Enum):
    """What the leader and the follower do; the value is what figures call it."""

    SOUND = "she begins anew, only play counts"
    PAID = "he is paid while she learns"
    KEPT = "she keeps what she learned"


def learn(
    battle: Battle, variant: Variant, options: Learning, *, iterations: int, seeds: tuple[int, ...]
) -> FloatArray:
    """Return the mean payoff of the step that counts, shape (seeds, iterations).

    The leader climbs a policy gradient from one half, on what an episode pays him, its mean taken
    off and divided by its deviation.

    >>> battle = settings().learning.figure_6["she learns for 3 steps"]
    >>> found = learn(battle, Variant.SOUND, settings().learning, iterations=2, seeds=(0, 1))
    >>> found.shape
    (2, 2)
    """
    paid, own = (np.array(side, dtype=np.float64) for side in (battle.leader, battle.follower))
    lanes = np.arange(len(seeds))
    draws = [named_stream(seed, "learning follower") for seed in seeds]
    logit, values = np.zeros(len(seeds)), np.zeros((len(seeds), 2))
    found = np.zeros((len(seeds), iterations))
    for iteration in range(iterations):
        coins = np.array([rng.random(options.episodes) for rng in draws])
        noise = np.array(
            [rng.normal(0.0, battle.noise, (options.episodes, battle.steps, 2)) for rng in draws]
        )
        chance = 1 / (1 + np.exp(-logit))  # of the first row
        rows = (coins >= chance[:, None]).astype(np.int64)
        finals, totals = np.zeros(rows.shape), np.zeros(rows.shape)
        for episode in range(options.episodes):
            row = rows[:, episode]
            if variant is not Variant.KEPT:
                values = np.zeros((len(seeds), 2))
            for step in range(battle.steps):
                action = (values + noise[:, episode, step]).argmax(axis=1)
                totals[:, episode] += paid[row, action]
                values[lanes, action] += battle.rate * (own[row, action] - values[lanes, action])
            finals[:, episode] = paid[row, values.argmax(axis=1)]
        earned = finals + totals * (variant is Variant.PAID)
        ahead = earned - earned.mean(axis=1, keepdims=True)
        ahead /= np.maximum(ahead.std(axis=1, keepdims=True), SMALLEST_SPREAD)
        logit += options.step_size * (ahead * ((rows == 0) - chance[:, None])).mean(axis=1)
        found[:, iteration] = finals.mean(axis=1)
    return found


def _made(name: str, games: Mapping[str, Battle], other: Variant, request: Request) -> Files:
    options = settings().learning
    seeds = request.seeds or tuple(range(options.seeds))
    iterations = request.scaled(options.iterations)
    at = np.arange(1.0, iterations + 1)
    curves: list[Curve] = []
    for game, battle in games.items():
        for variant in (Variant.SOUND, other):
            values = learn(battle, variant, options, iterations=iterations, seeds=seeds)
            curves.append(grid_curve(game, variant.value, at, values))
    levels = [
        Level(game, "certified value", float(_commitment(battle))) for game, battle in games.items()
    ]
    return curve_files(name, curves, AXES, levels=levels)


def _commitment(battle: Battle) -> float:
    game = NormalFormGame.bimatrix(battle.leader, battle.follower)
    return float(strong_stackelberg(game).payoffs[0])


def make_figure_5(request: Request) -> Files:
    """Make figure 5."""
    return _made("figure-5", settings().learning.figure_5, Variant.PAID, request)


def make_figure_6(request: Request) -> Files:
    """Make figure 6."""
    return _made("figure-6", settings().learning.figure_6, Variant.KEPT, request)
