"""How fair deep JAM-Q-learning gets, as rows of a table: in tables at the end, on grids on the way.

A row says game, who leads, seed, episodes made, fairness, and the most that there can be. Rows of
all runs together are data beside a picture, and the curves in it.
"""

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.errors import InvalidArgument
from gametheory_core.mediation.catalog import (
    ResourceGridRules,
    resource_collection_one_color,
    resource_collection_two_colors,
)
from gametheory_core.mediation.fairness import MINIMUM, MediatorStage
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.values import mediated_fairness
from learners.experiments.comparisons import LearningCurve, mean_interval
from learners.mediation.grid_bounds import fairness_bound
from learners.mediation.jam_networks import DeepJamQLearning, Disturbed, Leading, Starts
from learners.mediation.led_batch import MediatedBatch, fairness_of_floats
from learners.mediation.led_games import Leaders, led_batch
from learners.schedules import Exponential
from learners.streams import named_stream
from solvers.mediation import ordered_leaders, voted_leaders

AT_ONCE, ITERATIONS = 50, 320  # for games in tables
GRID_AT_ONCE, GRID_ITERATIONS, GRID_JUDGED = 100, 400, 300  # episodes, and to judge by

WAYS: Mapping[str, Mapping[str, Any]] = {
    "full": {"stage": MediatorStage.FULL},
    "pre-final": {"stage": MediatorStage.PRE_FINAL},
    "naive": {"stage": MediatorStage.NAIVE},
    "fixed": {"leaders": Leaders.FIXED},
    "in turn": {"leaders": Leaders.IN_TURN},
    "vote": {"leaders": Leaders.VOTED},
}


@dataclass(frozen=True)
class LearnedRow:
    """How fair a run was at one time.

    Attributes:
        game: For people.
        way: Who leads: a key of ``WAYS``.
        episodes: Played so far.
        fairness: Of the lowest return; on the grid the mean over episodes without exploring.
        bound: No play is fairer.
    """

    game: str
    way: str
    seed: int
    episodes: int
    fairness: float
    bound: float


COLUMNS = tuple(field.name for field in fields(LearnedRow))


def cells_of(rows: Iterable[LearnedRow]) -> list[Sequence[Any]]:
    """Return rows as a file of comma-separated values has them, below ``COLUMNS``."""
    return [astuple(row) for row in rows]


def read_rows(file: Path) -> tuple[LearnedRow, ...]:
    """Return the rows of a file of comma-separated values.

    Raises:
        InvalidArgument: If it has other columns.
    """
    with file.open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines)
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise InvalidArgument(
                needs=f"the columns {', '.join(COLUMNS)}",
                found=f"it has {', '.join(reader.fieldnames or ())}",
                where=file,
            )
        return tuple(
            LearnedRow(
                game=row["game"],
                way=row["way"],
                seed=int(row["seed"]),
                episodes=int(row["episodes"]),
                fairness=float(row["fairness"]),
                bound=float(row["bound"]),
            )
            for row in reader
        )


def learned_row(
    label: str,
    game: MediatedGame,
    *,
    seed: int,
    bound: float,
    stage: MediatorStage = MediatorStage.FULL,
    iterations: int = ITERATIONS,
) -> LearnedRow:
    """Learn a game in tables with the default options, and judge exactly what was learned.

    Args:
        bound: The optimum, for one: ``fair_optimum(game).fairness``.
        iterations: Of 50 episodes.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> learned_row("Chicken", mediated_chicken(), seed=0, bound=24, iterations=2).episodes
    100
    """
    require_integer(iterations, name="iterations", low=1)
    batch = MediatedBatch(game, episodes=AT_ONCE, rng=named_stream(seed, "environment"))
    learner = DeepJamQLearning(batch, stage=stage, rng=named_stream(seed, "learner"))
    for _ in range(iterations):
        learner.improve()
    worth = mediated_fairness(game, batch.anew(stage=stage).profile(learner), MINIMUM)
    way = next(way for way, options in WAYS.items() if options.get("stage") is stage)
    return LearnedRow(label, way, seed, AT_ONCE * iterations, float(worth), float(bound))


def grid_learner(
    rules: ResourceGridRules, *, seed: int, way: str = "full", iterations: int = GRID_ITERATIONS
) -> DeepJamQLearning:
    """Return a learner for the grid, with options for long walks; nothing is learned yet.

    Args:
        way: A key of ``WAYS``.
        iterations: How many are to come, of 100 episodes; for exploration.

    Raises:
        InvalidArgument: If there is no such way.
    """
    from learners.deep.action_values import CopyEvery, NextValue, ValueOptions  # noqa: PLC0415 loads torch
    from learners.deep.network_shapes import Activation, FirstWeights, NetworkShape  # noqa: PLC0415 loads torch

    if way not in WAYS:
        raise InvalidArgument(needs=f"one of {', '.join(WAYS)}", found=f"got {way!r}", where="way")
    require_integer(iterations, name="iterations", low=1)
    return DeepJamQLearning(
        led_batch(rules, episodes=GRID_AT_ONCE, rng=named_stream(seed, "environment")),
        exploration=Exponential(0.5, 0.05, steps=GRID_AT_ONCE * iterations),
        disturbed=Disturbed.KEPT,
        leading=Leading.SHARED,
        starts=Starts.EXPLORED,
        leading_discount=0.98,
        values=ValueOptions(
            shape=NetworkShape((64, 64), activation=Activation.RELU),
            first_weights=FirstWeights.ORTHOGONAL,
            next_value=NextValue.DOUBLE,
            slow_copy=CopyEvery(200),
            step_size=1e-3,
        ),
        updates_per_step=4,
        capacity=100_000,
        rng=named_stream(seed, "learner"),
        **WAYS[way],
    )


