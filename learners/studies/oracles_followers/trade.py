"""Figure 2: who leads a bilateral trade takes its gains; the game of rules, not of the screen."""

from typing import Any

import numpy as np

from gametheory_core.leaders.view import LeaderView, leader_view
from gametheory_core.loading import load_game
from learners.leaders.commitments import stackelberg_values
from learners.leaders.meta_stackelberg import MetaStackelberg
from learners.leaders.q_followers import ContextualQOptions
from learners.streams import named_stream
from learners.studies.curves import Axes, Curve, Level, curve_files, grid_curve
from learners.studies.oracles_followers.settings import settings
from learners.studies.registry import Files, Request
from learners.training import train

AXES = Axes(y="return", x_label="environment steps", y_label="return")
SIDES = ("seller", "buyer")  # in the order of the game's players


def paid(view: LeaderView, *, prepares: int, iterations: int, seed: int) -> list[tuple[float, ...]]:
    """Return environment steps, and what seller and buyer get, of each of the leader's batches."""
    learner = MetaStackelberg(
        view, follower=ContextualQOptions(iterations=prepares), rng=named_stream(seed, "trade")
    )
    found: list[tuple[float, ...]] = []
    for own in train(learner, iterations=prepares + iterations).metrics[prepares:]:
        both = (own["return/leader"], own["return/follower"])
        found.append((own["environment steps"], *(both if view.leader == 0 else both[::-1])))
    return found


def make_figure(request: Request) -> Files:
    """Make figure 2."""
    own = settings().trade
    seeds = request.seeds or range(own.seeds)
    iterations = request.scaled(own.iterations)
    game: Any = load_game(own.game)
    curves: list[Curve] = []
    levels: list[Level] = []
    for leader, side in enumerate(SIDES):
        request.on_progress(f"figure 2: the {side} leads", leader, len(SIDES))
        view, panel = leader_view(game, leader=leader), f"the {side} leads"
        runs = np.array(
            [paid(view, prepares=own.before, iterations=iterations, seed=seed) for seed in seeds]
        )
        for player, name in enumerate(SIDES):
            found = runs[:, :, 1 + player]
            curves.append(grid_curve(panel, f"the {name} gets", runs[0, :, 0], found))
        values = stackelberg_values(view)
        best = values.time_aware if values.stationary is None else values.stationary
        levels.append(Level(panel, "certified value of leading", float(best)))
    return curve_files("figure-2", curves, AXES, levels=levels)