def grid_rows(
    label: str,
    rules: ResourceGridRules,
    *,
    seed: int,
    way: str = "full",
    iterations: int = GRID_ITERATIONS,
    points: int = 8,
) -> tuple[LearnedRow, ...]:
    """Learn on the grid, and judge on the way by 300 episodes without exploring.

    Args:
        way: A key of ``WAYS``.
        iterations: Of 100 episodes.
        points: How often it is judged, evenly spread, the end included.

    Raises:
        InvalidArgument: If an option makes no sense.

    >>> rules = ResourceGridRules(size=3, steps=4)
    >>> [row.episodes for row in grid_rows("small", rules, seed=0, iterations=3, points=2)]
    [200, 300]
    """
    require_integer(points, name="points", low=1, high=iterations)
    learner = grid_learner(rules, seed=seed, way=way, iterations=iterations)
    bound = fairness_bound(rules)
    looks = {math.ceil(iterations * (k + 1) / points) for k in range(points)}
    rows: list[LearnedRow] = []
    for iteration in range(1, iterations + 1):
        learner.improve()
        if iteration in looks:
            judging = named_stream(seed, "judging", iteration)
            returns = learner.greedy_returns(episodes=GRID_JUDGED, rng=judging)
            found = float(fairness_of_floats(MINIMUM, returns).mean())
            rows.append(LearnedRow(label, way, seed, GRID_AT_ONCE * iteration, found, bound))
    return tuple(rows)


def curves_of(rows: Iterable[LearnedRow], game: str) -> tuple[LearningCurve, ...]:
    """Return a curve for each way of leading in a game, by episodes, with bands of 95 %.

    Raises:
        InvalidArgument: If there is no such game, or seeds were judged at different times.

    >>> rows = [LearnedRow("a", "full", seed, 100, 5.0 + seed, 8.0) for seed in range(2)]
    >>> [(own.label, own.seeds, own.iterations, own.mean) for own in curves_of(rows, "a")]
    [('full', 2, (100,), (5.5,))]
    """
    found: dict[str, dict[int, dict[int, float]]] = {}
    for row in rows:
        if row.game == game:
            found.setdefault(row.way, {}).setdefault(row.seed, {})[row.episodes] = row.fairness
    if not found:
        raise InvalidArgument(needs="rows of a game", found=f"none is of {game!r}")
    return tuple(_curve(way, list(runs.values())) for way, runs in found.items())


def _curve(way: str, runs: Sequence[Mapping[int, float]]) -> LearningCurve:
    times = tuple(runs[0])
    if any(tuple(run) != times for run in runs):
        raise InvalidArgument(needs="seeds judged at the same times", found=f"{way} has others")
    bands = [mean_interval([run[time] for run in runs]) for time in times]
    means = tuple(band.mean for band in bands)
    edges = np.nan_to_num([(b.low, b.high) for b in bands], posinf=np.inf, neginf=-np.inf)
    spread = np.where(np.isfinite(edges), edges, np.array(means)[:, None])  # one seed has no band
    low, high = (tuple(own.tolist()) for own in spread.T)
    return LearningCurve(way, len(runs), times, means, low, high)


def selfish_levels(rules: ResourceGridRules) -> dict[str, float]:
    """Return how fair leaders are who pick for themselves and walk as fast as they please, exactly.

    Args:
        rules: With an even number of players, so that colors are alike.

    Returns:
        By way of leading: "fixed", "in turn", "vote".

    >>> selfish_levels(ResourceGridRules())
    {'fixed': 2.0, 'in turn': 6.0, 'vote': 4.0}
    """
    players, rounds = rules.num_agents, rules.collections
    if players % 2:
        raise InvalidArgument(needs="an even number of players", found=f"there are {players}")
    if rules.has_both_colors:
        game = resource_collection_two_colors(players=players, rounds=rounds)
        firsts: tuple[int, ...] = (0,)
    else:  # there is red; with blue the second player is as the first one with red
        game = resource_collection_one_color(players=players, rounds=rounds)
        firsts = (0, 1)
    turns = [tuple((first + k) % players for k in range(players)) for first in firsts]
    fixed = [ordered_leaders(game, order=(first,)).fairness for first in firsts]
    in_turn = [ordered_leaders(game, order=order).fairness for order in turns]
    return {
        "fixed": float(sum(fixed) / len(fixed)),
        "in turn": float(sum(in_turn) / len(in_turn)),
        "vote": float(voted_leaders(game).expected_fairness),
    }
